import type { GroupSamples } from "./sample.ts";

/** Not synchronized automatically: the samples send no requests to other services. */
const config = { url: "https://docs.example.com", sync_interval_minutes: 0 };

export const connections: GroupSamples = {
  things: { connection: { path: "/connections/web_crawler", body: { config } } },
  routes: {
    createConnection: { kinds: { provider: "web_crawler" }, body: { user_id: "ada", config } },
    listConnections: { query: "limit=1" },
    syncConnection: {
      params: { connection_id: "connection" },
      body: { documents: [{ title: "Tea", content: "Ada prefers tea.", external_id: "tea" }] },
    },
    deleteConnection: { params: { connection_id: "connection" }, query: "delete_documents=true" },
  },
};
