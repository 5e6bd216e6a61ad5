import { type FormPage, FormPageQuery, passwordField, showForm } from "../../shared/domain/identity/form-page.ts";
import { rejectIfHashQueueFull } from "../../shared/domain/identity/password-hash.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import * as browserSession from "./browser-session.ts";
import { group } from "./group.ts";
import { readOwnUser } from "./own-user.ts";
import * as passwords from "./passwords.ts";
import * as schemas from "./schemas.ts";
import * as secondFactor from "./second-factor.ts";
import { login, logout, refresh, register } from "./sign-in.ts";
import { rotateSigningKey } from "./signing-keys.ts";
import { finishSocialSignIn, listProviders, startSocialSignIn } from "./social.ts";

export const routes = newGroup(group, { permission: "any" });

const VERIFY: FormPage = {
  title: "Confirm your e-mail address",
  fields: "",
  action: "This address is mine",
  done: "Your email address is verified.",
  console: "../console",
};

const RESET: FormPage = {
  title: "Choose a new password",
  fields: passwordField("new_password", "New password") + passwordField("confirm_password", "Once more"),
  action: "Change the password",
  done: "Your password is changed and all sessions have ended. Sign in with the new password.",
  console: "../console",
};

routes.public.post("/auth/register", "register", {
  summary: "Register a user; creates an organization with the user as its admin",
  admit: rejectIfHashQueueFull,
  body: schemas.Register,
  answer: schemas.RegisteredUser,
  status: 201,
  errors: ["FORBIDDEN"],
  handler: (runtime, { body }) => register(runtime, body),
});

routes.public.post("/auth/login", "login", {
  summary: "Sign in with email and password; returns tokens, or a challenge if two-factor authentication is on",
  admit: rejectIfHashQueueFull,
  body: schemas.Login,
  answer: schemas.LoginAnswer,
  errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS"],
  handler: (runtime, { body }) => login(runtime, body),
});

routes.post("/auth/logout", "logout", {
  summary: "Sign out of this session, of a refresh token's session, or of all your sessions",
  body: schemas.Logout,
  answer: schemas.LoggedOut,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => logout(ctx, body),
});

routes.get("/auth/me", "readOwnUser", {
  summary: "Get the signed-in user",
  answer: schemas.OwnUser,
  errors: ["FORBIDDEN"],
  handler: (ctx) => readOwnUser(ctx),
});

routes.public.post("/auth/refresh", "refreshTokens", {
  summary: "Exchange a refresh token for new tokens; reusing a refresh token ends its session",
  visitorLimit: "refresh",
  body: schemas.Refresh,
  answer: schemas.Tokens,
  errors: ["UNAUTHORIZED"],
  handler: (runtime, { body }) => refresh(runtime, body),
});

routes.post("/auth/session", "openBrowserSession", {
  summary: "Sign in a browser: turns the sign-in of an access token into a session cookie",
  answer: schemas.BrowserSession,
  status: 201,
  errors: ["FORBIDDEN", "PASSWORD_CHANGE_REQUIRED"],
  handler: (ctx) => browserSession.open(ctx),
});

routes.get("/auth/session", "readBrowserSession", {
  summary: "Get the signed-in user of the browser's session and the CSRF token of its changes",
  headers: ["cookie"],
  answer: schemas.BrowserSession,
  secret: true,
  errors: ["FORBIDDEN"],
  handler: (ctx, { headers }) => browserSession.read(ctx, headers),
});

routes.delete("/auth/session", "endBrowserSession", {
  summary: "Sign out of the browser's session",
  headers: ["cookie"],
  answer: schemas.LoggedOut,
  errors: ["FORBIDDEN"],
  handler: (ctx, { headers }) => browserSession.end(ctx, headers),
});

routes.post("/auth/change-password", "changePassword", {
  summary: "Change your password; ends all your sessions",
  body: schemas.ChangePassword,
  answer: schemas.PasswordChanged,
  errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS"],
  handler: (ctx, { body }) => passwords.changePassword(ctx, body),
});

