/** The API operations that the client calls, by the client's own names. */
export const OPERATIONS = {
  remember: { method: "POST", path: "/memories" },
  get: { method: "GET", path: "/memories/{id}" },
  update: { method: "PUT", path: "/memories/{id}" },
  forget: { method: "DELETE", path: "/memories/{id}" },
  list: { method: "GET", path: "/memories" },
  search: { method: "POST", path: "/search" },
  recall: { method: "POST", path: "/recall" },
  profile: { method: "GET", path: "/profiles/{user_id}" },
  createSession: { method: "POST", path: "/sessions" },
  appendMessage: { method: "POST", path: "/sessions/{id}/messages" },
  addSource: { method: "POST", path: "/sources/ingest" },
} as const;
