import { timestamp } from "../../../kernel/clock.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { inBatches, inParallel } from "../../../kernel/parallel.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { RecordTooLargeError, StaleJobError } from "../../../ports/errors.ts";
import type { OpenBucket } from "../../../ports/foreign-bucket.ts";
import type { Json } from "../../../ports/json.ts";
import { CredentialsRefusedError, ProviderError, RetryLaterError } from "../../../ports/provider-faults.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobEnd, JobHandler, JobReached, JobTurn, JobWrites } from "../../../runtime/jobs/handler.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { deleteSourceIfExists } from "../sources/delete.ts";
import { UnreadableError } from "../sources/extraction/unreadable.ts";
import { ingest } from "../sources/ingest.ts";
import { renewTokens } from "./authorization.ts";
import type {
  Connection,
  ConnectionSync,
  FailedDocument,
  FoundDocument,
  KnownDocument,
  LastSync,
  SyncCheckpoint,
  SyncCounts,
} from "./connection.ts";
import { SYNC_CONNECTION_JOB } from "./job-kinds.ts";
import { openSession } from "./open.ts";
import { tokenIn } from "./own-client.ts";
import type { ProviderSession, ReadDocument } from "./providers/provider.ts";
import { createProviderFetch, pauseUntil } from "./providers/requests.ts";
import {
  findConnection,
  findDocuments,
  findSync,
  listDocuments,
  putDocument,
  removeDocument,
  replaceSecrets,
  replaceSync,
  updateSyncState,
} from "./records.ts";
import { openSecrets, sealSecrets } from "./secrets.ts";
import { type ConnectionSecrets, intervalOf } from "./settings.ts";
import { nextSync } from "./sync-jobs.ts";

/** Documents read concurrently, and between two checkpoints. */
const CONCURRENCY = 4;
const BATCH = 8;
const WRITES = 100;
/** Maximum attachments per document; further ones are left out. */
const MAX_ATTACHMENTS = 100;
const MAX_REPORTED_FAILURES = 100;
/** Size of all failures together as JSON, because providers' names may be long. */
const MAX_FAILURES_BYTES = 100 * 1024;
/** This many consecutive documents that cannot be fetched count as a failure of the provider. */
const MAX_CONSECUTIVE_FAILURES = 5;
/** Wait after the first failed run; it doubles with each further one, up to the maximum. */
const FIRST_RETRY_MS = 20 * 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;

/** Options of a sync. */
export interface SyncOptions {
  openBucket: OpenBucket;
  /** Milliseconds after which nothing new starts. */
  turnMs: number;
}

/** Syncs a connection and schedules the next run. Needs the ports records, blobs, queue, models and secrets. */
export function syncConnection(options: SyncOptions): JobHandler<"sync_connection"> {
  return {
    job: SYNC_CONNECTION_JOB,
    async step(runtime, turn) {
      const { id, org, input } = turn.job;
      const { records } = runtime.ports;
      const connection = await findConnection(records, org, input.connection_id);
      const sync = await findSync(records, org, input.connection_id);
      if (!connection || sync?.sync_id !== id) return { end: "cancelled" };
      return new Synchronization(runtime, { connection, sync }, turn, options).run();
    },
    onFailed,
    isPermanent: (error) => error instanceof CredentialsRefusedError,
    isOutside: isReportable,
  };
}

/** Schedules another run after a wait, unless other credentials are needed. */
async function onFailed(runtime: OrgRuntime, job: Job<"sync_connection">, error: unknown): Promise<JobWrites> {
  const { connection_id, failed_runs } = job.input;
  const connection = await findConnection(runtime.ports.records, runtime.org, connection_id);
  const before = await findSync(runtime.ports.records, runtime.org, connection_id);
  if (!connection || !before) return {};
  const last_sync = failureOfRun(runtime, job, error);
  if (error instanceof CredentialsRefusedError) {
    return { writes: [updateSyncState(connection, { status: "oauth_required", last_sync })] };
  }
  const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failed_runs);
  const next = nextSync(runtime, connection, before, { delayMs, failed_runs: failed_runs + 1 });
  return { writes: [updateSyncState(connection, { last_sync }), replaceSync(before, next.sync), insertJob(next.job)] };
}

