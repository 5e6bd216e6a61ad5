import type { GroupSamples } from "./sample.ts";

export const facts: GroupSamples = {
  things: {
    fact: {
      path: "/memories",
      body: ({ name }) => ({ content: "I live in Zurich.", user_id: name }),
      found: { path: "/facts?limit=1", idField: "facts.0.id" },
    },
  },
  routes: {
    listFacts: { query: "limit=1" },
    readGraph: { query: "user_id=user_1" },
    getFact: { params: { id: "fact" } },
    correctFact: { params: { id: "fact" }, body: { value: "Basel" } },
    restoreFact: { params: { id: "fact" } },
    retractFact: { params: { id: "fact" } },
  },
  additions: [
    "GET /facts",
    "GET /graph",
    "GET /facts/{id}",
    "PUT /facts/{id}",
    "POST /facts/{id}/restore",
    "POST /facts/{id}/retract",
  ],
};
