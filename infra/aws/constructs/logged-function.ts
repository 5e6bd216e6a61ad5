import { ArnFormat, CfnResource, Duration, Stack } from "aws-cdk-lib";
import { SubnetType } from "aws-cdk-lib/aws-ec2";
import type { Role } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type ILayerVersion,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { namePrefix } from "../../names.ts";
import { stateWildcardReason } from "../nag.ts";
import { FunctionIdentity, type Permission } from "./function-identity.ts";
import type { Network } from "./network.ts";
import type { FunctionEnvironment } from "./resources.ts";

export interface LoggedFunctionProps {
  environment: Pick<FunctionEnvironment, "deployment" | "codeOf" | "key" | "network">;
  /** Module and export within the asset, e.g. `memories.handler`. */
  handler: string;
  description: string;
  /** Its name for `sam local`; its id by default. */
  samName?: string;
  memoryMb: number;
  timeoutSeconds: number;
  variables: Record<string, string>;
  permissions: Permission[];
  /** Maximum executions at once; by default what the account has left. */
  reservedConcurrency?: number | undefined;
  layers?: ILayerVersion[];
  /** What Lambda does when the function invokes itself through a queue; it stops the function by default. */
  recursiveLoop?: RecursiveLoop;
  /** An existing identity; a new one by default. */
  identity?: FunctionIdentity;
}

/** How long a deployment waits for the function of a custom resource; an hour by default. */
export const ANSWER_TIMEOUT = Duration.minutes(10);

/** A Lambda function with its own role and log group. */
export class LoggedFunction extends Construct {
  readonly function: LambdaFunction;
  /** Fixed, so that other stacks need not import it. */
  readonly functionName: string;
  readonly role: Role;
  readonly logGroup: LogGroup;
  readonly timeout: Duration;
  private readonly identity: FunctionIdentity;

  constructor(scope: Construct, id: string, { environment, ...props }: LoggedFunctionProps) {
    super(scope, id);
    const { codeOf, network } = environment;
    this.identity = props.identity ?? new FunctionIdentity(this, "Identity", { ...environment, name: id });
    this.logGroup = this.identity.logGroup;
    this.role = this.identity.role;
    this.functionName = namePrefix(environment.deployment) + id;
    this.timeout = Duration.seconds(props.timeoutSeconds);
    this.function = new LambdaFunction(this, "Function", {
      functionName: this.functionName,
      code: codeOf(props.handler),
      handler: props.handler,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      ...(props.layers && { layers: props.layers }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.recursiveLoop && { recursiveLoop: props.recursiveLoop }),
      timeout: this.timeout,
      environment: props.variables,
      role: this.role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      ...(environment.deployment.tracing && { tracing: Tracing.ACTIVE }),
      ...(network && vpcPropsOf(network)),
    });
    if (environment.deployment.tracing) {
      stateWildcardReason(this.role, ["*"], "X-Ray's actions for segments do not support resources.");
    }
    setSamMetadata(this.function, props.samName ?? id);
    for (const permission of props.permissions) this.permit(permission);
  }

  permit(permission: Permission): void {
    this.identity.permit(permission);
  }

  /** The function's ARN, for use in any stack of the deployment without an import. */
  arnFor(scope: Construct): string {
    const stack = Stack.of(scope);
    if (stack === Stack.of(this)) return this.function.functionArn;
    const name = { resourceName: this.functionName, arnFormat: ArnFormat.COLON_RESOURCE_NAME };
    return stack.formatArn({ service: "lambda", resource: "function", ...name });
  }
}

function vpcPropsOf({ vpc, functions }: Network) {
  return { vpc, vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS }, securityGroups: [functions] };
}

/**
 * Lets `sam local invoke health` find the function, whose logical id ends in a hash, and `sam validate --lint` accept
 * it, although CDK adds a redundant dependency on its role (W3005).
 */
function setSamMetadata({ node }: LambdaFunction, name: string): void {
  const resource = node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) return;
  resource.addMetadata("SamResourceId", name);
  resource.addMetadata("cfn-lint", { config: { ignore_checks: ["W3005"] } });
}
