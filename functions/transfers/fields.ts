/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "ExportFilters.type": "Only memories of this type.",
  "Event.type": "Kind of job.",
  "ExportFilters.user_id": "Only memories of this user.",
  "ExportFilters.category": "Only memories of this category.",
  "failures.fields": "Fields of the row that are refused.",
  failures: "Rows that were refused.",
  field: "Path of the field.",
};
