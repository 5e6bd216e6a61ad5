import { Duration } from "aws-cdk-lib";
import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { REQUEST_METRICS } from "../../../shared/adapters/aws/request-metric-names.ts";
import { API_TIMEOUT_SECONDS, type GroupManifest } from "../../../shared/ports/manifest.ts";
import { lambdaHandler } from "../../bundle.ts";
import { publicUrlOf } from "../../config.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { requestMetric, ServiceFunction } from "./service-function.ts";

export interface GroupFunctionProps {
  environment: FunctionEnvironment;
  manifest: GroupManifest;
  api: HttpApi;
  /** Hashes that identify requests from the firewall; absent without a firewall. */
  originHashes: string | undefined;
}

/** The function of one endpoint group with its routes. */
export class GroupFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { environment, manifest, api, originHashes }: GroupFunctionProps) {
    const redirects = environment.deployment.oauthRedirectUris;
    super(scope, id, {
      environment,
      handler: lambdaHandler.group(manifest.name),
      description: `Endpoints ${manifest.prefixes.join(", ")}`,
      capabilities: manifest.capabilities,
      memoryMb: Math.max(manifest.memoryMb, environment.deployment.minMemoryMb),
      timeoutSeconds: manifest.timeoutSeconds ?? API_TIMEOUT_SECONDS,
      failed: requestMetric(environment.deployment, id, REQUEST_METRICS.serverErrors, {
        statistic: Stats.SUM,
        period: Duration.minutes(1),
      }),
      settings: {
        ALLOW_REGISTRATION: String(environment.deployment.allowRegistration),
        PUBLIC_URL: publicUrlOf(environment.deployment) ?? api.apiEndpoint,
        ...(redirects.length > 0 && { OAUTH_REDIRECT_URIS: redirects.join(",") }),
        ...(originHashes !== undefined && { ORIGIN_SECRET_HASHES: originHashes }),
      },
    });
    const integration = new HttpLambdaIntegration(`${id}Integration`, this.entry, { scopePermissionToRoute: false });
    for (const path of manifest.prefixes.flatMap(pathsOf)) {
      api.addRoutes({ path, methods: [HttpMethod.ANY], integration });
    }
  }
}

/** A greedy variable matches what follows a prefix but not the prefix itself; `/` matches everything else. */
function pathsOf(prefix: string): string[] {
  return prefix === "/" ? ["/", "/{proxy+}"] : [prefix, `${prefix}/{proxy+}`];
}
