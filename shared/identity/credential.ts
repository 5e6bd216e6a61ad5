import { hashSecret } from "./api-keys.ts";

/** What a request shows to be let in, valid or not. */
export class Credential {
  readonly secret: string;
  /** Whether it is taken for an access token, or else for an API key. */
  readonly isToken: boolean;
  #name: string | undefined;

  constructor(secret: string, isToken: boolean) {
    this.secret = secret;
    this.isToken = isToken;
  }

  /** What it may be remembered by: the hash that a key is stored under. Made when it is first asked for. */
  get name(): string {
    this.#name ??= hashSecret(this.secret);
    return this.#name;
  }
}

/** `Token` is what clients of mem0 call a bearer's scheme. */
export function credentialIn(headers: Headers): Credential | undefined {
  const key = headers.get("x-api-key");
  const secret = key ?? headers.get("authorization")?.match(/^(?:Bearer|Token) (\S+)$/i)?.[1];
  return secret ? new Credential(secret, key === null && looksLikeToken(secret)) : undefined;
}

/** A compact JWS begins with a JSON object in base64url; an API key may be sent as a bearer token too. */
function looksLikeToken(secret: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(secret);
}
