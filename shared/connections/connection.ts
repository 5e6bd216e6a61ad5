import type { Json, JsonObject } from "../platform/ports.ts";

/** The outside systems that sources may come from, by the names that paths use. */
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

/** `oauth_required`: there are no credentials yet, or the provider takes them no longer. */
export const CONNECTION_STATES = ["active", "oauth_required"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** A document that could not be brought, and why. */
export interface FailedDocument {
  /** Place among those that were pushed; absent for those that were found. */
  index?: number;
  external_id?: string;
  title?: string;
  code: string;
  reason: string;
}

export interface SyncCounts {
  sources_created: number;
  sources_updated: number;
  sources_removed: number;
  skipped: number;
  failed: number;
}

export const NO_COUNTS: SyncCounts = {
  sources_created: 0,
  sources_updated: 0,
  sources_removed: 0,
  skipped: 0,
  failed: 0,
};

/** `failed`: it is tried again from where it is; `error` says why. */
export type SyncStatus = "running" | "completed" | "failed";

/** What the last synchronization came to, or has come to so far. */
export interface LastSync extends SyncCounts {
  status: SyncStatus;
  started_at: string;
  finished_at?: string;
  error?: string;
}

/** Where sources come from, and by what credentials. */
export interface Connection {
  id: string;
  org: string;
  provider: ProviderName;
  user_id?: string;
  status: ConnectionState;
  /** As its provider's schema has it, without secrets. */
  config: JsonObject;
  /** The secrets among the configuration, by name, sealed. */
  sealed?: string;
  secret_names: string[];
  last_sync?: LastSync;
  /** When a synchronization last came to its end. */
  last_sync_at?: string;
  created_at: string;
  updated_at: string;
  created_by: string;
  /** Counts the writes that change credentials or settings. */
  revision: number;
}

/** What outlasts a connection's synchronizations. Apart from the connection, which requests change. */
export interface ConnectionSync {
  org: string;
  connection_id: string;
  /** Number of the synchronization that was begun last, 1.. */
  run: number;
  /** Its job: it synchronizes, waits for its time, or has ended. */
  sync_id?: string;
  /** What the last complete one ended with, in the provider's own terms. */
  cursor?: Json;
}

/** A synchronization that is to be made. */
export interface SyncInput {
  connection_id: string;
  /** Its number, 1.. */
  run: number;
  /** How many before it failed in a row. */
  failed_runs: number;
}

/** How far a synchronization has come. */
export interface SyncCheckpoint {
  /** Where the provider is to go on, in its own terms. */
  place?: Json;
  /** Documents that went wrong before have been tried again. */
  has_retried: boolean;
  counts: SyncCounts;
  failures: FailedDocument[];
}

/** What is to go with a connection that was removed. */
export interface RemovalInput {
  connection_id: string;
  delete_documents: boolean;
}

export interface RemovalCheckpoint {
  sources_deleted: number;
  /** How often nothing was left to be seen. */
  looks: number;
}

/** A document as a provider lists it. */
export interface FoundDocument {
  /** Its name at the provider, unique within the connection. */
  external_id: string;
  /** Another one than before where its content may be another one: an ETag, a hash, a time of change. */
  version: string;
  /** What the provider needs to read it. */
  hint: JsonObject;
}

/** A document that was listed before. */
export interface KnownDocument extends FoundDocument {
  org: string;
  connection_id: string;
  /** Run that saw it last. */
  seen: number;
  /** Absent where it has nothing to be read, or reading it failed so far. */
  source_id?: string;
  /** Reading this version failed; it is tried again. */
  has_failed: boolean;
}
