import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import { authorizationUrlOf, redeemCode } from "../../shared/domain/knowledge/connections/authorization.ts";
import {
  type Connection,
  type ConnectionSync,
  type FailedDocument,
  isProvider,
  NONE_PUSHED,
  PROVIDERS,
  type ProviderName,
} from "../../shared/domain/knowledge/connections/connection.ts";
import { requireOwnClient } from "../../shared/domain/knowledge/connections/own-client.ts";
import {
  CONNECTIONS,
  putConnection,
  listConnections as readConnections,
  replaceConnection,
  replaceSync,
  toSyncRecord,
} from "../../shared/domain/knowledge/connections/records.ts";
import { removeNow } from "../../shared/domain/knowledge/connections/remove.ts";
import { openSecrets, sealSecrets } from "../../shared/domain/knowledge/connections/secrets.ts";
import {
  type ConnectionSecrets,
  changesSecretDestination,
  hasCredentials,
  intervalOf,
  readConfig,
  redactedConfig,
} from "../../shared/domain/knowledge/connections/settings.ts";
import {
  getConnection,
  getWithSync,
  nextSync,
  type SyncJob,
} from "../../shared/domain/knowledge/connections/sync-jobs.ts";
import { synchronizeNow } from "../../shared/domain/knowledge/connections/synchronize-now.ts";
import { ingest } from "../../shared/domain/knowledge/sources/ingest.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import { StaleJobError } from "../../shared/ports/errors.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import { CredentialsRefusedError, ProviderError } from "../../shared/ports/provider-faults.ts";
import type { Write } from "../../shared/ports/record-store.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { checkUrl } from "../../shared/runtime/fetching/targets.ts";
import { dropJob, insertJob } from "../../shared/runtime/jobs/records.ts";
import { validate } from "../../shared/runtime/schemas/validate.ts";
import * as schemas from "./schemas.ts";

/** Time limit for a sync within a request, well below its 29 seconds; the worker does the rest. */
const IN_REQUEST_MS = 8_000;
const CONCURRENCY = 4;

function present(ctx: Context, connection: Connection, client_id?: string) {
  const { id, provider, user_id, status, config, secret_names, last_sync, last_sync_at, ...times } = connection;
  const { created_at, updated_at } = times;
  const authorization_url = status === "oauth_required" ? authorizationUrlOf(ctx, connection, client_id) : undefined;
  return {
    id,
    provider,
    user_id: user_id ?? null,
    status,
    config: redactedConfig(config, secret_names),
    ...(authorization_url !== undefined && { authorization_url }),
    ...(last_sync && { last_sync }),
    last_sync_at: last_sync_at ?? null,
    created_at,
    updated_at,
  };
}

function getProvider(name: string): ProviderName {
  if (isProvider(name)) return name;
  throw new ServiceError("PROVIDER_NOT_FOUND", `There is no provider '${name}'. Use one of: ${PROVIDERS.join(", ")}.`, {
    provider: name,
    providers: PROVIDERS,
  });
}

export async function createConnection(
  ctx: Context,
  providerName: string,
  { connection_id, ...given }: Input<typeof schemas.CreateConnection>,
) {
  const provider = getProvider(providerName);
  if (connection_id !== undefined) return giveCredentials(ctx, connection_id, provider, given);
  const { plain, secrets } = readConfig(ctx.config, provider, given.config);
  refusePrivate(ctx, plain);
  requireOwnClient(ctx.config, { provider, config: plain }, secrets);
  const now = timestamp(ctx.clock());
  const draft = { id: ctx.ids("connection"), org: ctx.org, provider, config: plain };
  const redeemed = await redeemCode(withDeadline(ctx), draft, secrets);
  const connection: Connection = {
    ...draft,
    ...(await sealSecrets(ctx, draft, redeemed)),
    ...(given.user_id !== undefined && { user_id: given.user_id }),
    status: hasCredentials(provider, redeemed) ? "active" : "oauth_required",
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    revision: 1,
  };
  const first = firstSync(ctx, connection, { org: ctx.org, connection_id: draft.id, run: 0 });
  const sync: Write = { put: toSyncRecord(first.sync), condition: "absent" };
  await storeOwned(ctx, CONNECTIONS, ownerOf(ctx), [putConnection(connection, "absent"), sync, ...first.writes]);
  return present(ctx, connection, redeemed.client_id);
}

