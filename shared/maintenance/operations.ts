/** What a clean-up may be asked for. */
export const CLEANUP_OPERATIONS = ["orphaned_memories", "expired_sessions", "old_logs", "temp_files"] as const;

export type CleanupOperation = (typeof CLEANUP_OPERATIONS)[number];

export interface CleanupOptions {
  operations: CleanupOperation[];
  dry_run: boolean;
  older_than_days: number;
  /**
   * ISO. Nothing is touched that was written later: at least a day before the clean-up began, which is far longer than
   * anything is in the middle of being written.
   */
  before: string;
}

/** Passes of a clean-up, in their order, and the operations that each of them works for. */
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

/** The last pass of a plan that works for an operation: behind it the operation is done. */
export function lastPassFor(operation: CleanupOperation, plan: string[]): number {
  return plan.findLastIndex((pass) => PASSES[pass]?.includes(operation));
}
