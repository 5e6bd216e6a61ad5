import { hashSecret } from "./api-keys.ts";

/** The credential of a request, valid or not. */
export class Credential {
  readonly secret: string;
  /** Whether it is parsed as an access token; otherwise as an API key. */
  readonly isToken: boolean;
  #name: string | undefined;

  constructor(secret: string, isToken: boolean) {
    this.secret = secret;
    this.isToken = isToken;
  }

  /** Its cache key: the hash under which a key is stored. Computed on first use. */
  get name(): string {
    this.#name ??= hashSecret(this.secret);
    return this.#name;
  }
}

/** The credential in a request's headers, if there is one. mem0 clients use `Token` as the scheme. */
export function credentialIn(headers: Headers): Credential | undefined {
  const key = headers.get("x-api-key");
  const secret = key ?? headers.get("authorization")?.match(/^(?:Bearer|Token) (\S+)$/i)?.[1];
  return secret ? new Credential(secret, key === null && looksLikeToken(secret)) : undefined;
}

/** A compact JWS starts with a JSON object in base64url; an API key may also be sent as a bearer token. */
function looksLikeToken(secret: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(secret);
}
