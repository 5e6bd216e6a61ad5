/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "backup.expires_at": "When the backup is deleted (ISO 8601, UTC).",
  "Backup.retention_days": "Days until the backup is deleted.",
  "progress.records": "Records written.",
  "progress.blobs": "Blobs written.",
  "progress.bytes": "Bytes written.",
  "Backup.components": "Parts in the backup.",
  include_logs: "Whether the audit trail is included.",
  "Backup.compression_enabled": "Whether the archive is compressed.",
  size_bytes: "Size of the archive in bytes; null while it is written.",
};
