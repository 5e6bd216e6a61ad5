import type { GroupSamples } from "./sample.ts";

export const sessions: GroupSamples = {
  things: {
    session: { path: "/sessions", body: { agent_id: "guide", user_id: "ada" } },
  },
  routes: {
    createSession: { body: { agent_id: "guide", user_id: "ada", title: "Tea" } },
    listSessions: { query: "limit=1" },
    getSession: { params: { id: "session" } },
    updateSession: { params: { id: "session" }, body: { title: "Coffee" } },
    addMessage: { params: { id: "session" }, body: { role: "user", content: "I prefer tea." } },
    listMessages: { params: { id: "session" }, query: "limit=1" },
    readSessionContext: { params: { id: "session" } },
    updateSessionContext: { params: { id: "session" }, body: { context_updates: { city: "Zurich" } } },
  },
};
