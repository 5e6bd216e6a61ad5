import type { Migration } from "./storage/migrations.ts";

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
];
