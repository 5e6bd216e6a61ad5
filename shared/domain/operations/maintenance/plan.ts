import type { Component } from "../../../ports/components.ts";

/** Counts of found and processed items so far, by operation or component. */
export type Tallies = { [area: string]: { [what: string]: number } };

/** The request of a cleanup or sync with its passes in order. */
export interface MaintenanceInput<Options> {
  options: Options;
  plan: string[];
}

/** The progress of a cleanup or sync. */
export interface MaintenanceCheckpoint {
  /** Index of the current pass in the plan. */
  step: number;
  /** Where the current pass continues. */
  cursor?: string;
  /** Counts of all passes. */
  tallies: Tallies;
  /** Total processing time so far. */
  processing_ms: number;
}

export const BEGINNING: MaintenanceCheckpoint = { step: 0, tallies: {}, processing_ms: 0 };

export interface SyncOptions {
  components: Component[];
  full_sync: boolean;
  force_sync: boolean;
}

/** Components with documents in the search index. */
const INDEXED: readonly Component[] = ["memories", "skills", "search_index"];
/** Components with follow-up work (chores) that may be unfinished. */
const WITH_CHORES: readonly Component[] = ["sessions", "agents", "sources", "users"];

/**
 * Returns the passes of a sync in order: items of earlier releases are upgraded first. A full sync builds a new search
 * index, catches up with concurrent writes and switches to it. The passes of every sync follow; they find changes
 * between catching up and the switch.
 */
export function planSync(options: SyncOptions): string[] {
  const { components } = options;
  const rebuilding = isRebuilding(options);
  return [
    "upgrade_records",
    ...(rebuilding ? ["build_index", "catch_up_index", "prune_index", "use_index"] : []),
    "sync_records",
    ...(components.includes("search_index") || rebuilding ? ["sync_documents"] : []),
    ...(components.some((component) => WITH_CHORES.includes(component)) ? ["sync_chores"] : []),
  ];
}

/** Whether a sync builds a new search index. */
export function isRebuilding({ components, full_sync }: SyncOptions): boolean {
  return full_sync && components.some((component) => INDEXED.includes(component));
}

/** All operations that a cleanup can perform. */
export const CLEANUP_OPERATIONS = ["orphaned_memories", "expired_sessions", "old_logs", "temp_files"] as const;

export type CleanupOperation = (typeof CLEANUP_OPERATIONS)[number];

export interface CleanupOptions {
  operations: CleanupOperation[];
  dry_run: boolean;
  older_than_days: number;
  /** ISO 8601. Data that was written later is kept, because a write in progress may still need it. */
  before: string;
}

/** Passes of a cleanup in order, with the operations that each serves. */
const PASSES: { [pass: string]: CleanupOperation[] } = {
  clean_records: ["orphaned_memories", "expired_sessions"],
  clean_mentions: ["orphaned_memories"],
  clean_documents: ["orphaned_memories"],
  clean_blobs: ["orphaned_memories", "expired_sessions", "temp_files"],
  clean_logs: ["old_logs"],
};

/** Returns the passes of a cleanup in order. */
export function planCleanup({ operations }: Pick<CleanupOptions, "operations">): string[] {
  return Object.keys(PASSES).filter((pass) => PASSES[pass]?.some((operation) => operations.includes(operation)));
}

/** Returns the index of the last pass that serves an operation; after this pass the operation is done. */
export function lastPassFor(operation: CleanupOperation, plan: string[]): number {
  return plan.findLastIndex((pass) => PASSES[pass]?.includes(operation));
}
