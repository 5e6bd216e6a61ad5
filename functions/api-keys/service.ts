import { agentKey } from "../../shared/domain/agents/records.ts";
import { newApiKey } from "../../shared/domain/identity/api-keys.ts";
import { requireHeld } from "../../shared/domain/identity/grants.ts";
import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import {
  API_KEYS,
  type ApiKey,
  type ApiKeyState,
  changeApiKey,
  findApiKey,
  type KeyUsage,
  NO_USE,
  putApiKey,
  listApiKeys as readKeys,
  readUsage,
} from "../../shared/domain/identity/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { ConditionFailedError } from "../../shared/ports/errors.ts";
import type { Write } from "../../shared/ports/record-store.ts";
import { covers } from "../../shared/runtime/access/permissions.ts";
import type { OwnRateLimit } from "../../shared/runtime/access/principal.ts";
import { readOwnUse } from "../../shared/runtime/access/rate-limit.ts";
import { audit } from "../../shared/runtime/audit/audit.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** The default reason of a revoked key. */
const NO_REASON = "No reason was given.";

/**
 * With agents:manage, a credential manages every key of the organization; otherwise, or for an agent, only itself and
 * the keys it created.
 */
function managesAll(ctx: Context): boolean {
  return ctx.viewer === undefined && covers(ctx.principal.permissions, "agents:manage");
}

function isOwn(ctx: Context, key: ApiKey): boolean {
  return key.id === ctx.principal.id || key.created_by === ctx.principal.id;
}

/** A key that the credential may read. Throws API_KEY_NOT_FOUND. */
export async function getOwnKey(ctx: Context, id: string): Promise<ApiKey> {
  const key = await findApiKey(ctx.ports.records, ctx.org, id);
  if (!key || !(managesAll(ctx) || isOwn(ctx, key))) throw notFound("api_key", id);
  return key;
}

/** A manager of keys must not lock out its own administrators: only they may change a key with all permissions. */
async function getOwnKeyToChange(ctx: Context, id: string): Promise<ApiKey> {
  const key = await getOwnKey(ctx, id);
  const isProtected = key.permissions.includes("admin:all") && !covers(ctx.principal.permissions, "admin:all");
  if (!isProtected || isOwn(ctx, key)) return key;
  throw new ServiceError("FORBIDDEN", "Only an admin can change or revoke a key with 'admin:all'.", {
    api_key_id: id,
  });
}

type Bounds = Pick<ApiKey, "rate_limit" | "expires_at">;

function isFaster({ requests_per_minute, burst_limit }: OwnRateLimit, limit: OwnRateLimit): boolean {
  return requests_per_minute > limit.requests_per_minute || burst_limit > limit.burst_limit;
}

/**
 * A credential with its own rate limit or expiry can grant only stricter ones, and an OAuth client none, because a key
 * would outlive its grant. Throws FORBIDDEN.
 */
function refuseUnbounded({ principal }: Context, { rate_limit, expires_at }: Bounds): void {
  if (principal.kind === "oauth_client") {
    throw new ServiceError("FORBIDDEN", "An OAuth client cannot create or change API keys. Sign in to do so.");
  }
  const { rateLimit, expiresAt } = principal;
  const exceeds = rateLimit !== undefined && (rate_limit === undefined || isFaster(rate_limit, rateLimit));
  const outlives = expiresAt !== undefined && (expires_at === undefined || expires_at > expiresAt);
  if (!exceeds && !outlives) return;
  throw new ServiceError(
    "FORBIDDEN",
    "A key cannot have a higher rate limit or a later expiry than the credential that creates it.",
    { rate_limit: rateLimit, expires_at: expiresAt },
  );
}

function stateOf(ctx: Context, key: ApiKey): ApiKeyState {
  if (key.status === "revoked") return "revoked";
  return key.expires_at !== undefined && Date.parse(key.expires_at) <= ctx.clock() ? "expired" : "active";
}

