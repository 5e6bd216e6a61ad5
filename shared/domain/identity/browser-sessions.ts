import { randomBytes } from "node:crypto";
import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { DAY_SECONDS } from "../../kernel/durations.ts";
import { getObject, toItem } from "../../ports/item.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import { findSignIn } from "./sign-ins.ts";
import type { User } from "./users.ts";

/** Browsers accept this prefix only with Secure, Path=/ and without Domain, so no other host can set it. */
const COOKIE_NAME = "__Host-memory_session";
const COOKIE_PATTERN = new RegExp(`(?:^|;)\\s*${COOKIE_NAME}=([\\w-]{43})\\s*(?:;|$)`);
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";
const SECRET_BYTES = 32;
const SESSION_SECONDS = DAY_SECONDS / 2;

/** The header with which a page proves that it may read the service's responses. */
export const CSRF_HEADER = "x-csrf-token";

/** The session of a browser, which the pages of this service share. It ends with the sign-in that opened it. */
export interface BrowserSession {
  /** SHA-256 of the cookie. */
  id: string;
  org: string;
  user_id: string;
  /** The user's `credential_epoch`; the session is invalid in another epoch. */
  epoch: number;
  /** Id of the sign-in. */
  sign_in: string;
  created_at: string;
}

const sessionKey = (id: string): RecordKey => ({ pk: `browser_session#${id}`, sk: "browser_session" });

/** A new session of a signed-in user: the cookie's value, and the write that stores it. */
export function openBrowserSession(
  { clock }: Pick<Runtime, "clock">,
  { org, id: user_id, credential_epoch: epoch }: User,
  sign_in: string,
): { secret: string; write: Write } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const now = clock();
  const session: BrowserSession = { id: sha256(secret), org, user_id, epoch, sign_in, created_at: timestamp(now) };
  const ttl = Math.ceil(now / 1000) + SESSION_SECONDS;
  return { secret, write: { put: toItem(sessionKey(session.id), "browser_session", session, { ttl }) } };
}

/** The session with an id, unless it has expired or its sign-in has ended. */
export async function findBrowserSession(records: RecordStore, id: string): Promise<BrowserSession | undefined> {
  const session = await getObject<BrowserSession>(records, sessionKey(id));
  return session && (await findSignIn(records, session.sign_in)) && session;
}

/** The write that ends a session. */
export function endBrowserSession(id: string): Write {
  return { delete: sessionKey(id) };
}

/** The value of the session cookie in a request, if there is one. */
export function sessionSecretIn(headers: Headers): string | undefined {
  return COOKIE_PATTERN.exec(headers.get("cookie") ?? "")?.[1];
}

/** The value of Set-Cookie that starts a session, or ends it without a secret. */
export function sessionCookie(secret: string | undefined): string {
  const life = secret === undefined ? "; Max-Age=0" : `; Max-Age=${SESSION_SECONDS}`;
  return `${COOKIE_NAME}=${secret ?? ""}; ${ATTRIBUTES}${life}`;
}

/** The CSRF token of a session, derived from its cookie: only a page that can read responses knows it. */
export function csrfTokenOf(secret: string): string {
  return sha256(`csrf token ${secret}`);
}
