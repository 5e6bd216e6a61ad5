import { type Agent, findAgent } from "../agents/records.ts";
import type { BoundedMap } from "../kernel/bounded.ts";
import type { Clock } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { RecordStore } from "../platform/ports.ts";
import type { CacheUse } from "../stats/traffic.ts";
import type { Credential } from "./credential.ts";
import { covers } from "./permissions.ts";
import type { Principal } from "./principal.ts";
import { type ApiKey, findApiKeyByHash, findOrganization, type Organization } from "./records.ts";
import { Remembered } from "./remembered.ts";
import type { AccessTokens } from "./tokens.ts";
import { findUser, heldPermissions, isAdmitted, statusAt, type User } from "./users.ts";

/** How long a process trusts what it read about a credential; so long may a revoked one live on in another process. */
export const TRUST_MS = 10_000;

function unauthorized(): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "No valid credential. Send an API key in X-API-Key, or an access token or key in Authorization: Bearer.",
  );
}

/** Whether the user stands by a key that names them as its owner. */
function answersFor(owner: User | undefined, { created_at }: ApiKey, now: number): boolean {
  return owner !== undefined && statusAt(owner, now) === "active" && created_at >= (owner.keys_since ?? "");
}

/** What a key may do now: no more than the user who answers for it, whose role may have changed since it was made. */
function permissionsOf(key: ApiKey, owner: User | undefined) {
  return owner ? key.permissions.filter((permission) => covers(owner.permissions, permission)) : key.permissions;
}

/**
 * The organization that a credential was last let in for, by the credential's name. It says nothing of now, and so is for
 * no decision but who waits for whom.
 */
export type LastOrganizations = BoundedMap<string, string>;

const nameOf = (org: string, id: string): string => `${org}#${id}`;

/**
 * Turns a request's credential into its principal, by the records as they are and not by what a token says. What it reads
 * it remembers for a few seconds: most requests cost no round trip, and any other one or two.
 */
export class Authenticator {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #tokens: AccessTokens;
  /** By hash. */
  readonly #keys: Remembered<ApiKey>;
  /** By organization and id. */
  readonly #users: Remembered<User>;
  /** By organization and id. */
  readonly #agents: Remembered<Agent>;
  readonly #organizations: Remembered<Organization>;
  readonly #lastOrganizations: LastOrganizations | undefined;

  /** `lastOrganizations` is kept where somebody reads it, as naming a token takes a hash. */
  constructor(records: RecordStore, clock: Clock, tokens: AccessTokens, lastOrganizations?: LastOrganizations) {
    this.#records = records;
    this.#clock = clock;
    this.#tokens = tokens;
    this.#keys = new Remembered(clock, TRUST_MS);
    this.#users = new Remembered(clock, TRUST_MS);
    this.#agents = new Remembered(clock, TRUST_MS);
    this.#organizations = new Remembered(clock, TRUST_MS);
    this.#lastOrganizations = lastOrganizations;
  }

  /** Throws UNAUTHORIZED for no, an unknown, a revoked or an expired credential alike, and for one whose user is not active. */
  async authenticate(credential: Credential | undefined): Promise<Principal> {
    if (!credential) throw unauthorized();
    const principal = await (credential.isToken
      ? this.#principalOfToken(credential.secret)
      : this.#principalOfKey(credential.name));
    if (!principal) {
      // Whoever has one that was revoked is not to wait, and flood, in the line of its organization.
      this.#lastOrganizations?.delete(credential.name);
      throw unauthorized();
    }
    this.#lastOrganizations?.set(credential.name, principal.org);
    return principal;
  }

  /** Of everything that this process remembers of credentials, since it started. */
  get cacheUse(): CacheUse {
    const uses = this.#caches.map(({ use }) => use);
    const sum = (what: keyof CacheUse) => uses.reduce((total, use) => total + use[what], 0);
    return { hits: sum("hits"), misses: sum("misses") };
  }

  /** What all that takes, serialized. */
  get cacheBytes(): number {
    return this.#caches.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get #caches(): Remembered<unknown>[] {
    return [this.#keys, this.#users, this.#agents, this.#organizations] as Remembered<unknown>[];
  }

  /** Makes this process read a key, a user, an agent or an organization again at its next use; called by whoever changes it. */
  forget(id: string): void {
    this.#keys.forgetWhere((key) => key.id === id);
    this.#users.forgetWhere((user) => user.id === id);
    this.#agents.forgetWhere((agent) => agent.id === id);
    this.#organizations.forget(id);
  }

  async #principalOfKey(hash: string): Promise<Principal | undefined> {
    const key = await this.#keys.get(hash, () => findApiKeyByHash(this.#records, hash));
    const hasExpired = key?.expires_at !== undefined && Date.parse(key.expires_at) <= this.#clock();
    if (key?.status !== "active" || hasExpired) return undefined;
    const { org, agent_id: agent } = key;
    const [organization, owner, hasAgent] = await Promise.all([
      this.#organization(org),
      this.#ownerOf(key),
      agent === undefined || this.#isThere(org, agent),
    ]);
    if (!hasAgent) return undefined;
    if (!organization || (key.owner !== undefined && !answersFor(owner, key, this.#clock()))) return undefined;
    return {
      kind: "api_key",
      id: key.id,
      org,
      operator: organization.operator,
      plan: organization.plan,
      permissions: permissionsOf(key, owner),
      rateLimit: key.rate_limit,
      expiresAt: key.expires_at,
      owner: key.owner,
      agent,
    };
  }

  async #principalOfToken(token: string): Promise<Principal | undefined> {
    const claims = await this.#tokens.verify(token);
    if (!claims) return undefined;
    const { org, sub, session } = claims;
    const [organization, user] = await Promise.all([this.#organization(org), this.#user(org, sub)]);
    if (!organization || !user || !isAdmitted(user, claims, this.#clock())) return undefined;
    const { operator, plan } = organization;
    return { kind: "user", id: sub, org, operator, plan, permissions: heldPermissions(user), owner: sub, session };
  }

  async #ownerOf({ org, owner }: ApiKey): Promise<User | undefined> {
    return owner === undefined ? undefined : this.#user(org, owner);
  }

  #user(org: string, id: string): Promise<User | undefined> {
    return this.#users.get(nameOf(org, id), () => findUser(this.#records, org, id));
  }

  /** A key ends with the agent that it was made for. */
  async #isThere(org: string, agent: string): Promise<boolean> {
    return (await this.#agents.get(nameOf(org, agent), () => findAgent(this.#records, org, agent))) !== undefined;
  }

  #organization(org: string): Promise<Organization | undefined> {
    return this.#organizations.get(org, () => findOrganization(this.#records, org));
  }
}
