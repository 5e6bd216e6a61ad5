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

/** What is to go with a connection, and how often it was looked for. */
export interface ConnectionRemoval {
  delete_documents: boolean;
  looks: number;
  /** ISO; when the next look makes sense. */
  next_at: string;
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
  /** It is on its way out, and no request sees it any more. */
  removal?: ConnectionRemoval;
  created_at: string;
  updated_at: string;
  created_by: string;
  /** Counts the writes that change credentials or settings. */
  revision: number;
}

/** How far a connection's synchronization has come. Kept apart from the connection, which it changes far more often than. */
export interface SyncState {
  org: string;
  connection_id: string;
  /** Who is at it, until `lease_until` (epoch milliseconds). */
  lease?: string;
  lease_until: number;
  /** Number of the synchronization that runs or ran last, 1.. */
  run: number;
  /** Whether that one has not come to its end. */
  is_running: boolean;
  started_at?: string;
  /** Where the provider is to go on in this run, in its own terms. */
  place?: Json;
  /** What the last complete run ended with, in the provider's own terms. */
  cursor?: Json;
  /** Documents that went wrong before have been tried again in this run. */
  has_retried: boolean;
  counts: SyncCounts;
  failures: FailedDocument[];
  /** Times in a row that a run broke off. */
  attempts: number;
  /** When the sweep is to see to it; absent where it need not. */
  due_at?: string;
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
