import type { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { covers } from "../../runtime/access/permissions.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import type { ActingAgent, FindAgent } from "../../runtime/context.ts";
import type { CacheUse } from "../../runtime/stats/traffic.ts";
import { type BrowserSession, findBrowserSession } from "./browser-sessions.ts";
import type { TokenGrant } from "./client-grants.ts";
import type { Credential } from "./credential.ts";
import { type ApiKey, findApiKeyByHash, findOrganization, type Organization } from "./records.ts";
import type { AccessClaims, AccessTokens } from "./tokens.ts";
import { TtlCache } from "./ttl-cache.ts";
import { findUser, heldPermissions, isAdmitted, statusAt, type User } from "./users.ts";

/** How long a process caches what it read about a credential; a revoked one may work that long in another process. */
export const TRUST_MS = 10_000;

function unauthorized(): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "No valid credential. Send an API key in X-API-Key, or an access token or key in Authorization: Bearer.",
  );
}

/** Whether the user is the active owner of the key. */
function isActiveOwner(owner: User | undefined, { created_at }: ApiKey, now: number): boolean {
  return owner !== undefined && statusAt(owner, now) === "active" && created_at >= (owner.keys_since ?? "");
}

/** A key's current permissions: at most those of its responsible user, whose role may have changed. */
function permissionsOf(key: ApiKey, owner: User | undefined) {
  return owner ? key.permissions.filter((permission) => covers(owner.permissions, permission)) : key.permissions;
}

/** A user as named by an access token or a browser session. */
type SignedInUser = Omit<AccessClaims, "client">;

/** A client never has more permissions than the user, nor those of an operator. */
function limitTo({ scopes, memory_user: memoryUser }: TokenGrant, principal: Principal): Principal {
  const permissions = scopes.filter((scope) => covers(principal.permissions, scope));
  return { ...principal, kind: "oauth_client", operator: false, permissions, memoryUser };
}

/** The last organization of each credential; possibly outdated, so it decides only the queueing of requests. */
export type LastOrganizations = LRUCache<string, string>;

const nameOf = (org: string, id: string): string => `${org}#${id}`;

/** The dependencies of looking up a credential. */
interface Lookups {
  records: RecordStore;
  clock: Clock;
  tokens: AccessTokens;
  findAgent: FindAgent;
  /** Present only if it is used, because computing a token's name costs a hash. */
  lastOrganizations?: LastOrganizations | undefined;
}

/**
 * Resolves a request's credential to its principal from the current records, not from a token's claims. Reads are
 * cached for a few seconds: most requests cost no round trip, the others one or two.
 */
export class Authenticator {
  readonly #lookups: Lookups;
  /** By the hash of the secret. */
  readonly #keys: TtlCache<ApiKey>;
  /** By organization and id. */
  readonly #users: TtlCache<User>;
  /** By organization and id. */
  readonly #agents: TtlCache<ActingAgent>;
  readonly #organizations: TtlCache<Organization>;
  /** By the hash of the cookie. */
  readonly #sessions: TtlCache<BrowserSession>;

  constructor(lookups: Lookups) {
    const { clock } = lookups;
    this.#lookups = lookups;
    this.#keys = new TtlCache(clock, TRUST_MS);
    this.#users = new TtlCache(clock, TRUST_MS);
    this.#agents = new TtlCache(clock, TRUST_MS);
    this.#organizations = new TtlCache(clock, TRUST_MS);
    this.#sessions = new TtlCache(clock, TRUST_MS);
  }

  /**
   * Throws UNAUTHORIZED for a missing, unknown, revoked or expired credential, for an inactive user, and for a client's
   * token that is not for `resource`.
   */
  async authenticate(credential: Credential | undefined, resource?: string): Promise<Principal> {
    if (!credential) throw unauthorized();
    const { lastOrganizations } = this.#lookups;
    const principal = await this.#principalOf(credential, resource);
    if (!principal) {
      // Requests with a revoked credential must not fill its organization's queue.
      lastOrganizations?.delete(credential.name);
      throw unauthorized();
    }
    lastOrganizations?.set(credential.name, principal.org);
    return principal;
  }

