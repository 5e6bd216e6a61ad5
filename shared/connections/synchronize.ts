import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed, RecordTooLarge } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { deleteSource } from "../sources/delete.ts";
import { Unreadable } from "../sources/extraction/unreadable.ts";
import { ingest } from "../sources/ingest.ts";
import { renewTokens } from "./authorization.ts";
import {
  type Connection,
  type FailedDocument,
  type FoundDocument,
  type KnownDocument,
  type LastSync,
  NO_COUNTS,
  type SyncCounts,
  type SyncState,
} from "./connection.ts";
import { endLease, type HeldSync, keepLease, LeaseLost, takeLease } from "./lease.ts";
import { tokenIn } from "./own-client.ts";
import { CredentialsRefused, Postponed, ProviderFailed } from "./providers/faults.ts";
import { openSession } from "./providers/open.ts";
import type { OpenBucket, ProviderSession, ReadDocument } from "./providers/provider.ts";
import { createProviderFetch, pauseUntil } from "./providers/requests.ts";
import { announce } from "./queue.ts";
import {
  checkConnection,
  findDocuments,
  findSync,
  keepSecrets,
  listDocuments,
  putDocument,
  removeDocument,
  tellConnection,
} from "./records.ts";
import { openSecrets, sealSecrets } from "./secrets.ts";
import { type ConnectionSecrets, intervalOf } from "./settings.ts";

/** Documents read at a time, and between two notes of how far it has come. */
const WIDTH = 4;
const BATCH = 8;
const WRITES = 100;
const MOST_FAILURES_TOLD = 100;
/** All of them together, as JSON: their names are as long as a provider lets them be. */
const MOST_FAILURES_BYTES = 100 * 1024;
/** So many documents in a row that a provider fails to hand out are a failure of the provider. */
const MOST_FAILURES_IN_A_ROW = 5;
/** After a failure: from the first to the longest wait, and how often it goes on from where it was. */
const FIRST_RETRY_MS = 5 * 60_000;
const LONGEST_RETRY_MS = 6 * 3_600_000;
const ATTEMPTS_IN_PLACE = 3;
/** A message is sooner than the sweep, unless it got lost. */
const MESSAGE_LATE_MS = 5 * 60_000;

/** What a synchronization needs besides ports. */
export interface SyncOptions {
  openBucket: OpenBucket;
  /** Epoch milliseconds from which on nothing new is begun. */
  deadline: number;
}

/** How a turn ended. */
export interface TurnEnd {
  state: SyncState;
  /** Why it broke off: neither where it is complete nor where it goes on by itself. */
  fault?: unknown;
}

/**
 * Goes on with a connection's synchronization, or begins one, until it is complete or its time is over; the worker sees to
 * the rest. Undefined while somebody else is at it. Needs the ports records, blobs, queue, models and secrets.
 */
export async function synchronize(
  home: OrgHome,
  connection: Connection,
  options: SyncOptions,
): Promise<TurnEnd | undefined> {
  const held = await takeLease(home, connection.id);
  if (!held) return undefined;
  const turn = new Turn(home, connection, held, options);
  try {
    await turn.run();
    return { state: await turn.complete() };
  } catch (error) {
    return turn.breakOff(error);
  }
}

/** What is told of a run to clients. */
function summaryOf({ counts, started_at }: SyncState, end: Omit<LastSync, keyof SyncCounts | "started_at">) {
  return { ...end, started_at: started_at ?? "", ...counts } satisfies LastSync;
}

class Turn {
  readonly #home: OrgHome;
  readonly #connection: Connection;
  readonly #options: SyncOptions;
  #state: HeldSync;
  #session: Promise<ProviderSession> | undefined;
  /** Begun once a turn, when the credentials are refused. */
  #renewing: Promise<ConnectionSecrets> | undefined;
  #failuresInARow = 0;

  constructor(home: OrgHome, connection: Connection, state: HeldSync, options: SyncOptions) {
    this.#home = home;
    this.#connection = connection;
    this.#state = state;
    this.#options = options;
  }

