import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import { eraseProfile, readProfile } from "./profile.ts";
import * as schemas from "./schemas.ts";
import { explainRecall, recallMemories } from "./service.ts";

export const routes = newGroup(group);

const JSON_FORM = "application/json";
const PLAIN = "text/plain";
/** Media types that a profile is told in as text; its lists are Markdown. */
const TEXT_FORMS = [PLAIN, "text/markdown"];

routes.route(
  {
    method: "post",
    path: "/recall",
    name: "recallMemories",
    summary: "Fill a prompt: what is known for a query, as a block of at most so many tokens",
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
    summary: "Why a recall of the last day answered what it did",
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
    summary: "What is known of a user, an agent or an entity by users' own words: who they are, like, ask for and plan",
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
    summary: "Erase everything that is stored of a user, in the background",
    permission: "memory:delete",
    limit: "delete_memory",
    query: schemas.EraseProfile,
    answer: schemas.ErasureBegun,
    status: 202,
    admitsAgents: false,
  },
  (ctx, { params }) => eraseProfile(ctx, params.user_id),
);