function withDeadline(ctx: Context): Context & { deadline: number } {
  return { ...ctx, deadline: ctx.clock() + IN_REQUEST_MS };
}

/** Refuses a URL whose text is not allowed; the addresses of its host are checked when it is requested. */
function refusePrivate({ config }: Context, plain: JsonObject): void {
  for (const name of ["base_url", "url", "sitemap_url", "token_url", "authorize_url"]) {
    const address = plain[name];
    if (typeof address === "string") checkUrl(address, config);
  }
}

/** Schedules the first sync, which the sweep starts soon, if the connection has a sync interval. */
function firstSync(
  ctx: Context,
  connection: Connection,
  sync: ConnectionSync,
): { sync: ConnectionSync; writes: Write[] } {
  const isAutomatic = connection.status === "active" && intervalOf(connection.config) !== undefined;
  if (!isAutomatic) return { sync, writes: [] };
  const next = nextSync(ctx, connection, sync);
  return { sync: next.sync, writes: [insertJob(next.job)] };
}

/** Given settings replace the stored ones; absent secrets are kept, unless they would be sent to another host. */
async function giveCredentials(
  ctx: Context,
  id: string,
  provider: ProviderName,
  { config, user_id }: Omit<Input<typeof schemas.CreateConnection>, "connection_id">,
) {
  const { connection: before, sync } = await getWithSync(ctx, id);
  if (before.provider !== provider) throw notFound("connection", id);
  const { plain, secrets: given } = readConfig(ctx.config, provider, { ...before.config, ...config });
  refusePrivate(ctx, plain);
  const kept: ConnectionSecrets = changesSecretDestination(provider, before.config, plain)
    ? {}
    : await openSecrets(ctx, before);
  requireOwnClient(ctx.config, { provider, config: plain }, { ...kept, ...given });
  const secrets = await redeemCode(withDeadline(ctx), { ...before, config: plain }, { ...kept, ...given });
  const { sealed: _sealed, ...rest } = before;
  const after: Connection = {
    ...rest,
    ...(await sealSecrets(ctx, before, secrets)),
    ...(user_id !== undefined && { user_id }),
    config: plain,
    status: hasCredentials(provider, secrets) ? "active" : "oauth_required",
    updated_at: timestamp(ctx.clock()),
  };
  // A sync with other settings or credentials cannot continue at the former cursor.
  const { cursor: _cursor, sync_id, ...restarted } = sync;
  // A worker that syncs with the old credentials is stopped.
  const stopped = sync_id === undefined ? [] : [dropJob({ org: ctx.org, id: sync_id })];
  const first = firstSync(ctx, after, restarted);
  const writes = [replaceConnection(before, after), replaceSync(sync, first.sync), ...stopped, ...first.writes];
  await writeOrThrow(
    ctx,
    writes,
    () => new ServiceError("CONFLICT", "The connection has changed. Try again.", { connection_id: id }),
  );
  return present(ctx, after, secrets.client_id);
}

export async function listConnections(ctx: Context, { user_id, ...page }: Input<typeof schemas.ListConnections>) {
  const { items: connections, total, hasNext } = await readConnections(ctx.ports.records, ctx.org, { user_id }, page);
  return {
    connections: await Promise.all(
      connections.map(async (connection) => present(ctx, connection, await clientIdFor(ctx, connection))),
    ),
    pagination: pagination(page, total, hasNext),
  };
}

