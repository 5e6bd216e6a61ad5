/** Attributes that the index gsi3 holds in addition to the keys. */
export const FACETS = [
  "kind",
  "id",
  "user_id",
  "category",
  "type",
  "status",
  "created_at",
  "updated_at",
  "expire_at",
  "tier",
  "tokens",
  "access_type",
] as const;
