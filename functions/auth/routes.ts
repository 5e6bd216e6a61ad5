import { FormPageQuery, showForm } from "../../shared/http/form-page.ts";
import { newGroup } from "../../shared/http/group.ts";
import { requireRoomInLine } from "../../shared/identity/password-hash.ts";
import { group } from "./group.ts";
import { readOwnUser } from "./own-user.ts";
import * as pages from "./pages.ts";
import * as passwords from "./passwords.ts";
import { register } from "./registration.ts";
import * as schemas from "./schemas.ts";
import * as secondFactor from "./second-factor.ts";
import { login, logout, refresh } from "./sign-in.ts";
import { rotateSigningKey } from "./signing-keys.ts";
import { addSocialRoutes } from "./social-routes.ts";

export const routes = newGroup(group);

/** What every route answers that anybody may call: too often, or while nobody can tell how often. */
const LIMITED = ["RATE_LIMITED", "SERVICE_UNAVAILABLE"] as const;

routes.publicRoute(
  {
    method: "post",
    path: "/auth/register",
    name: "register",
    summary: "Register: makes a new organization and you its admin",
    admit: requireRoomInLine,
    body: schemas.Register,
    answer: schemas.RegisteredUser,
    status: 201,
    errors: ["FORBIDDEN", ...LIMITED],
  },
  (home, { body }) => register(home, body),
);

routes.publicRoute(
  {
    method: "post",
    path: "/auth/login",
    name: "login",
    summary: "Sign in by e-mail and password: tokens, or a challenge where two factors are on",
    admit: requireRoomInLine,
    body: schemas.Login,
    answer: schemas.LoginAnswer,
    errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS", ...LIMITED],
  },
  (home, { body }) => login(home, body),
);

routes.route(
  {
    method: "post",
    path: "/auth/logout",
    name: "logout",
    summary: "End this session, the one of a refresh token, or every one of yours",
    permission: "any",
    body: schemas.Logout,
    answer: schemas.LoggedOut,
    errors: ["FORBIDDEN", "SERVICE_UNAVAILABLE"],
  },
  (ctx, { body }) => logout(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/auth/me",
    name: "readOwnUser",
    summary: "Read who you are",
    permission: "any",
    answer: schemas.OwnUser,
    errors: ["FORBIDDEN"],
  },
  (ctx) => readOwnUser(ctx),
);

routes.publicRoute(
  {
    method: "post",
    path: "/auth/refresh",
    name: "refreshTokens",
    summary: "Trade a refresh token for new tokens; each is good once, and one used twice ends its session",
    visitorLimit: "refresh",
    body: schemas.Refresh,
    answer: schemas.Tokens,
    errors: ["UNAUTHORIZED", ...LIMITED],
  },
  (home, { body }) => refresh(home, body),
);

routes.route(
  {
    method: "post",
    path: "/auth/change-password",
    name: "changePassword",
    summary: "Change your password; ends every session of yours",
    permission: "any",
    body: schemas.ChangePassword,
    answer: schemas.PasswordChanged,
    errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS", "SERVICE_UNAVAILABLE"],
  },
  (ctx, { body }) => passwords.changePassword(ctx, body),
);

routes.route(
  {
    method: "post",
    path: "/auth/2fa/setup",
    name: "setUpSecondFactor",
    summary: "Get a secret for an authenticator app; it counts once you enable it",
    permission: "any",
    answer: schemas.SecondFactorOffer,
    errors: ["CONFLICT", "FORBIDDEN", "SERVICE_UNAVAILABLE"],
  },
  (ctx) => secondFactor.setUp(ctx),
);

routes.route(
  {
    method: "post",
    path: "/auth/2fa/enable",
    name: "enableSecondFactor",
    summary: "Have sign-ins ask for a code too; ends every session of yours and tells recovery codes once",
    permission: "any",
    body: schemas.EnableSecondFactor,
    answer: schemas.SecondFactorEnabled,
    errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS", "SERVICE_UNAVAILABLE"],
  },
  (ctx, { body }) => secondFactor.enable(ctx, body),
);

routes.publicRoute(
  {
    method: "post",
    path: "/auth/2fa/verify",
    name: "verifySecondFactor",
    summary: "End a sign-in that asked for a code: by one of the app, or a recovery code",
    body: schemas.VerifySecondFactor,
    answer: schemas.SignedIn,
    errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS", "UNAUTHORIZED", ...LIMITED],
  },
  (home, { body }) => secondFactor.verify(home, body),
);

routes.route(
  {
    method: "post",
    path: "/auth/2fa/disable",
    name: "disableSecondFactor",
    summary: "Have sign-ins ask for the password alone; ends every session of yours",
    permission: "any",
    body: schemas.DisableSecondFactor,
    answer: schemas.SecondFactorDisabled,
    errors: ["CONFLICT", "FORBIDDEN", "INVALID_CREDENTIALS", "SERVICE_UNAVAILABLE"],
  },
  (ctx, { body }) => secondFactor.disable(ctx, body),
);

routes.publicRoute(
  {
    method: "post",
    path: "/auth/verify-email",
    name: "verifyEmail",
    summary: "Show by a mailed token that the address is yours",
    body: schemas.VerifyEmail,
    answer: schemas.EmailVerified,
    errors: ["EMAIL_EXISTS", ...LIMITED],
  },
  (home, { body }) => passwords.verifyEmail(home, body),
);

routes.publicRoute(
  {
    method: "post",
    path: "/auth/forgot-password",
    name: "requestPasswordReset",
    summary: "Have a link mailed that lets choose a new password; answers alike whether the address has an account",
    body: schemas.ForgotPassword,
    answer: schemas.ResetRequested,
    status: 202,
    errors: [...LIMITED],
  },
  (home, { body }) => passwords.requestReset(home, body),
);

routes.publicRoute(
  {
    method: "post",
    path: "/auth/reset-password",
    name: "resetPassword",
    summary: "Choose a new password by a mailed token; ends every session of yours",
    body: schemas.ResetPassword,
    answer: schemas.PasswordChanged,
    errors: ["EMAIL_EXISTS", ...LIMITED],
  },
  (home, { body }) => passwords.resetPassword(home, body),
);

/** What links in mails open. They only ask: programs that look at every link of a mail must not use it up. */
for (const [path, name, summary, page] of [
  [
    "/auth/verify-email",
    "readVerificationPage",
    "The page that a mailed link opens to verify an address",
    pages.VERIFY,
  ],
  ["/auth/reset-password", "readResetPage", "The page that a mailed link opens to choose a password", pages.RESET],
] as const) {
  routes.publicRoute(
    { method: "get", path, name, summary, query: FormPageQuery, answer: "raw", produces: "text/html" },
    async () => showForm(page),
  );
}

routes.route(
  {
    method: "post",
    path: "/admin/signing-keys/rotate",
    name: "rotateSigningKey",
    summary: "Have access tokens signed by another key; operators only. Nobody is signed out",
    permission: "admin:all",
    limit: "admin_maintenance",
    body: schemas.RotateSigningKey,
    answer: schemas.SigningKeys,
    errors: ["FORBIDDEN"],
  },
  (ctx, { body }) => rotateSigningKey(ctx, body),
);

addSocialRoutes(routes);
