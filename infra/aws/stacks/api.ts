import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { CorsHttpMethod, HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { GroupManifest } from "../../../shared/ports/manifest.ts";
import { ANSWER_HEADERS, REQUEST_HEADERS } from "../../../shared/runtime/http/cors.ts";
import type { RouteDefinition } from "../../../shared/runtime/http/group.ts";
import { type Deployment, publicUrlOf } from "../../config.ts";
import { CanaryRollout } from "../constructs/canary-rollout.ts";
import { makeFirstKey } from "../constructs/first-key.ts";
import { GroupFunction } from "../constructs/group-function.ts";
import { type Firewall, HostName } from "../constructs/host-name.ts";
import { OnnxLayer } from "../constructs/onnx-layer.ts";
import { OriginSecret } from "../constructs/origin-secret.ts";
import type { FunctionEnvironment } from "../constructs/resources.ts";
import { admitToSearch, type SearchAccess } from "../constructs/search-access.ts";

const PREFLIGHT_MAX_AGE = Duration.hours(1);

/** Number of 5xx responses per minute that causes a rollback of a small deployment. */
const SERVER_ERRORS_THAT_ROLL_BACK = 5;

/** The CORS method of each route method. */
const METHODS: Record<RouteDefinition["method"], CorsHttpMethod> = {
  get: CorsHttpMethod.GET,
  post: CorsHttpMethod.POST,
  put: CorsHttpMethod.PUT,
  patch: CorsHttpMethod.PATCH,
  delete: CorsHttpMethod.DELETE,
};

/** One JSON line per request: enough to find it in the function's log, without content. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    request_id: "$context.requestId",
    time: "$context.requestTimeEpoch",
    method: "$context.httpMethod",
    route: "$context.routeKey",
    status: "$context.status",
    bytes: "$context.responseLength",
    latency_ms: "$context.responseLatency",
    integration_ms: "$context.integrationLatency",
    integration_error: "$context.integrationErrorMessage",
    source_ip: "$context.identity.sourceIp",
  }),
);

export interface ApiStackProps extends StackProps {
  environment: Omit<FunctionEnvironment, "rollout" | "onnxLayer">;
  /** Folder of the layer for functions that run the embedding model. */
  onnxFolder: string | undefined;
  /** Absent if only IAM controls access to search. */
  searchAccess: SearchAccess | undefined;
  /** ARN of the firewall in front of the API; absent without one. */
  webAclArn: string | undefined;
  manifests: GroupManifest[];
}

/** The HTTP API with one function per endpoint group. */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  readonly groups: GroupFunction[];

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { environment, onnxFolder, searchAccess, webAclArn, manifests } = props;
    const { deployment, search } = environment;
    this.api = new HttpApi(this, "Api", {
      apiName: this.stackName,
      createDefaultStage: false,
      // CloudFront calls this endpoint, and functions refuse other callers. Without CloudFront, the custom host name is
      // the only way to the API.
      disableExecuteApiEndpoint: deployment.customDomain !== undefined && !deployment.waf,
      ...(deployment.allowedOrigins.length > 0 && { corsPreflight: corsFor(deployment.allowedOrigins) }),
    });
    const stage = this.createStage(environment);
    const rollout = deployment.rollout === "canary" ? this.createRollout(deployment) : undefined;
    const onnxLayer = onnxFolder === undefined ? undefined : new OnnxLayer(this, onnxFolder);
    const functionEnvironment = { ...environment, rollout, onnxLayer };
    const firewall = webAclArn === undefined ? undefined : { webAclArn, origin: new OriginSecret(this, environment) };
    const groupProps = { environment: functionEnvironment, api: this.api, originHashes: firewall?.origin.hashes };
    this.groups = manifests.map((manifest) => new GroupFunction(this, manifest.name, { ...groupProps, manifest }));
    makeFirstKey(this, functionEnvironment);
    admitToSearch(this, this.groups, search, searchAccess);
    this.publish(deployment, stage, firewall);
    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-APIG4",
      reason:
        "Every handler checks API keys and tokens before its verb; some routes (health, sign-in) are public by contract.",
    });
    new CfnOutput(this, "Url", { value: publicUrlOf(deployment) ?? stage.url });
  }

  /** Creates a rollout that watches responses with 5xx too, because handlers return them instead of throwing. */
  private createRollout(deployment: Deployment): CanaryRollout {
    const rollout = new CanaryRollout(this, "Rollout", deployment);
    const errors = this.api.metricServerError({ period: Duration.minutes(1), statistic: Stats.SUM });
    rollout.shareAlarm(errors, SERVER_ERRORS_THAT_ROLL_BACK);
    return rollout;
  }

  /** Makes the API available under the custom host name, if there is one. */
  private publish(
    { customDomain, certificateArn, hostedZoneId }: Deployment,
    stage: HttpStage,
    firewall: Firewall | undefined,
  ): void {
    if (customDomain === undefined || certificateArn === undefined) return;
    const hostProps = { name: customDomain, certificateArn, hostedZoneId, api: this.api, stage };
    const { target, distribution } = new HostName(this, "HostName", { ...hostProps, firewall });
    if (distribution !== undefined) {
      // CloudFront must send the secret before functions require it.
      for (const group of this.groups) group.function.node.addDependency(distribution);
    }
    new CfnOutput(this, "HostNameTarget", { value: target });
  }

  private createStage({ deployment, key }: ApiStackProps["environment"]): HttpStage {
    const { throttleRate, throttleBurst, logRetentionDays } = deployment;
    const accessLogs = new LogGroup(this, "AccessLogs", {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
      encryptionKey: key,
    });
    return new HttpStage(this, "Stage", {
      httpApi: this.api,
      stageName: "$default",
      autoDeploy: true,
      throttle: { rateLimit: throttleRate, burstLimit: throttleBurst },
      accessLogSettings: { destination: new LogGroupLogDestination(accessLogs), format: ACCESS_LOG },
    });
  }
}

function corsFor(allowOrigins: string[]) {
  return {
    allowOrigins,
    allowMethods: Object.values(METHODS),
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE,
  };
}