/** The connection's own client id, if it still needs authorization. */
async function clientIdFor(ctx: Context, connection: Connection): Promise<string | undefined> {
  if (connection.status !== "oauth_required" || !connection.secret_names.includes("client_id")) return undefined;
  return (await openSecrets(ctx, connection)).client_id;
}

export async function syncConnection(ctx: Context, id: string, { documents }: Input<typeof schemas.SyncConnection>) {
  const connection = await getConnection(ctx, id);
  if (documents) return pushDocuments(ctx, connection, documents);
  if (connection.status === "oauth_required") throw await credentialsRejected(ctx, connection);
  const { job, fault } = await synchronizeNow(ctx, id, { openBucket: ctx.openBucket, turnMs: IN_REQUEST_MS });
  if (fault instanceof CredentialsRefusedError) throw await credentialsRejected(ctx, connection);
  if (fault instanceof ProviderError) {
    throw new ServiceError("FETCH_FAILED", `The sync failed: ${fault.message}`, { connection_id: id });
  }
  if (fault !== undefined && !(fault instanceof StaleJobError)) throw fault;
  return presentSync(id, job);
}

function presentSync(connection_id: string, { state, checkpoint }: SyncJob) {
  const { failed: _failed, ...counts } = checkpoint.counts;
  return {
    connection_id,
    status: state === "completed" ? state : ("running" as const),
    ...counts,
    failed: checkpoint.failures,
  };
}

async function credentialsRejected(ctx: Context, connection: Connection): Promise<ServiceError> {
  const authorization_url = authorizationUrlOf(
    ctx,
    connection,
    await clientIdFor(ctx, { ...connection, status: "oauth_required" }),
  );
  return new ServiceError(
    "CONFLICT",
    `The provider rejected the credentials. Send new ones to POST /connections/${connection.provider} with this connection_id.`,
    {
      connection_id: connection.id,
      status: "oauth_required",
      ...(authorization_url !== undefined && { authorization_url }),
    },
  );
}

async function pushDocuments(ctx: Context, connection: Connection, documents: unknown[]) {
  const counts = { ...NONE_PUSHED };
  const outcomes = await inParallel(documents, CONCURRENCY, (document, index) =>
    pushOne(ctx, connection, document, index),
  );
  const failed: FailedDocument[] = [];
  for (const outcome of outcomes) {
    if (typeof outcome !== "string") failed.push(outcome);
    else if (outcome === "unchanged") counts.skipped++;
    else counts[`sources_${outcome}`]++;
  }
  return { connection_id: connection.id, status: "completed" as const, ...counts, failed };
}

async function pushOne(ctx: Context, connection: Connection, document: unknown, index: number) {
  const named = externalIdIn(document);
  try {
    const { content, ...labels } = validate(schemas.PushedDocument, document);
    const { id: connection_id, provider, user_id } = connection;
    const origin = { type: provider, provider, connection_id, user_id, created_by: ctx.principal.id };
    const { source, outcome } = await ingest(ctx, { ...labels, ...origin, content: { text: content } });
    if (source.status !== "failed") return outcome;
    return { index, ...named, code: "UNREADABLE", reason: source.error ?? "The file cannot be read." };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { index, ...named, code: error.code, reason: error.message };
  }
}

function externalIdIn(document: unknown): Pick<FailedDocument, "external_id"> {
  const isNamed = typeof document === "object" && document !== null && "external_id" in document;
  return isNamed && typeof document.external_id === "string" ? { external_id: document.external_id.slice(0, 256) } : {};
}

export async function deleteConnection(
  ctx: Context,
  id: string,
  { delete_documents }: Input<typeof schemas.DeleteConnection>,
) {
  const { sources_deleted, looks } = await removeNow(ctx, id, delete_documents, IN_REQUEST_MS);
  const status = looks > 0 ? ("completed" as const) : ("running" as const);
  return { connection_id: id, deleted: true as const, status, sources_deleted };
}
