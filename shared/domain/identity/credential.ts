import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "./api-keys.ts";
import { CSRF_HEADER, csrfTokenOf, sessionSecretIn } from "./browser-sessions.ts";

/** How a credential is parsed: as an API key, an access token, or the cookie of a browser session. */
export type CredentialKind = "key" | "token" | "session";

/** The credential of a request, valid or not. */
export class Credential {
  readonly secret: string;
  readonly kind: CredentialKind;
  /** The CSRF token beside a cookie. */
  readonly #csrfToken: string | undefined;
  #name: string | undefined;

  constructor(secret: string, kind: CredentialKind, csrfToken?: string) {
    this.secret = secret;
    this.kind = kind;
    this.#csrfToken = csrfToken;
  }

  /** Its cache key: the hash under which a key or a session is stored. Computed on first use. */
  get name(): string {
    this.#name ??= hashSecret(this.secret);
    return this.#name;
  }

  /** Whether another site may have made the browser send it: it is a cookie without the session's CSRF token. */
  get mayBeForged(): boolean {
    if (this.kind !== "session") return false;
    const [expected, sent] = [Buffer.from(csrfTokenOf(this.secret)), Buffer.from(this.#csrfToken ?? "")];
    return sent.length !== expected.length || !timingSafeEqual(sent, expected);
  }
}

/**
 * The credential in a request's headers, if there is one. mem0 clients use `Token` as the scheme. The cookie of a browser
 * session counts only without these headers.
 */
export function credentialIn(headers: Headers): Credential | undefined {
  const key = headers.get("x-api-key");
  const authorization = headers.get("authorization");
  if (key === null && authorization === null) return sessionIn(headers);
  const secret = key ?? authorization?.match(/^(?:Bearer|Token) (\S+)$/i)?.[1];
  return secret ? new Credential(secret, key === null && looksLikeToken(secret) ? "token" : "key") : undefined;
}

function sessionIn(headers: Headers): Credential | undefined {
  const secret = sessionSecretIn(headers);
  return secret === undefined ? undefined : new Credential(secret, "session", headers.get(CSRF_HEADER) ?? undefined);
}

/** A compact JWS starts with a JSON object in base64url; an API key may also be sent as a bearer token. */
function looksLikeToken(secret: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(secret);
}
