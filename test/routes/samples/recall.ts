import type { GroupSamples } from "./sample.ts";

export const recall: GroupSamples = {
  things: { recall: { path: "/recall", body: { query: "tea", user_id: "*" }, idField: "recall_id" } },
  routes: {
    recallMemories: { body: { query: "tea", user_id: "user_1" } },
    listRecalls: {},
    explainRecall: { params: { recall_id: "recall" } },
    readProfile: { kinds: { user_id: "user_1" } },
    eraseProfile: { kinds: { user_id: "user_1" }, query: "erase=true" },
  },
  additions: [
    "POST /recall",
    "GET /recalls",
    "GET /recall/{recall_id}",
    "GET /profiles/{user_id}",
    "DELETE /profiles/{user_id}",
  ],
};
