import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import { explainRecall, recallMemories } from "./service.ts";

export const routes = newGroup(group);

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
