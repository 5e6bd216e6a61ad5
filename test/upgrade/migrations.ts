import type { Migration } from "../../shared/platform/local/migrations.ts";
import { QUEUE_MIGRATIONS } from "../../shared/platform/local/queue-migrations.ts";
import { RECORD_MIGRATIONS } from "../../shared/platform/local/record-migrations.ts";
import { SEARCH_MIGRATIONS } from "../../shared/platform/local/search/schema.ts";

/** The steps of every database file, by what the file keeps. */
export const MIGRATIONS: Readonly<Record<string, Migration[]>> = {
  records: RECORD_MIGRATIONS,
  queues: QUEUE_MIGRATIONS,
  search: SEARCH_MIGRATIONS,
};
