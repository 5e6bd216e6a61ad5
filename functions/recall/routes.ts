import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import { eraseProfile, readProfile } from "./profile.ts";
import * as schemas from "./schemas.ts";
import { explainRecall, recallMemories } from "./service.ts";

export const routes = newGroup(group);

const JSON_FORM = "application/json";
const PLAIN = "text/plain";
/** Media types in `Accept` that get the profile as text, with its lists in Markdown. */
const TEXT_FORMS = [PLAIN, "text/markdown"];

routes.route(
  {
    method: "post",
    path: "/recall",
    name: "recallMemories",
    summary: "Recall what is known for a query as a prompt block within a token budget",
    permission: "search:read",
    limit: "basic_search",
    body: schemas.Recall,
    answer: schemas.Recalled,
    readOnly: true,
    errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "SEARCH_TIMEOUT"],
  },
  (ctx, { body }) => recallMemories(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/recall/{recall_id}",
    name: "explainRecall",
    summary: "Explain a recall of the last 24 hours",
    permission: "search:read",
    answer: schemas.Explained,
    errors: ["RECALL_NOT_FOUND"],
  },
  (ctx, { params }) => explainRecall(ctx, params.recall_id),
);

routes.route(
  {
    method: "get",
    path: "/profiles/{user_id}",
    name: "readProfile",
    summary: "Get the profile of a user, an agent or an entity: identity, preferences, instructions and plans",
    permission: "memory:read",
    query: schemas.ReadProfile,
    answer: schemas.UserProfile,
    produces: TEXT_FORMS,
  },
  async (ctx, { params, query, accepts }) => {
    const profile = await readProfile(ctx, params.user_id, query.type);
    const [asked] = query.format === undefined ? accepts : [query.format === "text" ? PLAIN : JSON_FORM];
    if (asked === undefined || !TEXT_FORMS.includes(asked)) return profile;
    return new Response(profile.text, { headers: { "content-type": `${asked}; charset=utf-8`, vary: "accept" } });
  },
);

routes.route(
  {
    method: "delete",
    path: "/profiles/{user_id}",
    name: "eraseProfile",
    summary: "Erase all data of a user in the background",
    permission: "memory:delete",
    limit: "delete_memory",
    query: schemas.EraseProfile,
    answer: schemas.ErasureBegun,
    status: 202,
    allowsAgentKeys: false,
  },
  (ctx, { params }) => eraseProfile(ctx, params.user_id),
);
