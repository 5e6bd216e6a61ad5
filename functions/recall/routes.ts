import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import { eraseProfile, readProfile } from "./profile.ts";
import * as schemas from "./schemas.ts";
import { explainRecall, listRecalls, recallMemories } from "./service.ts";

export const routes = newGroup(group);

const JSON_FORM = "application/json";
const PLAIN = "text/plain";
/** Media types in `Accept` that get the profile as text, with its lists in Markdown. */
const TEXT_FORMS = [PLAIN, "text/markdown"];

routes.post("/recall", "recallMemories", {
  summary: "Recall what is known for a query as a prompt block within a token budget",
  permission: "search:read",
  limit: "basic_search",
  body: schemas.Recall,
  answer: schemas.Recalled,
  readOnly: true,
  errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "SEARCH_TIMEOUT"],
  handler: (ctx, { body }) => recallMemories(ctx, body),
});

routes.get("/recall/{recall_id}", "explainRecall", {
  summary: "Explain a recall of the last 24 hours",
  permission: "search:read",
  answer: schemas.Explained,
  errors: ["RECALL_NOT_FOUND"],
  handler: (ctx, { params }) => explainRecall(ctx, params.recall_id),
});

routes.get("/recalls", "listRecalls", {
  summary: "List your own recalls of the last 24 hours",
  permission: "search:read",
  query: schemas.ListRecalls,
  answer: schemas.RecallList,
  handler: (ctx, { query }) => listRecalls(ctx, query),
});

routes.get("/profiles/{user_id}", "readProfile", {
  summary: "Get the profile of a user, an agent or an entity: identity, preferences, instructions and plans",
  permission: "memory:read",
  errors: ["SEARCH_TIMEOUT"],
  query: schemas.ReadProfile,
  answer: schemas.UserProfile,
  produces: TEXT_FORMS,
  handler: async (ctx, { params, query, accepts }) => {
    const profile = await readProfile(ctx, params.user_id, query.type);
    const [form] = query.format === undefined ? accepts : [query.format === "text" ? PLAIN : JSON_FORM];
    if (form === undefined || !TEXT_FORMS.includes(form)) return profile;
    return new Response(profile.text, { headers: { "content-type": `${form}; charset=utf-8`, vary: "accept" } });
  },
});

routes.delete("/profiles/{user_id}", "eraseProfile", {
  summary: "Erase all data of a user in the background",
  permission: "memory:delete",
  limit: "delete_memory",
  query: schemas.EraseProfile,
  answer: schemas.ErasureBegun,
  status: 202,
  allowsAgentKeys: false,
  handler: (ctx, { params }) => eraseProfile(ctx, params.user_id),
});