  async run(): Promise<void> {
    if (!this.#state.is_running) this.#begin();
    await this.#keep();
    if (!this.#state.has_retried) await this.#retryFailed();
    for (;;) {
      const { cursor, place } = this.#state;
      const listing = await this.#ask((session) => session.list({ cursor, place }));
      await this.#bringAll(listing.found);
      await this.#dropAll(listing.gone ?? []);
      if (listing.next === undefined) {
        if (listing.isInventory) await this.#dropUnseen();
        if (listing.cursor !== undefined) this.#state.cursor = listing.cursor;
        return;
      }
      this.#state.place = listing.next;
      await this.#keep();
      this.#demandTime();
    }
  }

  async complete(): Promise<SyncState> {
    const { clock } = this.#home;
    const now = timestamp(clock());
    const { place: _place, due_at: _due, ...state } = this.#state;
    const interval = intervalOf(this.#connection.config);
    const done: HeldSync = {
      ...state,
      is_running: false,
      attempts: 0,
      ...(interval !== undefined && { due_at: timestamp(clock() + interval) }),
    };
    const last_sync = summaryOf(done, { status: "completed", finished_at: now });
    await endLease(this.#home, done, tellConnection(this.#connection, { last_sync, last_sync_at: now }));
    this.#home.logger.info("CONNECTION_SYNCHRONIZED", { ...this.#names(), ...done.counts });
    return done;
  }

  /** Keeps where it is, and when it goes on. */
  async breakOff(error: unknown): Promise<TurnEnd> {
    try {
      if (error instanceof Postponed) return await this.#postpone(error.until);
      if (error instanceof CredentialsRefused) return await this.#awaitCredentials(error);
      if (!(error instanceof LeaseLost)) return await this.#fail(error);
    } catch (lost) {
      if (!(lost instanceof LeaseLost)) throw lost;
    }
    return this.#leave();
  }

  /** Somebody else goes on with it, or the connection is on its way out: what holds it up must not be us. */
  async #leave(): Promise<TurnEnd> {
    try {
      await endLease(this.#home, this.#state);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
    const state = await findSync(this.#home.ports.records, this.#home.org, this.#connection.id);
    return { state: state ?? this.#state };
  }

  async #postpone(until: number): Promise<TurnEnd> {
    const wait = Math.max(0, until - this.#home.clock());
    const state = { ...this.#state, due_at: timestamp(this.#home.clock() + wait + MESSAGE_LATE_MS) };
    const last_sync = summaryOf(state, { status: "running" });
    await endLease(this.#home, state, tellConnection(this.#connection, { last_sync }));
    await announce(this.#home, state, wait);
    return { state };
  }

  async #awaitCredentials(fault: CredentialsRefused): Promise<TurnEnd> {
    const { due_at: _due, ...state } = this.#state;
    const { id, org, revision } = this.#connection;
    const last_sync = this.#failure(fault.message);
    const told = { status: "oauth_required" as const, last_sync };
    await endLease(this.#home, state, tellConnection({ id, org }, told, { revision }));
    this.#home.logger.warn("CONNECTION_REFUSED", this.#names());
    return { state, fault };
  }

  async #fail(error: unknown): Promise<TurnEnd> {
    const attempts = this.#state.attempts + 1;
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
    const due_at = timestamp(this.#home.clock() + wait);
    const state = { ...this.#state, attempts, due_at, is_running: attempts < ATTEMPTS_IN_PLACE };
    const isTold = error instanceof ProviderFailed || error instanceof ServiceError;
    const last_sync = this.#failure(isTold ? error.message : "It failed inside the service; see its log.");
    const kept = await this.#endFailed(state, tellConnection(this.#connection, { last_sync }));
    if (isTold) this.#home.logger.warn("CONNECTION_FAILED", { ...this.#names(), reason: error.message });
    else this.#home.logger.error("SYNCHRONIZATION_FAILED", { ...this.#names(), error });
    return { state: kept, fault: error };
  }

  /** Without its place, where a record cannot hold that: the listing begins anew, rather than fails at it untold for ever. */
  async #endFailed(state: HeldSync, told: Write): Promise<HeldSync> {
    try {
      await endLease(this.#home, state, told);
      return state;
    } catch (error) {
      if (!(error instanceof RecordTooLarge)) throw error;
      const { place: _place, ...placeless } = state;
      await endLease(this.#home, placeless, told);
      return placeless;
    }
  }

  #failure(error: string): LastSync {
    return summaryOf(this.#state, { status: "failed", finished_at: timestamp(this.#home.clock()), error });
  }

  #names() {
    const { org, id, provider } = this.#connection;
    return { org, connection: id, provider };
  }

  #begin(): void {
    const { place: _place, ...state } = this.#state;
    const fresh = { counts: { ...NO_COUNTS }, failures: [], has_retried: false };
    const started_at = timestamp(this.#home.clock());
    this.#state = { ...state, ...fresh, run: state.run + 1, is_running: true, started_at };
  }

  async #keep(): Promise<void> {
    this.#state = await keepLease(this.#home, this.#state, checkConnection(this.#connection));
  }

  #demandTime(): void {
    const now = this.#home.clock();
    if (now >= this.#options.deadline) throw new Postponed(now);
  }

  // -------------------------------------------------------------- the provider

  /** Asks the provider, once more with renewed credentials where it refuses those it was given. */
  async #ask<T>(question: (session: ProviderSession) => Promise<T>): Promise<T> {
    this.#session ??= this.#open();
    const session = this.#session;
    try {
      return await question(await session);
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      const hasRenewed = this.#renewing !== undefined && this.#session === session;
      if (hasRenewed) throw error;
      if (this.#session === session) this.#session = this.#renew().then((secrets) => this.#openWith(secrets));
      return question(await this.#session);
    }
  }

  async #open(): Promise<ProviderSession> {
    const secrets = await openSecrets(this.#home, this.#connection);
    const isUsedUp = secrets.access_token === undefined && secrets.refresh_token !== undefined;
    return this.#openWith(isUsedUp ? await this.#renew() : secrets);
  }

  #openWith(secrets: ConnectionSecrets): Promise<ProviderSession> {
    const { clock, config, ports } = this.#home;
    const turn = { config, clock, deadline: this.#options.deadline };
    const tools = {
      org: this.#home.org,
      fetch: createProviderFetch(turn, { secrets: tokenIn(config, this.#connection, secrets) }),
      known: (ids: string[]) => findDocuments(ports.records, this.#connection, ids),
      pause: (milliseconds: number) => pauseUntil(turn, clock() + milliseconds),
      openBucket: this.#options.openBucket,
    };
    return openSession(this.#connection, secrets, tools, clock);
  }

  #renew(): Promise<ConnectionSecrets> {
    this.#renewing ??= this.#renewOnce();
    return this.#renewing;
  }

  async #renewOnce(): Promise<ConnectionSecrets> {
    const { deadline } = this.#options;
    const given = await openSecrets(this.#home, this.#connection);
    const secrets = await renewTokens({ ...this.#home, deadline }, this.#connection, given);
    try {
      const sealed = await sealSecrets(this.#home, this.#connection, secrets);
      await this.#home.ports.records.write(keepSecrets(this.#connection, sealed));
    } catch (error) {
      // Somebody gave others in the meantime, which hold from the next turn on.
      if (!(error instanceof ConditionFailed)) throw error;
    }
    return secrets;
  }

  // -------------------------------------------------------------- documents

  async #retryFailed(): Promise<void> {
    const { records } = this.#home.ports;
    for await (const failed of listDocuments(records, this.#connection, { has_failed: true })) {
      await this.#bringAll(failed);
    }
    this.#state.has_retried = true;
    await this.#keep();
  }

  /** Brings those that are new or changed, some in any case, so that each turn gets further; those that this run has had already, before a break, are passed over. */
  async #bringAll(found: FoundDocument[]): Promise<void> {
    const ids = found.map(({ external_id }) => external_id);
    const known = await findDocuments(this.#home.ports.records, this.#connection, ids);
    const due = found.filter(({ external_id }) => known.get(external_id)?.seen !== this.#state.run);
    const isUnchanged = ({ external_id, version }: FoundDocument) => {
      const before = known.get(external_id);
      return before?.version === version && !before.has_failed;
    };
    const unchanged = due.filter(isUnchanged);
    await this.#noteSeen(unchanged.flatMap(({ external_id }) => known.get(external_id) ?? []));
    this.#state.counts.skipped += unchanged.length;
    const others = due.filter((document) => !isUnchanged(document));
    for (let first = 0; first < others.length; first += BATCH) {
      if (first > 0) this.#demandTime();
      await this.#bringBatch(others.slice(first, first + BATCH), known);
      await this.#keep();
    }
  }

  /** To its end, whatever happens to one of them: nobody goes on beside one that is still being brought. */
  async #bringBatch(batch: FoundDocument[], known: Map<string, KnownDocument>): Promise<void> {
    const faults: unknown[] = [];
    await inParallel(batch, WIDTH, async (document) => {
      if (faults.length > 0) return;
      await this.#bring(document, known.get(document.external_id)).catch((error: unknown) => faults.push(error));
    });
    if (faults.length > 0) throw faults[0];
  }

  async #noteSeen(documents: KnownDocument[]): Promise<void> {
    const writes = documents.map((document) => putDocument({ ...document, seen: this.#state.run }));
    for (let first = 0; first < writes.length; first += WRITES) {
      await this.#home.ports.records.write(...writes.slice(first, first + WRITES));
    }
  }

  async #bring(found: FoundDocument, before: KnownDocument | undefined): Promise<void> {
    try {
      const read = await this.#ask((session) => session.read(found));
      this.#failuresInARow = 0;
      if (read === "gone") return await this.#drop(before);
      if (read === "unfit") return await this.#passOver(found, before);
      await this.#takeIn(found, read);
    } catch (error) {
      const failure = failureOf(found, error);
      const isProviders = error instanceof ProviderFailed && ++this.#failuresInARow >= MOST_FAILURES_IN_A_ROW;
      if (!failure || isProviders) throw error;
      this.#note(failure);
      await this.#remember(found, { has_failed: true, source_id: before?.source_id });
    }
  }

  async #takeIn(found: FoundDocument, { content, title, url, metadata }: ReadDocument): Promise<void> {
    const { id: connection_id, provider, user_id, created_by } = this.#connection;
    const { source, outcome } = await ingest(this.#home, {
      type: provider === "web_crawler" ? "web" : provider,
      provider,
      connection_id,
      created_by,
      external_id: found.external_id,
      content,
      ...(user_id !== undefined && { user_id }),
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
      ...(metadata !== undefined && { metadata }),
    });
    await this.#remember(found, { has_failed: false, source_id: source.id });
    const { counts } = this.#state;
    if (source.status === "failed") {
      this.#note({ ...named(found), code: "UNREADABLE", reason: source.error ?? "It cannot be read." });
    } else if (outcome === "created") counts.sources_created++;
    else if (outcome === "updated") counts.sources_updated++;
    else counts.skipped++;
  }

  async #passOver(found: FoundDocument, before: KnownDocument | undefined): Promise<void> {
    if (before?.source_id !== undefined) await this.#deleteSource(before.source_id);
    await this.#remember(found, { has_failed: false, source_id: undefined });
    this.#state.counts.skipped++;
  }

  async #remember(
    found: FoundDocument,
    outcome: { has_failed: boolean; source_id: string | undefined },
  ): Promise<void> {
    const { org, id } = this.#connection;
    const { external_id, version, hint } = found;
    const { has_failed, source_id } = outcome;
    const document: KnownDocument = {
      org,
      connection_id: id,
      external_id,
      version,
      hint,
      has_failed,
      seen: this.#state.run,
    };
    await this.#home.ports.records.write(putDocument(source_id === undefined ? document : { ...document, source_id }));
  }

  #note(failure: FailedDocument): void {
    this.#state.counts.failed++;
    const told = [...this.#state.failures, failure];
    const isFit = told.length <= MOST_FAILURES_TOLD && Buffer.byteLength(JSON.stringify(told)) <= MOST_FAILURES_BYTES;
    if (isFit) this.#state.failures = told;
  }

  async #dropAll(external_ids: string[]): Promise<void> {
    const known = await findDocuments(this.#home.ports.records, this.#connection, external_ids);
    await inParallel([...known.values()], WIDTH, (document) => this.#drop(document));
  }

  /** What a whole inventory did not list. */
  async #dropUnseen(): Promise<void> {
    const { records } = this.#home.ports;
    const { run } = this.#state;
    for await (const missing of listDocuments(records, this.#connection, { seen: { lessThan: run } })) {
      for (let first = 0; first < missing.length; first += BATCH) {
        if (first > 0) this.#demandTime();
        await inParallel(missing.slice(first, first + BATCH), WIDTH, async (document) => {
          const isGone = await this.#ask(async (session) => session.isGone?.(document) ?? true);
          if (isGone) await this.#drop(document);
          else await this.#noteSeen([document]);
        });
        await this.#keep();
      }
    }
  }

  async #drop(document: KnownDocument | undefined): Promise<void> {
    if (!document) return;
    if (document.source_id !== undefined && (await this.#deleteSource(document.source_id))) {
      this.#state.counts.sources_removed++;
    }
    await this.#home.ports.records.write(removeDocument(document));
  }

  #deleteSource(source_id: string): Promise<boolean> {
    return deleteIfThere(this.#home, source_id);
  }
}

/** False for a source that somebody deleted before. */
export async function deleteIfThere(home: OrgHome, source_id: string): Promise<boolean> {
  try {
    await deleteSource(home, source_id);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "SOURCE_NOT_FOUND") return false;
    throw error;
  }
}

function named({ external_id, hint: { name } }: FoundDocument) {
  return { external_id, ...(typeof name === "string" && { title: name }) };
}

/** Undefined for what is not the fault of one document. */
function failureOf(found: FoundDocument, error: unknown): FailedDocument | undefined {
  if (error instanceof ProviderFailed) return { ...named(found), code: "FETCH_FAILED", reason: error.message };
  if (error instanceof ServiceError) return { ...named(found), code: error.code, reason: error.message };
  if (error instanceof Unreadable) return { ...named(found), code: "UNREADABLE", reason: error.message };
  return undefined;
}
