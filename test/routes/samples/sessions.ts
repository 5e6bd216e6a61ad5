import type { GroupSamples } from "./sample.ts";

export const sessions: GroupSamples = {
  things: {
    session: { path: "/sessions", body: { agent_id: "guide", user_id: "ada" } },
  },
  routes: {
    createSession: { body: { agent_id: "guide", user_id: "ada", title: "Tea" } },
    listSessions: { query: "limit=1" },
    getSession: { params: { id: "session" } },
  },
};
