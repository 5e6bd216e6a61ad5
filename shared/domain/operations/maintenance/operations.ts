/** Operations of a cleanup. */
export const CLEANUP_OPERATIONS = ["orphaned_memories", "expired_sessions", "old_logs", "temp_files"] as const;

export type CleanupOperation = (typeof CLEANUP_OPERATIONS)[number];

export interface CleanupOptions {
  operations: CleanupOperation[];
  dry_run: boolean;
  older_than_days: number;
  /**
   * ISO 8601. Later writes are not touched: at least a day before the cleanup started, much longer than any write in
   * progress.
   */
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

export function planCleanup({ operations }: Pick<CleanupOptions, "operations">): string[] {
  return Object.keys(PASSES).filter((pass) => PASSES[pass]?.some((operation) => operations.includes(operation)));
}

/** The last pass that serves an operation: after it the operation is done. */
export function lastPassFor(operation: CleanupOperation, plan: string[]): number {
  return plan.findLastIndex((pass) => PASSES[pass]?.includes(operation));
}
