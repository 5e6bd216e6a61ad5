/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "last_sync.error": "Why the sync failed, in words.",
  "Connection.status": "`oauth_required` until the connection is authorized.",
  "failed.reason": "Why the item failed.",
  "Connection.provider": "Kind of provider that the connection reads from.",
  "last_sync.failed": "Number of failures.",
  "Connection.config": "Settings for the provider, without secrets.",
  last_sync: "The latest sync.",
  last_sync_at: "When the latest sync ended (ISO 8601, UTC); null: never.",
  sources_created: "New sources.",
  sources_updated: "Changed sources.",
  sources_removed: "Sources that no longer exist at the provider.",
  sources_deleted: "Number of deleted sources.",
  delete_documents: "Delete the sources of the connection too.",
};
