import type * as z from "zod";
import { authorizationUrlOf, redeemCode } from "../../shared/connections/authorization.ts";
import {
  type Connection,
  type ConnectionSync,
  type FailedDocument,
  isProvider,
  PROVIDERS,
  type ProviderName,
} from "../../shared/connections/connection.ts";
import { requireOwnClient } from "../../shared/connections/own-client.ts";
import { CredentialsRefused, ProviderFailed } from "../../shared/connections/providers/faults.ts";
import type { OpenBucket } from "../../shared/connections/providers/provider.ts";
import {
  putConnection,
  listConnections as readConnections,
  replaceConnection,
  replaceSync,
  toSyncRecord,
} from "../../shared/connections/records.ts";
import { removeNow } from "../../shared/connections/remove.ts";
import { openSecrets, sealSecrets } from "../../shared/connections/secrets.ts";
import {
  type ConnectionSecrets,
  hasCredentials,
  intervalOf,
  leadsElsewhere,
  readConfig,
  redactedConfig,
} from "../../shared/connections/settings.ts";
import { getConnection, getWithSync, nextSync, type SyncJob } from "../../shared/connections/sync-jobs.ts";
import { synchronizeNow } from "../../shared/connections/synchronize-now.ts";
import { checkUrl } from "../../shared/fetching/targets.ts";
import { validate } from "../../shared/http/request.ts";
import { dropJob, insertJob } from "../../shared/jobs/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Context } from "../../shared/platform/context.ts";
import { Superseded } from "../../shared/platform/errors.ts";
import type { JsonObject, Write } from "../../shared/platform/ports.ts";
import { writeUnlessChanged } from "../../shared/platform/unless-changed.ts";
import { ingest } from "../../shared/sources/ingest.ts";
import * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** How long a request goes on before it leaves the rest to the worker: well within the 29 seconds that it may take. */
const IN_REQUEST_MS = 8_000;
const WIDTH = 4;

// ---------------------------------------------------------------- making, listing

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
  const redeemed = await redeemCode(inTime(ctx), draft, secrets);
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
  await ctx.ports.records.write(putConnection(connection, "absent"), sync, ...first.writes);
  return present(ctx, connection, redeemed.client_id);
}

function inTime(ctx: Context): Context & { deadline: number } {
  return { ...ctx, deadline: ctx.clock() + IN_REQUEST_MS };
}

/** An address that is out of bounds by its form alone is told at once; what its name stands for is seen when it is asked. */
function refusePrivate({ config }: Context, plain: JsonObject): void {
  for (const name of ["base_url", "url", "sitemap_url", "token_url", "authorize_url"]) {
    const address = plain[name];
    if (typeof address === "string") checkUrl(address, config);
  }
}

/** The sweep brings what is there before long; after that, what is new as often as the settings say. */
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

/** Settings that are given replace those there were; secrets that are not given stay, unless they would go elsewhere. */
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
  const kept: ConnectionSecrets = leadsElsewhere(provider, before.config, plain) ? {} : await openSecrets(ctx, before);
  requireOwnClient(ctx.config, { provider, config: plain }, { ...kept, ...given });
  const secrets = await redeemCode(inTime(ctx), { ...before, config: plain }, { ...kept, ...given });
  const { sealed: _sealed, ...rest } = before;
  const after: Connection = {
    ...rest,
    ...(await sealSecrets(ctx, before, secrets)),
    ...(user_id !== undefined && { user_id }),
    config: plain,
    status: hasCredentials(provider, secrets) ? "active" : "oauth_required",
    updated_at: timestamp(ctx.clock()),
  };
  // What was listed under other settings or as somebody else says nothing of what there is now.
  const { cursor: _cursor, sync_id, ...anew } = sync;
  // A worker that synchronizes with the old credentials is stopped.
  const stopped = sync_id === undefined ? [] : [dropJob({ org: ctx.org, id: sync_id })];
  const first = firstSync(ctx, after, anew);
  const writes = [replaceConnection(before, after), replaceSync(sync, first.sync), ...stopped, ...first.writes];
  if (!(await writeUnlessChanged(ctx, ...writes))) {
    throw new ServiceError("CONFLICT", "The connection changed in between. Try again.", { connection_id: id });
  }
  return present(ctx, after, secrets.client_id);
}