  /** Hits and misses of the credential caches of this process since its start. */
  get cacheUse(): CacheUse {
    const uses = this.#caches.map(({ use }) => use);
    const sum = (field: keyof CacheUse) => uses.reduce((total, use) => total + use[field], 0);
    return { hits: sum("hits"), misses: sum("misses") };
  }

  /** The serialized size of the caches. */
  get cacheBytes(): number {
    return this.#caches.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get #caches(): TtlCache<object>[] {
    return [this.#keys, this.#users, this.#agents, this.#organizations, this.#sessions] as TtlCache<object>[];
  }

  /** Makes this process read a key, user, agent, organization or session again at its next use; called after a change. */
  forget(id: string): void {
    this.#sessions.forget(id);
    this.#keys.forgetWhere((key) => key.id === id);
    this.#users.forgetWhere((user) => user.id === id);
    this.#agents.forgetWhere((agent) => agent.id === id);
    this.#organizations.forget(id);
  }

  /** An organization as it was at most TRUST_MS ago. */
  organization(org: string): Promise<Organization | undefined> {
    return this.#organizations.get(org, () => findOrganization(this.#lookups.records, org));
  }

  async #principalOfKey(hash: string): Promise<Principal | undefined> {
    const { records, clock } = this.#lookups;
    const key = await this.#keys.get(hash, () => findApiKeyByHash(records, hash));
    const hasExpired = key?.expires_at !== undefined && Date.parse(key.expires_at) <= clock();
    if (key?.status !== "active" || hasExpired) return undefined;
    const { id, org, owner, agent_id: agent, rate_limit: rateLimit, expires_at: expiresAt } = key;
    const [organization, user, hasAgent] = await Promise.all([
      this.organization(org),
      owner === undefined ? undefined : this.#user(org, owner),
      agent === undefined || this.#agentExists(org, agent),
    ]);
    if (!organization || !hasAgent || (owner !== undefined && !isActiveOwner(user, key, clock()))) return undefined;
    const { operator, plan } = organization;
    const permissions = permissionsOf(key, user);
    return { kind: "api_key", id, org, operator, plan, permissions, rateLimit, expiresAt, owner, agent };
  }

  #principalOf(credential: Credential, resource: string | undefined): Promise<Principal | undefined> {
    if (credential.kind === "token") return this.#principalOfToken(credential.secret, resource);
    if (credential.kind === "session") return this.#principalOfSession(credential.name);
    return this.#principalOfKey(credential.name);
  }

  async #principalOfToken(token: string, resource: string | undefined): Promise<Principal | undefined> {
    const claims = await this.#lookups.tokens.verify(token, resource);
    if (!claims) return undefined;
    const principal = await this.#principalOfUser(claims);
    return principal && claims.client ? limitTo(claims.client, principal) : principal;
  }

  async #principalOfSession(hash: string): Promise<Principal | undefined> {
    const session = await this.#sessions.get(hash, () => findBrowserSession(this.#lookups.records, hash));
    if (!session) return undefined;
    const { org, user_id: sub, epoch, sign_in } = session;
    return this.#principalOfUser({ org, sub, epoch, session: sign_in });
  }

  async #principalOfUser(signedIn: SignedInUser): Promise<Principal | undefined> {
    const { org, sub, session } = signedIn;
    const [organization, user] = await Promise.all([this.organization(org), this.#user(org, sub)]);
    if (!organization || !user || !isAdmitted(user, signedIn, this.#lookups.clock())) return undefined;
    const { operator, plan } = organization;
    const temporary = user.must_change_password && { mustChangePassword: true as const };
    const permissions = heldPermissions(user);
    return { kind: "user", id: sub, org, operator, plan, permissions, ...temporary, owner: sub, session };
  }

  #user(org: string, id: string): Promise<User | undefined> {
    return this.#users.get(nameOf(org, id), () => findUser(this.#lookups.records, org, id));
  }

  /** A key of a deleted agent is not accepted. */
  async #agentExists(org: string, agent: string): Promise<boolean> {
    const { records, findAgent } = this.#lookups;
    return (await this.#agents.get(nameOf(org, agent), () => findAgent(records, org, agent))) !== undefined;
  }
}
