import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import { requireDelays } from "../../ports/preconditions.ts";
import type { QuarantinedWork, Queue, QueueDepth, QueueMessage } from "../../ports/queue.ts";
import { deadLettersOf } from "../../ports/queues.ts";
import { jobHash, jobOf, QUEUE_MIGRATIONS } from "./queue-migrations.ts";
import { Database, type Row } from "./storage/sqlite.ts";

export interface QueueSettings {
  name: string;
  /** A message received this often without success moves to the dead-letter queue. */
  maxReceives: number;
  /** How long a received message is hidden from other receives. */
  visibilitySeconds: number;
  /** Maximum bytes of a message's JSON; the default is the limit of SQS. */
  maxMessageBytes?: number;
  /** Whether a message in progress when the process died is delivered again; otherwise it is quarantined. */
  redeliverAfterCrash?: boolean;
}

/** A message held by a consumer while its receipt is the newest one. */
export interface ReceivedMessage {
  id: string;
  /** Changes with every receive; an outdated receipt deletes nothing. */
  receipt: string;
  /** JSON text. */
  body: string;
  /** Number of receives, including this one. */
  receiveCount: number;
  /** Epoch milliseconds, like `firstReceivedAt`. */
  sentAt: number;
  firstReceivedAt: number;
}

export interface LocalQueueOptions {
  /** Path of the database file; created if missing. */
  file: string;
  clock: Clock;
  /** Each gets a dead-letter queue, named by `deadLettersOf`. */
  queues: QueueSettings[];
  /** Names of further dead-letter queues for sources other than queues. */
  deadLetters?: string[];
  /** Logs the migrations of an existing file. */
  logger?: Logger;
}

/** The limits of SQS for message size and messages per receive. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
export const MAX_RECEIVE = 10;

const DEAD_LETTER_VISIBILITY_SECONDS = 300;

/** Records work that this process has in progress; its id is that of the message, or a new one for a request. */
const INSERT_WORK = "INSERT OR REPLACE INTO work (id, queue, job, started_at) VALUES (?, ?, ?, ?)";
/** Ends the quarantine of a job. */
const DELETE_QUARANTINED = "DELETE FROM work WHERE queue = ? AND job = ? AND quarantined_at IS NOT NULL";
const SELECT_QUARANTINED = "SELECT 1 FROM work WHERE queue = ? AND job = ? AND quarantined_at IS NOT NULL";
const DEPTH = `
  SELECT count(*) FILTER (WHERE visible_at <= ?1) AS waiting,
         count(*) FILTER (WHERE visible_at > ?1 AND receive_count > 0) AS inFlight,
         count(*) FILTER (WHERE visible_at > ?1 AND receive_count = 0) AS delayed
  FROM messages WHERE queue = ?2`;
const INSERT_MESSAGE =
  "INSERT INTO messages (id, queue, body, sent_at, visible_at, job_hash) VALUES (?, ?, ?, ?, ?, ?)";
const DUE =
  "SELECT * FROM messages WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, receive_count, rowid LIMIT ?";
const REDRIVE = `
  UPDATE messages SET queue = ?, visible_at = ?, receive_count = 0, first_received_at = NULL, receipt = NULL
  WHERE id = ?`;

