import type { GroupSamples } from "./sample.ts";

export const sessions: GroupSamples = {
  things: {
    session: { path: "/sessions", body: { agent_id: "guide", user_id: "ada" } },
    archived_session: { path: "/sessions/{id}/archive", params: { id: "session" }, body: {} },
  },
  routes: {
    createSession: { body: { agent_id: "guide", user_id: "ada", title: "Tea" } },
    listSessions: { query: "limit=1" },
    getSession: { params: { id: "session" } },
    updateSession: { params: { id: "session" }, body: { title: "Coffee" } },
    addMessage: { params: { id: "session" }, body: { role: "user", content: "I prefer tea." } },
    listMessages: { params: { id: "session" }, query: "limit=1" },
    readSessionContext: { params: { id: "session" } },
    readSessionAnalytics: { query: "time_range=day" },
    closeSession: { params: { id: "session" }, body: { reason: "done" } },
    readSessionStats: { params: { id: "session" } },
    exportSession: { params: { id: "session" }, query: "format=markdown" },
    duplicateSession: { params: { id: "session" }, body: { new_title: "Tea again" } },
    archiveSession: { params: { id: "session" }, body: { retention_period_days: 30 } },
    restoreSession: { params: { id: "archived_session" } },
    updateSessionContext: { params: { id: "session" }, body: { context_updates: { city: "Zurich" } } },
  },
  additions: ["POST /sessions/{id}/restore"],
};