export async function listConnections(ctx: Context, { user_id, ...page }: Input<typeof schemas.ListConnections>) {
  const { connections, total, hasNext } = await readConnections(ctx.ports.records, ctx.org, { user_id }, page);
  return {
    connections: await Promise.all(connections.map(async (each) => present(ctx, each, await clientIn(ctx, each)))),
    pagination: pagination(page, total, hasNext),
  };
}

/** The client id that a connection brought along, where it is still to be given leave by. */
async function clientIn(ctx: Context, connection: Connection): Promise<string | undefined> {
  if (connection.status !== "oauth_required" || !connection.secret_names.includes("client_id")) return undefined;
  return (await openSecrets(ctx, connection)).client_id;
}

// ---------------------------------------------------------------- synchronizing

export async function syncConnection(
  ctx: Context,
  id: string,
  { documents }: Input<typeof schemas.SyncConnection>,
  openBucket: OpenBucket,
) {
  const connection = await getConnection(ctx, id);
  if (documents) return pushDocuments(ctx, connection, documents);
  if (connection.status === "oauth_required") throw await withoutCredentials(ctx, connection);
  const { job, fault } = await synchronizeNow(ctx, id, { openBucket, turnMs: IN_REQUEST_MS });
  if (fault instanceof CredentialsRefused) throw await withoutCredentials(ctx, connection);
  if (fault instanceof ProviderFailed) {
    throw new ServiceError("FETCH_FAILED", `The synchronization broke off: ${fault.message}`, { connection_id: id });
  }
  if (fault !== undefined && !(fault instanceof Superseded)) throw fault;
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

async function withoutCredentials(ctx: Context, connection: Connection): Promise<ServiceError> {
  const authorization_url = authorizationUrlOf(
    ctx,
    connection,
    await clientIn(ctx, { ...connection, status: "oauth_required" }),
  );
  return new ServiceError(
    "CONFLICT",
    `The provider wants (other) credentials. Send them to POST /connections/${connection.provider} with this connection_id.`,
    {
      connection_id: connection.id,
      status: "oauth_required",
      ...(authorization_url !== undefined && { authorization_url }),
    },
  );
}

async function pushDocuments(ctx: Context, connection: Connection, documents: unknown[]) {
  const counts = { sources_created: 0, sources_updated: 0, sources_removed: 0, skipped: 0 };
  const outcomes = await inParallel(documents, WIDTH, (document, index) => pushOne(ctx, connection, document, index));
  const failed: FailedDocument[] = [];
  for (const outcome of outcomes) {
    if (typeof outcome !== "string") failed.push(outcome);
    else if (outcome === "unchanged") counts.skipped++;
    else counts[`sources_${outcome}`]++;
  }
  return { connection_id: connection.id, status: "completed" as const, ...counts, failed };
}

async function pushOne(ctx: Context, connection: Connection, document: unknown, index: number) {
  const pushed = nameIn(document);
  try {
    const { content, title, external_id, url, metadata } = validate(schemas.PushedDocument, document);
    const { source, outcome } = await ingest(ctx, {
      type: connection.provider,
      provider: connection.provider,
      connection_id: connection.id,
      created_by: ctx.principal.id,
      content: { text: content },
      ...(connection.user_id !== undefined && { user_id: connection.user_id }),
      ...(title !== undefined && { title }),
      ...(external_id !== undefined && { external_id }),
      ...(url !== undefined && { url }),
      ...(metadata !== undefined && { metadata }),
    });
    if (source.status !== "failed") return outcome;
    return { index, ...pushed, code: "UNREADABLE", reason: source.error ?? "It cannot be read." };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { index, ...pushed, code: error.code, reason: error.message };
  }
}

function nameIn(document: unknown): Pick<FailedDocument, "external_id"> {
  const isNamed = typeof document === "object" && document !== null && "external_id" in document;
  return isNamed && typeof document.external_id === "string" ? { external_id: document.external_id.slice(0, 256) } : {};
}

// ---------------------------------------------------------------- deleting

export async function deleteConnection(
  ctx: Context,
  id: string,
  { delete_documents }: Input<typeof schemas.DeleteConnection>,
) {
  const { sources_deleted, looks } = await removeNow(ctx, id, delete_documents, IN_REQUEST_MS);
  const status = looks > 0 ? ("completed" as const) : ("running" as const);
  return { connection_id: id, deleted: true as const, status, sources_deleted };
}
