import {
  type BrowserSession,
  csrfTokenOf,
  endBrowserSession,
  findBrowserSession,
  openBrowserSession,
  sessionCookie,
  sessionSecretIn,
} from "../../shared/domain/identity/browser-sessions.ts";
import { getOwnUser } from "../../shared/domain/identity/own-user.ts";
import { endSignIn } from "../../shared/domain/identity/sign-ins.ts";
import type { User } from "../../shared/domain/identity/users.ts";
import { sha256 } from "../../shared/kernel/digest.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { requireOwnPassword } from "../../shared/runtime/access/permissions.ts";
import { audit, recordAudit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { jsonResponse, success } from "../../shared/runtime/http/envelope.ts";

/** The headers of a request that these routes read. */
interface CookieHeaders {
  cookie?: string;
}

/** Turns the sign-in of an access token into a session of the browser, which receives it as a cookie. */
export async function open(ctx: Context): Promise<Response> {
  const user = await getOwnUser(ctx);
  requireOwnPassword(ctx.principal);
  const { session: signIn } = ctx.principal;
  if (signIn === undefined) throw noSession();
  const { secret, write } = openBrowserSession(ctx, user, signIn);
  await ctx.ports.records.write(write, audit(ctx, { action: "auth.session_opened", target: user.id }));
  return withCookie(ctx, 201, sessionCookie(secret), describe(user, secret));
}

export async function read(ctx: Context, headers: CookieHeaders) {
  const { secret } = await sessionOf(ctx, headers);
  return describe(await getOwnUser(ctx), secret);
}

/** Ends the session and the sign-in that opened it. */
export async function end(ctx: Context, headers: CookieHeaders): Promise<Response> {
  const { session } = await sessionOf(ctx, headers);
  const { id, org, user_id, sign_in } = session;
  await ctx.ports.records.write(endBrowserSession(id));
  ctx.authenticator.forget(id);
  await endSignIn(ctx, { id: sign_in, org, user_id });
  await recordAudit(ctx, { action: "auth.logout", target: user_id });
  return withCookie(ctx, 200, sessionCookie(undefined), { logged_out: true });
}

/** The session of the request's cookie. Throws FORBIDDEN if the request was authenticated in another way. */
async function sessionOf({ ports, principal }: Context, { cookie }: CookieHeaders) {
  const secret = sessionSecretIn(new Headers(cookie === undefined ? {} : { cookie }));
  const session: BrowserSession | undefined =
    secret === undefined ? undefined : await findBrowserSession(ports.records, sha256(secret));
  if (secret === undefined || session === undefined || session.sign_in !== principal.session) throw noSession();
  return { secret, session };
}

function noSession(): ServiceError {
  return new ServiceError("FORBIDDEN", "This needs the session of a browser. Sign in, then send POST /auth/session.");
}

function describe({ id, email, name }: User, secret: string) {
  return { user: { id, email, name }, csrf_token: csrfTokenOf(secret) };
}

function withCookie({ request, clock }: Context, status: number, cookie: string, data: object): Response {
  const now = clock();
  const body = success(JSON.stringify(data), request?.id ?? "", now, now);
  return jsonResponse(body, status, { "set-cookie": cookie });
}
