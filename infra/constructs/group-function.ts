import { type HttpApi, HttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { Construct } from "constructs";
import type { GroupManifest } from "../../shared/platform/manifest.ts";
import { lambdaHandler } from "../bundle.ts";
import type { Deployment } from "../config.ts";
import type { FunctionEnvironment } from "./resources.ts";
import { ServiceFunction } from "./service-function.ts";

export interface GroupFunctionProps {
  environment: FunctionEnvironment;
  manifest: GroupManifest;
  api: HttpApi;
}

/** The function of one endpoint group, and the routes that lead to it. */
export class GroupFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { environment, manifest, api }: GroupFunctionProps) {
    super(scope, id, {
      environment,
      handler: lambdaHandler.group(manifest.name),
      description: `Endpoints ${manifest.prefixes.join(", ")}`,
      capabilities: manifest.capabilities,
      memoryMb: manifest.memoryMb,
      timeoutSeconds: manifest.timeoutSeconds,
      settings: {
        ALLOW_REGISTRATION: String(environment.deployment.allowRegistration),
        PUBLIC_URL: environment.deployment.publicUrl ?? api.apiEndpoint,
        ...signInSettings(environment.deployment),
      },
    });
    const integration = new HttpLambdaIntegration(`${id}Integration`, this.function, { scopePermissionToRoute: false });
    for (const path of manifest.prefixes.flatMap(pathsOf)) {
      api.addRoutes({ path, methods: [HttpMethod.ANY], integration });
    }
  }
}

/** What is set of sign-in by providers; the clients' secrets are with all others, by name. */
function signInSettings(deployment: Deployment): Record<string, string> {
  const settings = {
    OAUTH_REDIRECT_URIS: deployment.oauthRedirectUris.join(","),
    GOOGLE_CLIENT_ID: deployment.googleClientId,
    GITHUB_CLIENT_ID: deployment.githubClientId,
    GITHUB_URL: deployment.githubUrl,
    GITHUB_API_URL: deployment.githubApiUrl,
  };
  const set = Object.entries(settings).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return Object.fromEntries(set);
}

/** A greedy variable takes what follows a prefix but not the prefix itself; `/` answers for all that no other group does. */
function pathsOf(prefix: string): string[] {
  return prefix === "/" ? ["/", "/{proxy+}"] : [prefix, `${prefix}/{proxy+}`];
}
