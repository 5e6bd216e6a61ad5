import { CfnResource, Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, type Code, Function as LambdaFunction, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Deployment } from "../config.ts";
import { stateWildcardReason } from "../nag.ts";

/** IAM actions on resources. `reason` says why a resource has a wildcard; without one, none may. */
export interface Permission {
  actions: string[];
  resources: string[];
  reason?: string;
}

export interface LoggedFunctionProps {
  deployment: Deployment;
  code: Code;
  /** Module and export within the asset, e.g. `memories.handler`. */
  handler: string;
  description: string;
  memoryMb: number;
  timeoutSeconds: number;
  variables: Record<string, string>;
  permissions: Permission[];
}

/** A Lambda function with a role and a log group of its own, allowed to write that log and what it is given, nothing else. */
export class LoggedFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;
  readonly timeout: Duration;

  constructor(scope: Construct, id: string, props: LoggedFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, "Logs", {
      logGroupName: logGroupPrefix(props.deployment) + id,
      retention: props.deployment.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.logGroup = logGroup;
    this.timeout = Duration.seconds(props.timeoutSeconds);
    this.role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    this.function = new LambdaFunction(this, "Function", {
      code: props.code,
      handler: props.handler,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: this.timeout,
      environment: props.variables,
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    nameForSam(this.function, id);
    this.permit({ actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resources: [logGroup.logGroupArn] });
    for (const permission of props.permissions) this.permit(permission);
  }

  permit({ actions, resources, reason }: Permission): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources }));
    if (reason !== undefined) stateWildcardReason(this.role, resources, reason);
  }
}

/** What the names of all functions' log groups begin with, so that they can be granted and searched together. */
export function logGroupPrefix({ stage }: Deployment): string {
  return `/memory-service/${stage}/`;
}

/** So that `sam local invoke health` finds the function, whose logical id ends in a hash. */
function nameForSam(named: LambdaFunction, id: string): void {
  const resource = named.node.defaultChild;
  if (CfnResource.isCfnResource(resource)) resource.addMetadata("SamResourceId", id);
}
