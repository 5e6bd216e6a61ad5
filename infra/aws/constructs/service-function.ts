import type { Duration } from "aws-cdk-lib";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { portOf } from "../../../shared/ports/manifest.ts";
import type { Capability } from "../../../shared/ports/ports.ts";
import { type Deployment, proxiesOf } from "../../config.ts";
import { grantsOf } from "./capabilities.ts";
import { LoggedFunction } from "./logged-function.ts";
import type { FunctionEnvironment } from "./resources.ts";

/** The AWS SDK's endpoint variables for the engines of compose.yaml. */
const LOCAL_ENGINE_VARIABLES = [
  "AWS_ENDPOINT_URL_DYNAMODB",
  "AWS_ENDPOINT_URL_S3",
  "AWS_ENDPOINT_URL_SQS",
  "AWS_ENDPOINT_URL_SECRETS_MANAGER",
  "AWS_ENDPOINT_URL_SESV2",
] as const;

const MODEL_FALLBACKS = "ModelFallbacks";
/** The log line of a task that the built-in rules did in place of a model. */
const FALLBACK_LINE = FilterPattern.stringValue("$.message", "=", "LANGUAGE_MODEL_FELL_BACK");

/** Minimum memory of a function that may run the model, because Lambda provides CPU by memory. */
const ONNX_MEMORY_MB = 1024;

export interface ServiceFunctionProps {
  environment: FunctionEnvironment;
  /** Module and export within the shared asset, e.g. `memories.handler`. */
  handler: string;
  description: string;
  samName?: string;
  capabilities: Capability[];
  memoryMb: number;
  timeoutSeconds: number;
  recursiveLoop?: RecursiveLoop;
  /** Settings besides those of every function. */
  settings?: Record<string, string>;
  /** The sum a minute of requests that it answers with an error itself. */
  failed?: IMetric;
}

/** A function of the service with the variables and permissions of its declared capabilities. */
export class ServiceFunction extends LoggedFunction {
  readonly capabilities: readonly Capability[];
  /** The target of invocations: the function, or its current version. */
  readonly entry: IFunction;

  constructor(
    scope: Construct,
    id: string,
    { environment, capabilities, settings, failed, ...props }: ServiceFunctionProps,
  ) {
    const { deployment, rollout } = environment;
    const grants = grantsOf(capabilities, scope, environment);
    const layer = usesVectors(capabilities) ? environment.onnxLayer : undefined;
    super(scope, id, {
      ...props,
      environment,
      reservedConcurrency: deployment.reservedConcurrency.get(id),
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
    if (capabilities.includes("models") && deployment.languageModel === "bedrock") this.countFallbacks(deployment);
    const provisioned = deployment.provisionedConcurrency.get(id);
    this.entry = rollout?.release(this, this.function, { failed, provisioned }) ?? this.function;
  }

  private countFallbacks(deployment: Deployment): void {
    new MetricFilter(this, "ModelFallbacks", {
      logGroup: this.logGroup,
      filterPattern: FALLBACK_LINE,
      metricNamespace: metricsNamespace(deployment),
      metricName: MODEL_FALLBACKS,
    });
  }
}

/** Counts in one metric how often functions had to do without a model; they log it and continue. */
export function fallbackMetric(deployment: Deployment, options: { statistic: string; period: Duration }): Metric {
  return new Metric({ namespace: metricsNamespace(deployment), metricName: MODEL_FALLBACKS, ...options });
}

/** Search needs the model's id too, because its index holds that model's vectors. */
function usesVectors(capabilities: readonly Capability[]): boolean {
  return capabilities.some((capability) => ["embedder", "reader", "search"].includes(portOf(capability)));
}

/** The CloudWatch namespace of this deployment's request metrics. */
function metricsNamespace({ stage }: Deployment): string {
  return `memory-service-${stage}`;
}

/** A metric that requests of a group emit. */
export function requestMetric(
  deployment: Deployment,
  service: string,
  metricName: string,
  options: { statistic: string; period: Duration },
): Metric {
  const namespace = metricsNamespace(deployment);
  return new Metric({ namespace, metricName, dimensionsMap: { service }, ...options });
}

/** `sam local` sets only variables that the template declares; the SDK ignores empty ones. */
function undefinedEndpoints(): Record<string, string> {
  return Object.fromEntries(LOCAL_ENGINE_VARIABLES.map((variable) => [variable, ""]));
}
