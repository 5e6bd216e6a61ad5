/** Attributes that gsi3 holds besides the keys. */
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
