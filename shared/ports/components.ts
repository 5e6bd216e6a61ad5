/** The parts of a deployment's data as operators name them for backups and syncs. */
export const COMPONENTS = [
  "memories",
  "sessions",
  "skills",
  "agents",
  "sources",
  "webhooks",
  "users",
  "config",
  "search_index",
  "blobs",
] as const;

export type Component = (typeof COMPONENTS)[number];
