import type { Component } from "../../../ports/components.ts";

export interface SyncOptions {
  components: Component[];
  full_sync: boolean;
  force_sync: boolean;
}

/** Components with documents in the search index. */
const INDEXED: readonly Component[] = ["memories", "skills", "search_index"];
/** Components with work that may be unfinished. */
const WITH_CHORES: readonly Component[] = ["sessions", "agents", "sources", "users"];

/**
 * Returns the passes of a sync in order: items of earlier releases are upgraded first. A full sync builds a new search
 * index, catches up with concurrent writes and switches to it. The passes of every sync follow; they find changes
 * between catching up and the switch.
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
