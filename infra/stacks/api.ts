import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { CorsHttpMethod, HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { GroupManifest } from "../../shared/platform/manifest.ts";
import type { Deployment } from "../config.ts";
import { makeFirstKey } from "../constructs/first-key.ts";
import { GroupFunction } from "../constructs/group-function.ts";
import type { FunctionEnvironment } from "../constructs/resources.ts";
import { admitToSearch } from "../constructs/search-access.ts";

const PREFLIGHT_CACHED = Duration.hours(1);

/** Request headers of the contract that a browser asks leave for, and answer headers it may read. */
const REQUEST_HEADERS = ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "X-API-Key", "X-Permission"];
const ANSWER_HEADERS = [
  "Allow",
  "Content-Disposition",
  "ETag",
  "Idempotent-Replayed",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
];

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
  environment: FunctionEnvironment;
  manifests: GroupManifest[];
}

/** The HTTP API and one function per endpoint group. */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  readonly groups: GroupFunction[];

  constructor(scope: Construct, id: string, { environment, manifests, ...props }: ApiStackProps) {
    super(scope, id, props);
    const { deployment } = environment;
    this.api = new HttpApi(this, "Api", {
      apiName: this.stackName,
      createDefaultStage: false,
      ...(deployment.allowedOrigins.length > 0 && { corsPreflight: corsFor(deployment.allowedOrigins) }),
    });
    const stage = this.createStage(deployment);
    this.groups = manifests.map(
      (manifest) => new GroupFunction(this, manifest.name, { environment, manifest, api: this.api }),
    );
    makeFirstKey(this, environment);
    admitToSearch(this, this.groups, environment);
    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-APIG4",
      reason:
        "Every handler checks API keys and tokens before its verb; some routes (health, sign-in) are public by contract.",
    });
    new CfnOutput(this, "Url", { value: stage.url });
  }

  private createStage({ throttleRate, throttleBurst, logRetentionDays }: Deployment): HttpStage {
    const accessLogs = new LogGroup(this, "AccessLogs", {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
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
    allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST, CorsHttpMethod.PUT, CorsHttpMethod.DELETE],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_CACHED,
  };
}
