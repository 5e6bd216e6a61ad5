import type { Clock } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { RecordStore } from "../platform/ports.ts";
import { hashSecret } from "./api-keys.ts";
import type { Principal } from "./principal.ts";
import { type ApiKey, findApiKeyByHash, findOrganization, type Organization } from "./records.ts";
import { verifyAccessToken } from "./tokens.ts";

/** How long a process trusts what it read about a credential; so long may a revoked key live on in another process. */
const TRUST_MS = 10_000;
const MAX_TRUSTED = 10_000;

interface Known {
  key: ApiKey;
  organization: Organization;
  readAt: number;
}

function unauthorized(): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "No valid credential. Send an API key in X-API-Key, or in Authorization: Bearer.",
  );
}

/** What a request shows to be let in, valid or not. */
export function credentialIn(headers: Headers): string | undefined {
  return headers.get("x-api-key") ?? headers.get("authorization")?.match(/^Bearer (\S+)$/i)?.[1];
}

/** A compact JWS begins with a JSON object in base64url; an API key may be sent as a bearer token too. */
function looksLikeToken(credential: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(credential);
}

function toPrincipal({ key, organization }: Known): Principal {
  return {
    kind: "api_key",
    id: key.id,
    org: key.org,
    operator: organization.operator,
    plan: organization.plan,
    permissions: key.permissions,
    rateLimit: key.rate_limit,
  };
}

/** Turns a request's headers into its principal, remembering each credential for a few seconds. */
export class Authenticator {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  /** How often keys were forgotten: what was read before the last time is not remembered after it. */
  #forgotten = 0;

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Throws UNAUTHORIZED for no, an unknown, a revoked or an expired credential alike. */
  async authenticate(headers: Headers): Promise<Principal> {
    const credential = credentialIn(headers);
    if (!credential) throw unauthorized();
    const isToken = !headers.has("x-api-key") && looksLikeToken(credential);
    const principal = await (isToken ? this.#principalOfToken(credential) : this.#principalOfKey(credential));
    if (!principal) throw unauthorized();
    return principal;
  }

  async #principalOfKey(secret: string): Promise<Principal | undefined> {
    const known = await this.#find(hashSecret(secret));
    const hasExpired = known?.key.expires_at !== undefined && Date.parse(known.key.expires_at) <= this.#clock();
    return known?.key.status === "active" && !hasExpired ? toPrincipal(known) : undefined;
  }

  async #principalOfToken(token: string): Promise<Principal | undefined> {
    const claims = await verifyAccessToken(this.#records, token, this.#clock());
    const organization = claims && (await findOrganization(this.#records, claims.org));
    if (!organization) return undefined;
    const { operator, plan } = organization;
    const { sub, org, permissions, session } = claims;
    return { kind: "user", id: sub, org, operator, plan, permissions, session };
  }

  /** Makes this process read the key again at its next use; called when it was changed, rotated or revoked. */
  forget(keyId: string): void {
    this.#forgotten++;
    for (const [hash, known] of this.#known) if (known.key.id === keyId) this.#known.delete(hash);
  }

  async #find(hash: string): Promise<Known | undefined> {
    const remembered = this.#known.get(hash);
    if (remembered && this.#clock() - remembered.readAt < TRUST_MS) return remembered;
    this.#known.delete(hash);
    const forgotten = this.#forgotten;
    const key = await findApiKeyByHash(this.#records, hash);
    const organization = key && (await findOrganization(this.#records, key.org));
    if (!organization) return undefined;
    const known = { key, organization, readAt: this.#clock() };
    if (forgotten === this.#forgotten) this.#remember(hash, known);
    return known;
  }

  #remember(hash: string, known: Known): void {
    const oldest = this.#known.keys().next();
    if (this.#known.size >= MAX_TRUSTED && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(hash, known);
  }
}
