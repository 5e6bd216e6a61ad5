import * as z from "zod";
import type { Json, JsonObject } from "../../../ports/json.ts";

/** Providers of sources by their names in paths. */
export const PROVIDERS = [
  "notes_workspace",
  "cloud_drive",
  "code_host",
  "team_chat",
  "object_store",
  "web_crawler",
] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export function isProvider(name: string): name is ProviderName {
  return (PROVIDERS as readonly string[]).includes(name);
}

/** `oauth_required`: there are no credentials yet, or the provider no longer accepts them. */
export const CONNECTION_STATES = ["active", "oauth_required"] as const;

/** A document that could not be imported, with the reason. */
export const FailedDocument = z.object({
  /** Index among pushed documents; absent for fetched ones. */
  index: z.int().optional(),
  external_id: z.string().optional(),
  title: z.string().optional(),
  code: z.string(),
  reason: z.string(),
});
export type FailedDocument = z.infer<typeof FailedDocument>;

/** Documents of a sync by outcome, except failed ones. */
export const syncCounts = {
  sources_created: z.int(),
  sources_updated: z.int(),
  sources_removed: z.int(),
  skipped: z.int(),
};

/** The result of the last sync, or its progress if it is running. A failed one is retried from where it stopped. */
export const LastSync = z.object({
  status: z.enum(["running", "completed", "failed"]),
  started_at: z.string(),
  finished_at: z.string().optional(),
  error: z.string().optional(),
  ...syncCounts,
  failed: z.int(),
});
export type LastSync = z.infer<typeof LastSync>;
export type SyncCounts = Pick<LastSync, keyof typeof syncCounts | "failed">;

/** Initial counts of a push, which lists its failed documents instead of counting them. */
export const NONE_PUSHED = { sources_created: 0, sources_updated: 0, sources_removed: 0, skipped: 0 };
export const NO_COUNTS: SyncCounts = { ...NONE_PUSHED, failed: 0 };

/** A source of documents with its credentials. */
export interface Connection {
  id: string;
  org: string;
  provider: ProviderName;
  user_id?: string;
  status: (typeof CONNECTION_STATES)[number];
  /** In the form of its provider's schema, without secrets. */
  config: JsonObject;
  /** The secrets of the configuration by name, encrypted. */
  sealed?: string;
  secret_names: string[];
  last_sync?: LastSync;
  /** When a sync last completed. */
  last_sync_at?: string;
  created_at: string;
  updated_at: string;
  created_by: string;
  /** Counts changes of credentials or settings. */
  revision: number;
}

/** The state that persists between a connection's syncs. Separate from the connection, which requests change. */
export interface ConnectionSync {
  org: string;
  connection_id: string;
  /** Number of the latest sync, from 1. */
  run: number;
  /** Its job: running, scheduled or ended. */
  sync_id?: string;
  /** The cursor of the last complete sync, in the provider's form. */
  cursor?: Json;
}

/** A sync to run. */
export interface SyncInput {
  connection_id: string;
  /** Its number, from 1. */
  run: number;
  /** Consecutive failed syncs before it. */
  failed_runs: number;
}

/** The progress of a sync. */
export interface SyncCheckpoint {
  /** The position at which the listing continues, in the provider's form. */
  place?: Json;
  /** Whether documents that failed before have been retried. */
  has_retried: boolean;
  counts: SyncCounts;
  failures: FailedDocument[];
}

/** The data to delete with a removed connection. */
export interface RemovalInput {
  connection_id: string;
  delete_documents: boolean;
}

export interface RemovalCheckpoint {
  sources_deleted: number;
  /** How often everything that was found was deleted. */
  looks: number;
}

/** A document as listed by a provider. */
export interface FoundDocument {
  /** Its id at the provider, unique within the connection. */
  external_id: string;
  /** Changes when the content may have changed: an ETag, a hash or a modification time. */
  version: string;
  /** Data that the provider needs to read it. */
  hint: JsonObject;
}

/** A document of an earlier listing. */
export interface KnownDocument extends FoundDocument {
  org: string;
  connection_id: string;
  /** The last run that listed it. */
  seen: number;
  /** Absent if it has no text, or if reading it has failed so far. */
  source_id?: string;
  /** Whether reading this version failed; it is retried. */
  has_failed: boolean;
}
