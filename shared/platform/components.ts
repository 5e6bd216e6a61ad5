/** Parts of what a deployment holds, as its operator names them when they are to be saved or brought into line. */
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
