import { QUEUE_MIGRATIONS } from "../../shared/adapters/local/queue-migrations.ts";
import { RECORD_MIGRATIONS } from "../../shared/adapters/local/record-migrations.ts";
import { SEARCH_MIGRATIONS } from "../../shared/adapters/local/search/schema.ts";
import type { Migration } from "../../shared/adapters/local/storage/migrations.ts";

/** The migrations of every database file by its content. */
export const MIGRATIONS: Readonly<Record<string, Migration[]>> = {
  records: RECORD_MIGRATIONS,
  queues: QUEUE_MIGRATIONS,
  search: SEARCH_MIGRATIONS,
};