function present(ctx: Context, key: ApiKey, usage?: KeyUsage) {
  const status = stateOf(ctx, key);
  const revoked_reason = status === "revoked" ? (key.revoked_reason ?? NO_REASON) : undefined;
  return { ...key, status, revoked_reason, last_used: usage?.last_used ?? null };
}

export async function createApiKey(ctx: Context, { metadata = {}, ...given }: Input<typeof schemas.CreateApiKey>) {
  requireHeld(ctx.principal.permissions, given.permissions);
  if (given.expires_at !== undefined && Date.parse(given.expires_at) <= ctx.clock()) {
    throw invalid({ field: "expires_at", problem: "must be in the future" });
  }
  const { id: created_by, owner, rateLimit, expiresAt } = ctx.principal;
  const { rate_limit = rateLimit, expires_at = expiresAt } = given;
  refuseUnbounded(ctx, { rate_limit, expires_at });
  const { key, secret } = newApiKey(ctx, { ...given, rate_limit, expires_at, metadata, created_by, owner });
  const entry = { action: "api_key.created", target: key.id, details: { permissions: key.permissions } } as const;
  await storeKey(ctx, key, audit(ctx, entry));
  return { ...present(ctx, key), key: secret };
}

/** Throws AGENT_NOT_FOUND if the key's agent does not exist, and LIMIT_REACHED at the plan's limit. */
async function storeKey(ctx: Context, key: ApiKey, ...extraWrites: Write[]): Promise<void> {
  const { agent_id, org } = key;
  const writes: Write[] = [...putApiKey(key), ...extraWrites];
  if (agent_id !== undefined) writes.unshift({ check: agentKey(org, agent_id), condition: "present" });
  const refusalOf = (conflict: ConditionFailedError) =>
    agent_id !== undefined && conflict.index === 0 ? notFound("agent", agent_id) : conflict;
  await storeOwned(ctx, API_KEYS, ownerOf(ctx), writes, refusalOf);
}

export async function listApiKeys(ctx: Context, { status, ...page }: Input<typeof schemas.ListApiKeys>) {
  const listing = managesAll(ctx)
    ? await readKeys(ctx.ports.records, ctx.org, { state: status, now: timestamp(ctx.clock()) }, page)
    : await listOwnKeys(ctx, status, page);
  const usage = await readUseOf(ctx, listing.items);
  const api_keys = listing.items.map((key, index) => present(ctx, key, usage[index]));
  return { api_keys, pagination: pagination(page, listing.total, listing.hasNext) };
}

/** The requesting key itself, which is active, followed by the keys that it created. */
async function listOwnKeys(ctx: Context, state: ApiKeyState | undefined, { limit, offset }: PageRequest) {
  const { ports, org, principal } = ctx;
  const ownKey = principal.kind === "api_key" ? await findApiKey(ports.records, org, principal.id) : undefined;
  const first = ownKey && (state ?? "active") === "active" ? [ownKey] : [];
  const filter = { state, createdBy: principal.id, now: timestamp(ctx.clock()) };
  const rest = { limit, offset: Math.max(0, offset - first.length) };
  const created = await readKeys(ports.records, org, filter, rest);
  const items = [...(offset === 0 ? first : []), ...created.items];
  const hasNext = created.hasNext || items.length > limit;
  return { items: items.slice(0, limit), total: created.total + first.length, hasNext };
}

/** Use counts of keys, including this process's pending counts. */
async function readUseOf({ rollups, ports, org }: Context, keys: ApiKey[]): Promise<KeyUsage[]> {
  await rollups.flush();
  const ids = keys.map(({ id }) => id);
  return readUsage(ports.records, org, ids, NO_USE);
}

export async function getApiKey(ctx: Context, id: string) {
  const key = await getOwnKey(ctx, id);
  const [usage_stats = NO_USE] = await readUseOf(ctx, [key]);
  const shown = present(ctx, key, usage_stats);
  const { rate_limit } = key;
  const use = rate_limit && (await readOwnUse(ctx.ports.records, { ...key, rate_limit }, ctx.clock()));
  return { ...shown, rate_limit: rate_limit && use && { ...rate_limit, ...use }, usage_stats };
}

