import type { GroupSamples, Thing } from "./sample.ts";

/** Memories that amount to a pattern, of which no facts are read. */
function repeatedBy(user_id: string) {
  return ["2026-03-02", "2026-04-01", "2026-05-06"].map((day) => {
    const options = { extract_facts: false };
    return { content: "I flew to Lisbon.", user_id, occurred_at: `${day}T09:00:00Z`, options };
  });
}

/** Returns a pattern of a user, and the memories that it needs. */
function patternOf(thing: string, userOf: (name: string) => string): Record<string, Thing> {
  return {
    [`memories_of_${thing}`]: {
      path: "/memories/batch",
      body: ({ name }) => ({ memories: repeatedBy(userOf(name)) }),
      idField: "created.0.id",
    },
    [thing]: {
      params: { memories: `memories_of_${thing}` },
      path: "/patterns/find",
      body: ({ name }) => ({ user_id: userOf(name) }),
      idField: "job_id",
      found: { path: (name) => `/patterns?user_id=${encodeURIComponent(userOf(name))}`, idField: "patterns.0.id" },
    },
  };
}

export const facts: GroupSamples = {
  things: {
    ...patternOf("pattern", (name) => name),
    // A pattern that no test declines: what was declined is not found again.
    ...patternOf("other_pattern", (name) => `${name} too`),
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
    listPatterns: { query: "user_id=ada&limit=1" },
    getPattern: { params: { id: "pattern" } },
    findPatterns: { body: { user_id: "ada" } },
    declinePattern: { params: { id: "pattern" } },
    restorePattern: { params: { id: "other_pattern" } },
  },
  additions: [
    "GET /facts",
    "GET /graph",
    "GET /facts/{id}",
    "PUT /facts/{id}",
    "POST /facts/{id}/restore",
    "POST /facts/{id}/retract",
    "GET /patterns",
    "GET /patterns/{id}",
    "POST /patterns/find",
    "POST /patterns/{id}/decline",
    "POST /patterns/{id}/restore",
  ],
};
