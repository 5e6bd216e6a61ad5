import type { Component } from "../platform/components.ts";

export interface SyncOptions {
  components: Component[];
  full_sync: boolean;
  force_sync: boolean;
}

/** Components whose documents are in the search index. */
const INDEXED: readonly Component[] = ["memories", "skills", "search_index"];
/** Components of which something may have been begun and not ended. */
const WITH_CHORES: readonly Component[] = ["sessions", "agents", "sources", "users"];

/**
 * Passes of a sync, in their order: items of earlier releases are upgraded first. A full one builds the search index anew, catches up with what was written meanwhile,
 * takes it into use and then does what every sync does: that finds what came between the catching up and the use.
 */
export function planSync({ components, full_sync }: SyncOptions): string[] {
  const any = (of: readonly Component[]) => components.some((component) => of.includes(component));
  const rebuilding = full_sync && any(INDEXED);
  return [
    "upgrade_records",
    ...(rebuilding ? ["build_index", "catch_up_index", "prune_index", "use_index"] : []),
    "sync_records",
    ...(components.includes("search_index") || rebuilding ? ["sync_documents"] : []),
    ...(any(WITH_CHORES) ? ["sync_chores"] : []),
  ];
}

export function isRebuilding({ components, full_sync }: SyncOptions): boolean {
  return full_sync && components.some((component) => INDEXED.includes(component));
}