/** Changes fields of a key. Throws CONFLICT if it is revoked. */
async function changeKey(ctx: Context, key: ApiKey, change: Partial<ApiKey>, ...extraWrites: Write[]): Promise<void> {
  const revoked = () =>
    new ServiceError("CONFLICT", "The key is revoked and cannot be changed.", { api_key_id: key.id });
  await writeOrThrow(ctx, [...changeApiKey(key, change), ...extraWrites], revoked);
  ctx.authenticator.forget(key.id);
}

export async function updateApiKey(ctx: Context, id: string, change: Input<typeof schemas.UpdateApiKey>) {
  const key = await getOwnKeyToChange(ctx, id);
  requireHeld(ctx.principal.permissions, change.permissions ?? []);
  const { rateLimit, expiresAt } = ctx.principal;
  refuseUnbounded(ctx, { rate_limit: change.rate_limit ?? rateLimit, expires_at: expiresAt });
  const { permissions = key.permissions } = change;
  const details = { fields: Object.keys(change), permissions, previous_permissions: key.permissions };
  await changeKey(ctx, key, change, audit(ctx, { action: "api_key.updated", target: id, details }));
  const changed = { ...key, ...change };
  const [usage] = await readUseOf(ctx, [changed]);
  return present(ctx, changed, usage);
}

function revocation(ctx: Context, reason: string) {
  return { status: "revoked" as const, revoked_at: timestamp(ctx.clock()), revoked_reason: reason };
}

/** Revoking again returns the first revocation. */
export async function revokeApiKey(ctx: Context, id: string, reason = NO_REASON) {
  const key = await getOwnKeyToChange(ctx, id);
  const change = key.status === "revoked" ? key : revocation(ctx, reason);
  if (change !== key) await changeKey(ctx, key, change, audit(ctx, { action: "api_key.revoked", target: id }));
  const { revoked_at = key.created_at, revoked_reason = NO_REASON } = change;
  return { id, status: "revoked" as const, revoked_at, revoked_reason };
}

/**
 * Revokes a key and creates another one with the same permissions in one transaction. Its responsible user is the one
 * who receives the secret. Throws CONFLICT if the key changed meanwhile, so that removed permissions do not return.
 */
export async function rotateApiKey(ctx: Context, id: string, change: Input<typeof schemas.RotateApiKey>) {
  const old = await getOwnKey(ctx, id);
  if (stateOf(ctx, old) !== "active") {
    throw new ServiceError("CONFLICT", "Only an active key can be rotated. Create a new one.", { api_key_id: id });
  }
  requireHeld(ctx.principal.permissions, old.permissions);
  refuseUnbounded(ctx, old);
  const { name, description, permissions, rate_limit, expires_at, metadata } = { ...old, ...change };
  const { created_by, agent_id } = old;
  const owner = ctx.principal.owner ?? old.owner;
  const rights = { permissions, rate_limit, expires_at, created_by, owner, agent_id };
  const { key, secret } = newApiKey(ctx, { name, description, metadata, ...rights });
  const revoked = revocation(ctx, "rotated");
  const rotated = { action: "api_key.rotated", target: id, details: { new_key: key.id } } as const;
  const writes = [...changeApiKey(old, revoked, { seen: true }), ...putApiKey(key), audit(ctx, rotated)];
  const changed = () =>
    new ServiceError("CONFLICT", "The key was changed or revoked. Read it, then try again.", { api_key_id: id });
  await writeOrThrow(ctx, writes, changed);
  ctx.authenticator.forget(id);
  return {
    old_key: { id, status: "revoked" as const, revoked_at: revoked.revoked_at },
    new_key: { id: key.id, name, key: secret, prefix: key.prefix, created_at: key.created_at },
  };
}
