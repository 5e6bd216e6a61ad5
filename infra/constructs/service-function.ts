import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { portOf } from "../../shared/platform/capabilities.ts";
import type { Capability } from "../../shared/platform/ports.ts";
import { type Deployment, proxiesOf } from "../config.ts";
import { grantsOf } from "./capabilities.ts";
import { LoggedFunction } from "./logged-function.ts";
import type { FunctionEnvironment } from "./resources.ts";

/** The AWS SDK's own variables for endpoints of the engines that compose.yaml runs. */
const LOCAL_ENGINE_VARIABLES = [
  "AWS_ENDPOINT_URL_DYNAMODB",
  "AWS_ENDPOINT_URL_S3",
  "AWS_ENDPOINT_URL_SQS",
  "AWS_ENDPOINT_URL_SECRETS_MANAGER",
  "AWS_ENDPOINT_URL_SESV2",
] as const;

/** Fewest for a function that may run the model: Lambda gives processor time by memory. */
const ONNX_MEMORY_MB = 1024;

export interface ServiceFunctionProps {
  environment: FunctionEnvironment;
  /** Module and export within the shared asset, e.g. `memories.handler`. */
  handler: string;
  description: string;
  capabilities: Capability[];
  memoryMb: number;
  timeoutSeconds: number;
  /** Settings besides those of every function. */
  settings?: Record<string, string>;
}

/** A function of the service: the variables and permissions that its declared capabilities stand for. */
export class ServiceFunction extends LoggedFunction {
  readonly capabilities: readonly Capability[];
  /** What is invoked: the function itself, or whichever of its versions is in use. */
  readonly entry: IFunction;

  constructor(scope: Construct, id: string, { environment, capabilities, settings, ...props }: ServiceFunctionProps) {
    const { deployment, rollout } = environment;
    const grants = grantsOf(capabilities, scope, environment);
    const layer = usesVectors(capabilities) ? environment.onnxLayer : undefined;
    super(scope, id, {
      ...props,
      environment,
      ...(layer && { layers: [layer], memoryMb: Math.max(props.memoryMb, ONNX_MEMORY_MB) }),
      variables: {
        PLATFORM: "aws",
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(deployment),
        POWERTOOLS_SERVICE_NAME: id,
        LOG_LEVEL: deployment.logLevel,
        DEFAULT_PLAN: deployment.defaultPlan,
        SIGNING_ROTATION_DAYS: String(deployment.signingRotationDays),
        AUDIT_RETENTION_DAYS: String(deployment.auditRetentionDays),
        TRUSTED_PROXIES: String(proxiesOf(deployment)),
        ...settings,
        ...(deployment.localEngines && undefinedEndpoints()),
        ...Object.assign({}, ...grants.map(({ variables }) => variables)),
      },
      permissions: grants.flatMap(({ permissions }) => permissions),
    });
    this.capabilities = capabilities;
    this.entry = rollout?.release(this, this.function) ?? this.function;
  }
}

/** Search must know the model too, whose vectors its index has. */
function usesVectors(capabilities: readonly Capability[]): boolean {
  return capabilities.some((capability) => ["embedder", "search"].includes(portOf(capability)));
}

/** Where the metrics of this deployment's requests are in CloudWatch. */
export function metricsNamespace({ stage }: Deployment): string {
  return `memory-service-${stage}`;
}

/** `sam local` sets only variables that the template declares; the SDK takes an empty one for none. */
function undefinedEndpoints(): Record<string, string> {
  return Object.fromEntries(LOCAL_ENGINE_VARIABLES.map((variable) => [variable, ""]));
}
