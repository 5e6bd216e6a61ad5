import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { CorsHttpMethod, HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { ANSWER_HEADERS, REQUEST_HEADERS } from "../../shared/http/cors.ts";
import type { RouteDefinition } from "../../shared/http/group.ts";
import type { GroupManifest } from "../../shared/platform/manifest.ts";
import { type Deployment, publicUrlOf } from "../config.ts";
import { CanaryRollout } from "../constructs/canary-rollout.ts";
import { makeFirstKey } from "../constructs/first-key.ts";
import { GroupFunction } from "../constructs/group-function.ts";
import { type Firewall, HostName } from "../constructs/host-name.ts";
import { OnnxLayer } from "../constructs/onnx-layer.ts";
import { OriginSecret } from "../constructs/origin-secret.ts";
import type { FunctionEnvironment } from "../constructs/resources.ts";
import { admitToSearch, type SearchAccess } from "../constructs/search-access.ts";

const PREFLIGHT_CACHED = Duration.hours(1);

/** Answers with 5xx in one minute that bring the former code back while new code is rolled out. */
const SERVER_ERRORS_THAT_ROLL_BACK = 5;

/** What browsers ask leave for. */
const METHODS: Record<RouteDefinition["method"], CorsHttpMethod> = {
  get: CorsHttpMethod.GET,
  post: CorsHttpMethod.POST,
  put: CorsHttpMethod.PUT,
  patch: CorsHttpMethod.PATCH,
  delete: CorsHttpMethod.DELETE,
};

/** One JSON line a request: enough to find it in the function's log, nothing of what it carried. */
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
  /** Folder of the layer that functions have where they run the embedding model. */
  onnxFolder: string | undefined;
  /** Absent where IAM alone decides who may search. */
  searchAccess: SearchAccess | undefined;
  /** ARN of the firewall before the API; absent where none is asked for. */
  webAclArn: string | undefined;
  manifests: GroupManifest[];
}

/** The HTTP API and one function per endpoint group. */
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
      // CloudFront comes by it, and functions refuse whoever else does; else a host name of your own is the only way in.
      disableExecuteApiEndpoint: deployment.customDomain !== undefined && !deployment.waf,
      ...(deployment.allowedOrigins.length > 0 && { corsPreflight: corsFor(deployment.allowedOrigins) }),
    });
    const stage = this.createStage(environment);
    const rollout = deployment.rollout === "canary" ? this.createRollout() : undefined;
    const onnxLayer = onnxFolder === undefined ? undefined : new OnnxLayer(this, onnxFolder);
    const released = { ...environment, rollout, onnxLayer };
    const firewall = webAclArn === undefined ? undefined : { webAclArn, origin: new OriginSecret(this, environment) };
    const ofGroup = { environment: released, api: this.api, originHashes: firewall?.origin.hashes };
    this.groups = manifests.map((manifest) => new GroupFunction(this, manifest.name, { ...ofGroup, manifest }));
    makeFirstKey(this, released);
    admitToSearch(this, this.groups, search, searchAccess);
    this.publish(deployment, stage, firewall);
    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-APIG4",
      reason:
        "Every handler checks API keys and tokens before its verb; some routes (health, sign-in) are public by contract.",
    });
    new CfnOutput(this, "Url", { value: publicUrlOf(deployment) ?? stage.url });
  }

  /** Handlers answer what goes wrong with a 5xx rather than fail, so the API's own count is watched as well. */
  private createRollout(): CanaryRollout {
    const rollout = new CanaryRollout(this, "Rollout");
    const errors = this.api.metricServerError({ period: Duration.minutes(1), statistic: Stats.SUM });
    rollout.watch("RollbackServerErrors", errors, SERVER_ERRORS_THAT_ROLL_BACK);
    return rollout;
  }

  private publish(
    { customDomain, certificateArn, hostedZoneId }: Deployment,
    stage: HttpStage,
    firewall: Firewall | undefined,
  ): void {
    if (customDomain === undefined || certificateArn === undefined) return;
    const reached = { name: customDomain, certificateArn, hostedZoneId, api: this.api, stage };
    const { target, distribution } = new HostName(this, "HostName", { ...reached, firewall });
    if (distribution !== undefined) {
      // It shows a secret before functions ask for it.
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
    maxAge: PREFLIGHT_CACHED,
  };
}
