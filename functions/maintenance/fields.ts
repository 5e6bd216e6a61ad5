/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "Job.type": "Kind of job.",
  "Job.status": "`superseded`: a forced sync replaced it.",
  submitted_by: "User or API key that submitted it.",
  "Sync.components": "Parts to check against the records.",
  component: "Part of the service.",
  operations: "What to clean up.",
  operation: "What was cleaned up.",
  operation_results: "Outcome of each operation.",
  cleanup_summary: "Totals of the cleanup.",
  operations_performed: "Number of operations that ran.",
  total_items_processed: "Items that were deleted or repaired.",
  space_freed_mb: "Freed storage in MiB.",
  time_taken_ms: "Time that the work took, in milliseconds.",
  passes_done: "Passes that ended.",
  current_pass: "The pass in work.",
  works: "Work that was set aside after repeated failures.",
};
