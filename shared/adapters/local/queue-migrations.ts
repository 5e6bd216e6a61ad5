import type { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../kernel/digest.ts";
import { isObject } from "../../kernel/objects.ts";
import type { Json } from "../../ports/json.ts";
import { hasColumn, type Migration } from "./storage/migrations.ts";

/** The migrations of queues.sqlite. */
export const QUEUE_MIGRATIONS: Migration[] = [
  {
    version: 1,
    name: "make the table of messages",
    run: `
      CREATE TABLE IF NOT EXISTS messages (
        id TEXT PRIMARY KEY,
        queue TEXT NOT NULL,
        body TEXT NOT NULL,
        sent_at INTEGER NOT NULL,
        visible_at INTEGER NOT NULL,
        receive_count INTEGER NOT NULL DEFAULT 0,
        first_received_at INTEGER,
        receipt TEXT
      );
      CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at);`,
  },
  {
    version: 2,
    name: "make the table of work that a crash interrupts",
    run: `
      CREATE TABLE IF NOT EXISTS work (
        id TEXT PRIMARY KEY,
        queue TEXT NOT NULL,
        job TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        quarantined_at INTEGER
      );`,
  },
  { version: 3, name: "find messages by state and job without reading those that wait", run: indexMessages },
];

/** Returns the key of the work on a message: its JSON with sorted members, so that their order does not matter. */
export function jobOf(body: Json): string {
  return JSON.stringify(isObject(body) ? Object.fromEntries(Object.entries(body).sort()) : body);
}

/** Returns the hash of a job by which its messages are found: bodies may have a megabyte. */
export function jobHash(job: string): string {
  return sha256(job).slice(0, JOB_HASH_LENGTH);
}

const JOB_HASH_LENGTH = 32;

function indexMessages(connection: DatabaseSync, report: (done: number) => void): void {
  if (!hasColumn(connection, "messages", "job_hash")) {
    connection.exec("ALTER TABLE messages ADD COLUMN job_hash TEXT");
  }
  const fill = connection.prepare("UPDATE messages SET job_hash = ? WHERE id = ?");
  let done = 0;
  for (const { id = null, body } of connection.prepare("SELECT id, body FROM messages").all()) {
    fill.run(jobHash(jobOf(JSON.parse(String(body)))), id);
    report(++done);
  }
  connection.exec(`
    DROP INDEX IF EXISTS messages_by_visibility;
    CREATE INDEX messages_by_visibility ON messages (queue, visible_at, receive_count);
    CREATE INDEX IF NOT EXISTS messages_by_job ON messages (queue, job_hash);
    CREATE INDEX IF NOT EXISTS messages_in_hand ON messages (visible_at) WHERE receipt IS NOT NULL;
    CREATE INDEX IF NOT EXISTS work_by_job ON work (queue, job);`);
}