function isReportable(error: unknown): error is Error {
  return error instanceof ProviderError || error instanceof ServiceError || error instanceof CredentialsRefusedError;
}

function failureOfRun({ clock }: OrgRuntime, job: Job<"sync_connection">, fault: unknown): LastSync {
  const error = isReportable(fault) ? fault.message : "The sync failed inside the service; see its log.";
  return summaryOf(job, job.checkpoint, { status: "failed", finished_at: timestamp(clock()), error });
}

/** The summary of a run for clients. */
function summaryOf(
  { started_at, submitted_at }: Job<"sync_connection">,
  { counts }: SyncCheckpoint,
  end: Omit<LastSync, keyof SyncCounts | "started_at">,
): LastSync {
  return { ...end, started_at: started_at ?? submitted_at, ...counts };
}

/** A worker's turn on a sync. */
class Synchronization {
  readonly #runtime: OrgRuntime;
  readonly #connection: Connection;
  readonly #sync: ConnectionSync;
  readonly #turn: JobTurn<"sync_connection">;
  readonly #openBucket: OpenBucket;
  /** Epoch milliseconds after which nothing new starts. */
  readonly #deadline: number;
  #state: SyncCheckpoint;
  /** The cursor for the next run. */
  #cursor: Json | undefined;
  #session: Promise<ProviderSession> | undefined;
  /** Started once per turn when the credentials are refused. */
  #renewing: Promise<ConnectionSecrets> | undefined;
  #consecutiveFailures = 0;

  constructor(
    runtime: OrgRuntime,
    { connection, sync }: { connection: Connection; sync: ConnectionSync },
    turn: JobTurn<"sync_connection">,
    { openBucket, turnMs }: SyncOptions,
  ) {
    const { checkpoint } = turn.job;
    this.#runtime = runtime;
    this.#connection = connection;
    this.#sync = sync;
    this.#turn = turn;
    this.#openBucket = openBucket;
    this.#deadline = runtime.clock() + turnMs;
    this.#state = { ...checkpoint, counts: { ...checkpoint.counts } };
    this.#cursor = sync.cursor;
  }

