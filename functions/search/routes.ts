import { newGroup } from "../../shared/http/group.ts";
import { group } from "./group.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "get",
    path: "/search",
    name: "searchMemories",
    summary: "Search memories by words and meaning",
    permission: "search:read",
    limit: "basic_search",
    query: schemas.SimpleSearch,
    answer: schemas.SimpleResults,
    errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS"],
  },
  (ctx, { query }) => service.searchSimply(ctx, query),
);

routes.route(
  {
    method: "post",
    path: "/search",
    name: "searchMemoriesFiltered",
    summary: "Search memories with filters and orders",
    permission: "search:read",
    limit: "basic_search",
    body: schemas.FilteredSearch,
    answer: schemas.FilteredResults,
    readOnly: true,
    errors: ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS"],
  },
  (ctx, { body }) => service.searchFiltered(ctx, body),
);