/** `Queue` in one SQLite file that works like SQS: at-least-once delivery, visibility timeouts, dead-letter queues. */
export class LocalQueue implements Queue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #settings: Map<string, QueueSettings>;
  /** Receipts of the messages that consumers of this process hold, by id. */
  readonly #inHand = new Map<string, string>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor({ file, clock, queues, deadLetters = [], logger }: LocalQueueOptions) {
    this.#database = new Database({ file, migrations: QUEUE_MIGRATIONS, logger });
    this.#clock = clock;
    const deadLetterQueues = [...queues.map(({ name }) => deadLettersOf(name)), ...deadLetters].map(deadLetterQueue);
    this.#settings = new Map([...deadLetterQueues, ...queues].map((settings) => [settings.name, settings]));
  }

  async send(queue: string, messages: QueueMessage[]): Promise<void> {
    const { maxMessageBytes = MAX_MESSAGE_BYTES } = this.#settingsOf(queue);
    requireDelays(messages);
    const rows = messages.map(({ body, delaySeconds = 0 }) => ({
      body: serialized(body, maxMessageBytes),
      job: jobOf(body),
      delaySeconds,
    }));
    if (rows.length === 0) return;
    const now = this.#clock();
    const insert = this.#database.prepare(INSERT_MESSAGE);
    const endQuarantine = this.#database.prepare(DELETE_QUARANTINED);
    await this.#database.sharedTransaction(() => {
      for (const { body, job, delaySeconds } of rows) {
        endQuarantine.run(queue, job);
        insert.run(randomUUID(), queue, body, now, now + delaySeconds * 1000, jobHash(job));
      }
    });
    this.#notify(queue);
  }

  async depth(queue: string): Promise<QueueDepth> {
    this.#settingsOf(queue);
    const row = this.#database.get(DEPTH, this.#clock(), queue);
    return { waiting: Number(row?.waiting), inFlight: Number(row?.inFlight), delayed: Number(row?.delayed) };
  }

  names(): string[] {
    return [...this.#settings.keys()].sort();
  }

  async scrub(): Promise<boolean> {
    return this.#database.scrub();
  }

  async ping(): Promise<void> {
    const insert = "INSERT INTO messages (id, queue, body, sent_at, visible_at) VALUES ('ping', 'ping', '', 0, 0)";
    this.#database.lightTransaction(() => {
      this.#database.run(insert);
      this.#database.run("DELETE FROM messages WHERE id = 'ping'");
    });
  }

  /**
   * Receives up to `limit` visible messages, longest visible first, and hides them for the visibility timeout; costs
   * O(limit). Those of them that used up their receives become dead letters instead, as SQS does.
   */
  receive(queue: string, limit: number): ReceivedMessage[] {
    const { maxReceives } = this.#settingsOf(queue);
    const now = this.#clock();
    if ((this.nextDue(queue) ?? Number.POSITIVE_INFINITY) > now) return [];
    // After a power loss, messages of a lost commit are delivered again.
    const { taken, redriven } = this.#database.lightTransaction(() => {
      const due = this.#database.all(DUE, queue, now, Math.min(limit, MAX_RECEIVE));
      const exhausted = due.filter(({ receive_count }) => Number(receive_count) >= maxReceives);
      for (const { id = null } of exhausted) this.#database.run(REDRIVE, deadLettersOf(queue), now, id);
      return {
        redriven: exhausted.length,
        taken: this.#take(
          queue,
          due.filter((row) => !exhausted.includes(row)),
          now,
        ),
      };
    });
    for (const { id, receipt } of taken) this.#inHand.set(id, receipt);
    if (redriven > 0) this.#notify(deadLettersOf(queue));
    return taken;
  }

  async working<T>(queue: string, body: JsonObject, work: () => Promise<T>): Promise<T> {
    const id = randomUUID();
    const job = jobOf(body);
    this.#database.lightTransaction(() => {
      this.#database.run(DELETE_QUARANTINED, queue, job);
      this.#database.run(INSERT_WORK, id, queue, job, this.#clock());
    });
    try {
      return await work();
    } finally {
      this.#unmark([id]);
    }
  }

  /** Quarantines the work that a crashed process had in progress, and deletes its messages. Precedes any `receive`. */
  quarantineInterrupted(): QuarantinedWork[] {
    const now = this.#clock();
    return this.#database.transaction(() => {
      const interrupted = this.#database.all("SELECT * FROM work WHERE quarantined_at IS NULL").map(toWork);
      for (const { id, queue, body } of interrupted) {
        const job = jobOf(body);
        this.#database.run("DELETE FROM work WHERE queue = ? AND job = ? AND id <> ?", queue, job, id);
        this.#database.run("UPDATE work SET quarantined_at = ? WHERE id = ?", now, id);
        this.#deleteMessagesOf(queue, job);
      }
      return interrupted;
    });
  }

  async quarantined(): Promise<QuarantinedWork[]> {
    const rows = this.#database.all("SELECT * FROM work WHERE quarantined_at IS NOT NULL ORDER BY started_at");
    return rows.map(toWork);
  }

  resume({ queue, body }: QuarantinedWork): Promise<void> {
    return this.send(queue, [{ body }]);
  }

  readonly isQuarantined = (queue: string, body: Json): boolean =>
    this.#database.get(SELECT_QUARANTINED, queue, jobOf(body)) !== undefined;

  /** Ends the work on messages: deletes those whose ids are not in `failed`. */
  finish(messages: ReceivedMessage[], failed: ReadonlySet<string>): void {
    this.delete(messages.filter(({ id }) => !failed.has(id)).map(({ receipt }) => receipt));
    this.#unmark([...failed]);
  }

  #unmark(ids: string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#inHand.delete(id);
    const remove = this.#database.prepare("DELETE FROM work WHERE id = ? AND quarantined_at IS NULL");
    this.#database.lightTransaction(() => {
      for (const id of ids) remove.run(id);
    });
  }

  #deleteMessagesOf(queue: string, job: string): void {
    this.#database.run("DELETE FROM messages WHERE queue = ? AND job_hash = ?", queue, jobHash(job));
  }

  /** Makes messages visible again that the previous process held when it ended. */
  releaseInHand(): void {
    const now = this.#clock();
    this.#database.run("UPDATE messages SET visible_at = ? WHERE receipt IS NOT NULL AND visible_at > ?", now, now);
  }

  /** Puts unprocessed messages back: visible after a delay, and without counting their last receive. */
  giveBack(receipts: string[], delayMs: number): void {
    const show = this.#database.prepare(
      "UPDATE messages SET visible_at = ?, receive_count = receive_count - 1, receipt = NULL WHERE id = ? AND receipt = ?",
    );
    const visibleAt = this.#clock() + delayMs;
    this.#database.lightTransaction(() => {
      for (const receipt of receipts) show.run(visibleAt, idOf(receipt), receipt);
    });
    this.#unmark(receipts.map(idOf));
  }

  /** Puts all messages in hand back and ends all work, so that the next process has nothing to quarantine. */
  giveBackInHand(): void {
    this.giveBack([...this.#inHand.values()], 0);
    this.#database.run("DELETE FROM work WHERE quarantined_at IS NULL");
  }

  /** Deletes processed messages and their work; an outdated receipt deletes no message. */
  delete(receipts: string[]): void {
    const remove = this.#database.prepare("DELETE FROM messages WHERE id = ? AND receipt = ?");
    const unmark = this.#database.prepare("DELETE FROM work WHERE id = ?");
    this.#database.lightTransaction(() => {
      for (const receipt of receipts) {
        this.#inHand.delete(idOf(receipt));
        remove.run(idOf(receipt), receipt);
        unmark.run(idOf(receipt));
      }
    });
  }

  /** When the next message becomes visible, in epoch milliseconds; undefined if there is none. */
  nextDue(queue: string): number | undefined {
    const row = this.#database.get("SELECT min(visible_at) AS due FROM messages WHERE queue = ?", queue);
    return typeof row?.due === "number" ? row.due : undefined;
  }

  /** Calls `listener` after each send to the queue until the returned function is called. */
  onSend(queue: string, listener: () => void): () => void {
    this.#settingsOf(queue);
    const listeners = this.#listeners.get(queue) ?? new Set();
    this.#listeners.set(queue, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  close(): void {
    this.#database.close();
  }

  #settingsOf(queue: string): QueueSettings {
    const settings = this.#settings.get(queue);
    if (settings === undefined) throw new Error(`there is no queue '${queue}'`);
    return settings;
  }

  #take(queue: string, due: Row[], now: number): ReceivedMessage[] {
    const { visibilitySeconds, redeliverAfterCrash = false } = this.#settingsOf(queue);
    const update = this.#database.prepare(
      "UPDATE messages SET visible_at = ?, receive_count = ?, first_received_at = ?, receipt = ? WHERE id = ?",
    );
    const insertWork = this.#database.prepare(INSERT_WORK);
    return due.map((row) => {
      const id = String(row.id);
      const receipt = `${id}/${randomUUID()}`;
      const receiveCount = Number(row.receive_count) + 1;
      const firstReceivedAt = Number(row.first_received_at ?? now);
      update.run(now + visibilitySeconds * 1000, receiveCount, firstReceivedAt, receipt, id);
      if (!redeliverAfterCrash) insertWork.run(id, queue, jobOf(JSON.parse(String(row.body))), now);
      return { id, receipt, body: String(row.body), receiveCount, sentAt: Number(row.sent_at), firstReceivedAt };
    });
  }

  #notify(queue: string): void {
    for (const listener of this.#listeners.get(queue) ?? []) listener();
  }
}

/**
 * Returns the settings of a dead-letter queue. Dead letters stay until they are deleted, and have no size limit: a
 * change of a large record contains the record twice, and a change too large to quarantine would block its stream.
 */
function deadLetterQueue(name: string): QueueSettings {
  return {
    name,
    maxReceives: Number.MAX_SAFE_INTEGER,
    visibilitySeconds: DEAD_LETTER_VISIBILITY_SECONDS,
    redeliverAfterCrash: true,
    maxMessageBytes: Number.POSITIVE_INFINITY,
  };
}

function serialized(body: QueueMessage["body"], maxBytes: number): string {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > maxBytes) throw new Error(`a message must have at most ${maxBytes} bytes`);
  return text;
}

function idOf(receipt: string): string {
  return receipt.split("/", 1)[0] ?? "";
}

function toWork({ id, queue, job, started_at, quarantined_at }: Record<string, unknown>): QuarantinedWork {
  return {
    id: String(id),
    queue: String(queue),
    body: JSON.parse(String(job)),
    startedAt: Number(started_at),
    quarantinedAt: Number(quarantined_at),
  };
}