  get #run(): number {
    return this.#turn.job.input.run;
  }

  async run(): Promise<JobReached<"sync_connection"> | JobEnd<"sync_connection">> {
    try {
      await this.#importChanges();
      return this.#completed();
    } catch (error) {
      if (error instanceof RetryLaterError) return this.#postponed(error.until);
      if (!(error instanceof StaleJobError)) await this.#saveFailure(error);
      throw error;
    }
  }

  async #importChanges(): Promise<void> {
    if (!this.#state.has_retried) await this.#retryFailed();
    const { cursor } = this.#sync;
    for (;;) {
      const { place } = this.#state;
      const listing = await this.#callProvider((session) => session.list({ cursor, place }));
      await this.#importAll(listing.found);
      await this.#deleteAll(listing.gone ?? []);
      if (listing.next === undefined) {
        if (listing.isInventory) await this.#deleteUnlisted();
        this.#cursor = listing.cursor ?? cursor;
        return;
      }
      this.#state.place = listing.next;
      await this.#saveCheckpoint();
      this.#requireTime();
    }
  }

  #completed(): JobEnd<"sync_connection"> {
    const now = timestamp(this.#runtime.clock());
    const interval = intervalOf(this.#connection.config);
    const before = { ...this.#sync, cursor: this.#cursor };
    const next =
      interval === undefined ? undefined : nextSync(this.#runtime, this.#connection, before, { delayMs: interval });
    const last_sync = this.#summary({ status: "completed", finished_at: now });
    const { org, id, provider } = this.#connection;
    this.#runtime.logger.info("CONNECTION_SYNCHRONIZED", { org, connection: id, provider, ...this.#state.counts });
    const writes = [
      updateSyncState(this.#connection, { last_sync, last_sync_at: now }),
      replaceSync(this.#sync, next?.sync ?? before),
      ...(next ? [insertJob(next.job)] : []),
    ];
    return { end: "completed", checkpoint: this.#state, writes };
  }

  #postponed(until: number): JobReached<"sync_connection"> {
    const delayMs = Math.max(0, until - this.#runtime.clock());
    const last_sync = this.#summary({ status: "running" });
    return { checkpoint: this.#state, delayMs, writes: [updateSyncState(this.#connection, { last_sync })] };
  }

  /** Drops a position that does not fit a record: the listing restarts instead of failing forever without a report. */
  async #saveFailure(error: unknown): Promise<void> {
    const { job } = this.#turn;
    const last_sync = failureOfRun(this.#runtime, { ...job, checkpoint: this.#state }, error);
    const writes = [updateSyncState(this.#connection, { last_sync })];
    try {
      await this.#turn.note({ checkpoint: this.#state, writes });
    } catch (fault) {
      if (!(fault instanceof RecordTooLargeError)) throw fault;
      const { place: _place, ...withoutPlace } = this.#state;
      await this.#turn.note({ checkpoint: withoutPlace, writes });
    }
  }

  #summary(end: Omit<LastSync, keyof SyncCounts | "started_at">): LastSync {
    return summaryOf(this.#turn.job, this.#state, end);
  }

  async #saveCheckpoint(): Promise<void> {
    await this.#turn.save({ checkpoint: { ...this.#state, counts: { ...this.#state.counts } } });
  }

  #requireTime(): void {
    const now = this.#runtime.clock();
    if (this.#turn.isOver() || now >= this.#deadline) throw new RetryLaterError(now);
  }

  // -------------------------------------------------------------- the provider

  /** Calls the provider, and again with renewed credentials if they are refused. */
  async #callProvider<T>(request: (session: ProviderSession) => Promise<T>): Promise<T> {
    this.#session ??= this.#open();
    const session = this.#session;
    try {
      return await request(await session);
    } catch (error) {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      const hasRenewed = this.#renewing !== undefined && this.#session === session;
      if (hasRenewed) throw error;
      if (this.#session === session) this.#session = this.#renew().then((secrets) => this.#openWith(secrets));
      return request(await this.#session);
    }
  }

  async #open(): Promise<ProviderSession> {
    const secrets = await openSecrets(this.#runtime, this.#connection);
    const isExpired = secrets.access_token === undefined && secrets.refresh_token !== undefined;
    return this.#openWith(isExpired ? await this.#renew() : secrets);
  }

  #openWith(secrets: ConnectionSecrets): Promise<ProviderSession> {
    const { clock, config, ports } = this.#runtime;
    const turn = { config, clock, deadline: this.#deadline };
    const tools = {
      org: this.#runtime.org,
      fetch: createProviderFetch(turn, { secrets: tokenIn(config, this.#connection, secrets) }),
      fetchWithoutToken: createProviderFetch(turn),
      known: (ids: string[]) => findDocuments(ports.records, this.#connection, ids),
      pause: (milliseconds: number) => pauseUntil(turn, clock() + milliseconds),
      openBucket: this.#openBucket,
    };
    return openSession(this.#connection, secrets, tools, clock);
  }

  #renew(): Promise<ConnectionSecrets> {
    this.#renewing ??= this.#renewOnce();
    return this.#renewing;
  }

  async #renewOnce(): Promise<ConnectionSecrets> {
    const current = await openSecrets(this.#runtime, this.#connection);
    const secrets = await renewTokens({ ...this.#runtime, deadline: this.#deadline }, this.#connection, current);
    const sealed = await sealSecrets(this.#runtime, this.#connection, secrets);
    // If refused, the credentials were changed meanwhile; the change takes effect in the next turn.
    await tryWrite(this.#runtime, replaceSecrets(this.#connection, sealed));
    return secrets;
  }

  // -------------------------------------------------------------- documents

  async #retryFailed(): Promise<void> {
    const { records } = this.#runtime.ports;
    for await (const failed of listDocuments(records, this.#connection, { has_failed: true })) {
      await this.#importAll(failed);
    }
    this.#state.has_retried = true;
    await this.#saveCheckpoint();
  }

  /**
   * Imports new and changed documents, at least some, so that each turn makes progress; documents that this run already
   * imported before an interruption are skipped.
   */
  async #importAll(found: FoundDocument[]): Promise<void> {
    const ids = found.map(({ external_id }) => external_id);
    const known = await findDocuments(this.#runtime.ports.records, this.#connection, ids);
    const others = await this.#skipUnchanged(found, known);
    for (const [index, batch] of inBatches(others, BATCH).entries()) {
      if (index > 0) this.#requireTime();
      await this.#importBatch(batch, known);
      await this.#saveCheckpoint();
    }
  }

  /** Marks unchanged documents as seen; returns those that this run has not imported yet. */
  async #skipUnchanged(found: FoundDocument[], known: Map<string, KnownDocument>): Promise<FoundDocument[]> {
    const due = found.filter(({ external_id }) => known.get(external_id)?.seen !== this.#run);
    const isUnchanged = ({ external_id, version }: FoundDocument) => {
      const before = known.get(external_id);
      return before?.version === version && !before.has_failed;
    };
    const unchanged = due.filter(isUnchanged);
    await this.#markSeen(unchanged.flatMap(({ external_id }) => known.get(external_id) ?? []));
    this.#state.counts.skipped += unchanged.length;
    return due.filter((document) => !isUnchanged(document));
  }

  /** Waits for the whole batch even if a document fails, so that nothing runs in parallel with the next step. */
  async #importBatch(batch: FoundDocument[], known: Map<string, KnownDocument>): Promise<void> {
    const faults: unknown[] = [];
    await inParallel(batch, CONCURRENCY, async (document) => {
      if (faults.length > 0) return;
      await this.#import(document, known.get(document.external_id)).catch((error: unknown) => faults.push(error));
    });
    if (faults.length > 0) throw faults[0];
  }

  async #markSeen(documents: KnownDocument[]): Promise<void> {
    const writes = documents.map((document) => putDocument({ ...document, seen: this.#run }));
    for (const batch of inBatches(writes, WRITES)) await this.#runtime.ports.records.write(...batch);
    const attached = documents.flatMap(attachmentsOf);
    if (attached.length === 0) return;
    const known = await findDocuments(this.#runtime.ports.records, this.#connection, attached);
    await this.#markSeen([...known.values()]);
  }

  async #import(found: FoundDocument, before: KnownDocument | undefined): Promise<void> {
    try {
      const read = await this.#callProvider((session) => session.read(found));
      this.#consecutiveFailures = 0;
      if (read === "gone") return await this.#delete(before);
      if (read === "no_text") return await this.#skipWithoutText(found, before);
      const attached = attachedTo(found, read.attachments ?? []);
      await this.#importAttachments(attached, before);
      await this.#ingest(withAttachments(found, attached), read);
    } catch (error) {
      const failure = failureOf(found, error);
      const isProviderFailure =
        error instanceof ProviderError && ++this.#consecutiveFailures >= MAX_CONSECUTIVE_FAILURES;
      if (!failure || isProviderFailure) throw error;
      this.#reportFailure(failure);
      await this.#saveDocument(found, { has_failed: true, source_id: before?.source_id });
    }
  }

  /** One by one, because documents are imported in parallel; before the document is saved, so that none is missed. */
  async #importAttachments(attached: FoundDocument[], before: KnownDocument | undefined): Promise<void> {
    const ids = attached.map(({ external_id }) => external_id);
    if (ids.length > 0) {
      const known = await findDocuments(this.#runtime.ports.records, this.#connection, ids);
      for (const document of await this.#skipUnchanged(attached, known)) {
        await this.#import(document, known.get(document.external_id));
      }
    }
    const earlier = before === undefined ? [] : attachmentsOf(before);
    await this.#deleteAll(earlier.filter((id) => !ids.includes(id)));
  }

  async #ingest(found: FoundDocument, { attachments: _attached, ...read }: ReadDocument): Promise<void> {
    const { id: connection_id, provider, user_id, created_by } = this.#connection;
    const { source, outcome } = await ingest(this.#runtime, {
      type: provider === "web_crawler" ? "web" : provider,
      provider,
      connection_id,
      created_by,
      user_id,
      external_id: found.external_id,
      ...read,
    });
    await this.#saveDocument(found, { has_failed: false, source_id: source.id });
    const { counts } = this.#state;
    if (source.status === "failed") {
      this.#reportFailure({ ...named(found), code: "UNREADABLE", reason: source.error ?? "The file cannot be read." });
    } else if (outcome === "created") counts.sources_created++;
    else if (outcome === "updated") counts.sources_updated++;
    else counts.skipped++;
  }

  async #skipWithoutText(found: FoundDocument, before: KnownDocument | undefined): Promise<void> {
    if (before?.source_id !== undefined) await deleteSourceIfExists(this.#runtime, before.source_id);
    await this.#saveDocument(found, { has_failed: false, source_id: undefined });
    this.#state.counts.skipped++;
  }

  async #saveDocument(
    { external_id, version, hint }: FoundDocument,
    { has_failed, source_id }: { has_failed: boolean; source_id: string | undefined },
  ): Promise<void> {
    const { org, id } = this.#connection;
    const document = { org, connection_id: id, external_id, version, hint, has_failed, source_id, seen: this.#run };
    await this.#runtime.ports.records.write(putDocument(document));
  }

  #reportFailure(failure: FailedDocument): void {
    this.#state.counts.failed++;
    const failures = [...this.#state.failures, failure];
    const bytes = Buffer.byteLength(JSON.stringify(failures));
    if (failures.length <= MAX_REPORTED_FAILURES && bytes <= MAX_FAILURES_BYTES) this.#state.failures = failures;
  }

  async #deleteAll(external_ids: string[]): Promise<void> {
    if (external_ids.length === 0) return;
    const known = await findDocuments(this.#runtime.ports.records, this.#connection, external_ids);
    await inParallel([...known.values()], CONCURRENCY, (document) => this.#delete(document));
  }

  /** Deletes documents that a complete inventory did not list. */
  async #deleteUnlisted(): Promise<void> {
    const { records } = this.#runtime.ports;
    for await (const unseen of listDocuments(records, this.#connection, { seen: { lessThan: this.#run } })) {
      // A document that belongs to another one is kept or deleted with it.
      const missing = unseen.filter(({ hint }) => hint.attached_to === undefined);
      for (const [index, batch] of inBatches(missing, BATCH).entries()) {
        if (index > 0) this.#requireTime();
        await inParallel(batch, CONCURRENCY, async (document) => {
          const isGone = await this.#callProvider(async (session) => session.isGone?.(document) ?? true);
          if (isGone) await this.#delete(document);
          else await this.#markSeen([document]);
        });
        await this.#saveCheckpoint();
      }
    }
  }

  async #delete(document: KnownDocument | undefined): Promise<void> {
    if (!document) return;
    await this.#deleteAll(attachmentsOf(document));
    if (document.source_id !== undefined && (await deleteSourceIfExists(this.#runtime, document.source_id))) {
      this.#state.counts.sources_removed++;
    }
    await this.#runtime.ports.records.write(removeDocument(document));
  }
}

/** The ids of a document's attachments, as its hint records them. */
function attachmentsOf({ hint: { attachments } }: FoundDocument): string[] {
  return Array.isArray(attachments) ? attachments.map(String) : [];
}

/** The attachments of a document; their ids become unique by its id as a prefix. */
function attachedTo({ external_id }: FoundDocument, attachments: FoundDocument[]): FoundDocument[] {
  return attachments.slice(0, MAX_ATTACHMENTS).map((attachment) => ({
    ...attachment,
    external_id: `${external_id}/${attachment.external_id}`,
    hint: { ...attachment.hint, attached_to: external_id },
  }));
}

function withAttachments(found: FoundDocument, attached: FoundDocument[]): FoundDocument {
  if (attached.length === 0) return found;
  return { ...found, hint: { ...found.hint, attachments: attached.map(({ external_id }) => external_id) } };
}

function named({ external_id, hint: { name } }: FoundDocument) {
  return { external_id, ...(typeof name === "string" && { title: name }) };
}

/** The failure of a document; undefined if the error does not concern a single document. */
function failureOf(found: FoundDocument, error: unknown): FailedDocument | undefined {
  if (error instanceof ProviderError) return { ...named(found), code: "FETCH_FAILED", reason: error.message };
  if (error instanceof ServiceError) return { ...named(found), code: error.code, reason: error.message };
  if (error instanceof UnreadableError) return { ...named(found), code: "UNREADABLE", reason: error.message };
  return undefined;
}
