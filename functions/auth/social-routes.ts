import type { RouteGroup } from "../../shared/http/group.ts";
import { finishSocialSignIn, startSocialSignIn } from "./social.ts";
import * as schemas from "./social-schemas.ts";

/** Sign-in by a provider of identities: a start for each, and the two addresses that one may come back to. */
export function addSocialRoutes(routes: RouteGroup): void {
  routes.publicRoute(
    {
      method: "get",
      path: "/auth/google",
      name: "startGoogleSignIn",
      summary: "Begin a sign-in by Google: where to send the browser",
      query: schemas.StartSocialSignIn,
      answer: schemas.StartedSocialSignIn,
      errors: ["OAUTH_NOT_CONFIGURED", "RATE_LIMITED", "SERVICE_UNAVAILABLE"],
    },
    (home, { query }) => startSocialSignIn(home, "google", query),
  );

  routes.publicRoute(
    {
      method: "get",
      path: "/auth/github",
      name: "startGitHubSignIn",
      summary: "Begin a sign-in by GitHub: where to send the browser",
      query: schemas.StartSocialSignIn,
      answer: schemas.StartedSocialSignIn,
      errors: ["OAUTH_NOT_CONFIGURED", "RATE_LIMITED", "SERVICE_UNAVAILABLE"],
    },
    (home, { query }) => startSocialSignIn(home, "github", query),
  );

  for (const [path, name] of [
    ["/auth/callback/{provider}", "finishSocialSignIn"],
    ["/auth/{provider}/callback", "finishSocialSignInAtProvider"],
  ] as const) {
    routes.publicRoute(
      {
        method: "get",
        path,
        name,
        summary: "End a sign-in by a provider: tokens, or the question for the second factor",
        query: schemas.FinishSocialSignIn,
        ignoresUnknownParameters: true,
        answer: schemas.FinishedSocialSignIn,
        errors: [
          "CONFLICT",
          "EMAIL_EXISTS",
          "FORBIDDEN",
          "OAUTH_NOT_CONFIGURED",
          "OAUTH_REFUSED",
          "OAUTH_STATE_INVALID",
          "PROVIDER_NOT_FOUND",
          "RATE_LIMITED",
          "SERVICE_UNAVAILABLE",
        ],
      },
      (home, { params, query }) => finishSocialSignIn(home, params.provider, query),
    );
  }
}