routes.post("/auth/2fa/setup", "setUpSecondFactor", {
  summary: "Get a secret for an authenticator app; it takes effect when you enable it",
  answer: schemas.SecondFactorOffer,
  errors: ["CONFLICT", "FORBIDDEN"],
  handler: (ctx) => secondFactor.setUp(ctx),
});

routes.post("/auth/2fa/enable", "enableSecondFactor", {
  summary: "Enable two-factor authentication; ends all your sessions and returns recovery codes once",
  body: schemas.EnableSecondFactor,
  answer: schemas.SecondFactorEnabled,
  errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS"],
  handler: (ctx, { body }) => secondFactor.enable(ctx, body),
});

routes.public.post("/auth/2fa/verify", "verifySecondFactor", {
  summary: "Complete a sign-in with a code of the authenticator app or a recovery code",
  body: schemas.VerifySecondFactor,
  answer: schemas.SignedIn,
  errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS", "UNAUTHORIZED"],
  handler: (runtime, { body }) => secondFactor.verify(runtime, body),
});

routes.post("/auth/2fa/disable", "disableSecondFactor", {
  summary: "Disable two-factor authentication; ends all your sessions",
  body: schemas.DisableSecondFactor,
  answer: schemas.SecondFactorDisabled,
  errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS"],
  handler: (ctx, { body }) => secondFactor.disable(ctx, body),
});

routes.public.post("/auth/verify-email", "verifyEmail", {
  summary: "Verify an email address",
  body: schemas.VerifyEmail,
  answer: schemas.EmailVerified,
  errors: ["EMAIL_EXISTS"],
  handler: (runtime, { body }) => passwords.verifyEmail(runtime, body),
});

routes.public.post("/auth/forgot-password", "requestPasswordReset", {
  summary: "Send a password reset link; the response does not reveal whether the account exists",
  body: schemas.ForgotPassword,
  answer: schemas.ResetRequested,
  status: 202,
  handler: (runtime, { body }) => passwords.requestReset(runtime, body),
});

routes.public.post("/auth/reset-password", "resetPassword", {
  summary: "Reset a password with a mailed token; ends all sessions of the user",
  body: schemas.ResetPassword,
  answer: schemas.PasswordChanged,
  errors: ["EMAIL_EXISTS"],
  handler: (runtime, { body }) => passwords.resetPassword(runtime, body),
});

/**
 * The pages of mailed links. They only ask, because programs that open every link of a mail must not use up the token.
 */
for (const [path, name, summary, page] of [
  ["/auth/verify-email", "readVerificationPage", "The page that a mailed link opens to verify an address", VERIFY],
  ["/auth/reset-password", "readResetPage", "The page that a mailed link opens to choose a password", RESET],
] as const) {
  routes.public.get(path, name, {
    summary,
    query: FormPageQuery,
    answer: "raw",
    produces: "text/html",
    handler: async () => showForm(page),
  });
}

routes.post("/admin/signing-keys/rotate", "rotateSigningKey", {
  summary: "Rotate the signing key of access tokens without ending sessions; operators only",
  permission: "admin:all",
  limit: "admin_maintenance",
  body: schemas.RotateSigningKey,
  answer: schemas.SigningKeys,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => rotateSigningKey(ctx, body),
});

routes.public.get("/auth/providers", "listSignInProviders", {
  summary: "List the providers that people can sign in with",
  answer: schemas.SocialProviders,
  handler: (runtime) => listProviders(runtime),
});

for (const [path, name, provider, title] of [
  ["/auth/google", "startGoogleSignIn", "google", "Google"],
  ["/auth/github", "startGitHubSignIn", "github", "GitHub"],
] as const) {
  routes.public.get(path, name, {
    summary: `Start a sign-in with ${title}; returns the URL to open in the browser`,
    query: schemas.StartSocialSignIn,
    answer: schemas.StartedSocialSignIn,
    errors: ["OAUTH_NOT_CONFIGURED"],
    handler: (runtime, { query }) => startSocialSignIn(runtime, provider, query),
  });
}

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
    ],
    handler: (runtime, { params, query }) => finishSocialSignIn(runtime, params.provider, query),
  });
}
