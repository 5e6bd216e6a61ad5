import type { RouteGroup } from "../../shared/runtime/http/group.ts";
import { finishSocialSignIn, startSocialSignIn } from "./social.ts";
import * as schemas from "./social-schemas.ts";

/** Sign-in with identity providers: a start route for each and their callbacks. */
export function addSocialRoutes(routes: RouteGroup): void {
  routes.public.get("/auth/google", "startGoogleSignIn", {
    summary: "Start a sign-in with Google; returns the URL to open in the browser",
    query: schemas.StartSocialSignIn,
    answer: schemas.StartedSocialSignIn,
    errors: ["OAUTH_NOT_CONFIGURED", "RATE_LIMITED", "SERVICE_UNAVAILABLE"],
    handler: (runtime, { query }) => startSocialSignIn(runtime, "google", query),
  });

  routes.public.get("/auth/github", "startGitHubSignIn", {
    summary: "Start a sign-in with GitHub; returns the URL to open in the browser",
    query: schemas.StartSocialSignIn,
    answer: schemas.StartedSocialSignIn,
    errors: ["OAUTH_NOT_CONFIGURED", "RATE_LIMITED", "SERVICE_UNAVAILABLE"],
    handler: (runtime, { query }) => startSocialSignIn(runtime, "github", query),
  });

  for (const [path, name] of [
    ["/auth/callback/{provider}", "finishSocialSignIn"],
    ["/auth/{provider}/callback", "finishSocialSignInAtProvider"],
  ] as const) {
    routes.public.get(path, name, {
      summary: "Complete a sign-in with a provider; returns tokens, or a challenge for the second factor",
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
      handler: (runtime, { params, query }) => finishSocialSignIn(runtime, params.provider, query),
    });
  }
}
