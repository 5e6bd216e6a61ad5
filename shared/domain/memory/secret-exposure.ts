/** How a secret is seen: as it was sent, as `[REDACTED:type]`, or not at all. */
export type SeenAs = "as sent" | "placeholder" | "type only";

/** What shows a secret under `mask`: to a request that names exactly the memory's user, and to all others. */
export interface Exposure {
  what: string;
  toItsUser: SeenAs;
  toOthers: SeenAs;
}

/**
 * Everything that shows stored texts, and how it shows a secret under `mask`. Under `redact` all of it has the
 * placeholder, because nothing else is stored. test/e2e/secret-exposure.test.ts walks this table.
 */
export const SECRET_EXPOSURE = {
  write: { what: "the answer of a write", toItsUser: "placeholder", toOthers: "placeholder" },
  get: { what: "`GET /memories/{id}`, for its user with `user_id`", toItsUser: "as sent", toOthers: "placeholder" },
  list: { what: "lists, also of mem0's clients", toItsUser: "as sent", toOthers: "placeholder" },
  search: { what: "searches, also of mem0's clients", toItsUser: "as sent", toOthers: "placeholder" },
  recall: { what: "`/recall`", toItsUser: "as sent", toOthers: "placeholder" },
  mcp: { what: "MCP's `recall`, `search` and `list`", toItsUser: "as sent", toOthers: "placeholder" },
  export: { what: "exports of memories", toItsUser: "as sent", toOthers: "placeholder" },
  versions: { what: "versions and history", toItsUser: "placeholder", toOthers: "placeholder" },
  facts: { what: "`/facts`", toItsUser: "placeholder", toOthers: "placeholder" },
  profile: { what: "profiles", toItsUser: "placeholder", toOthers: "placeholder" },
  session: { what: "messages, contexts and exports of sessions", toItsUser: "placeholder", toOthers: "placeholder" },
  index: { what: "words and vectors of the search index", toItsUser: "placeholder", toOthers: "placeholder" },
  webhook: { what: "webhooks", toItsUser: "placeholder", toOthers: "placeholder" },
  log: { what: "log lines", toItsUser: "type only", toOthers: "type only" },
  audit: { what: "audit records", toItsUser: "type only", toOthers: "type only" },
  backup: { what: "backups, which restore what was stored", toItsUser: "as sent", toOthers: "as sent" },
} as const satisfies Record<string, Exposure>;

export type Surface = keyof typeof SECRET_EXPOSURE;
