import { readSearchStatistics } from "../../shared/domain/retrieval/statistics.ts";
import { newGroup } from "../../shared/runtime/http/group.ts";
import { searchAdvanced } from "./advanced.ts";
import { changeSearchConfig, readSearchConfig } from "./configuration.ts";
import { searchEnhanced, searchEnhancedByQuery } from "./enhanced.ts";
import { group } from "./group.ts";
import { searchHybrid } from "./hybrid.ts";
import * as schemas from "./schemas.ts";
import { searchByQuery, searchFiltered } from "./service.ts";

export const routes = newGroup(group, { permission: "search:read" });

/** Errors of every search in addition to those of its route. */
const SEARCH_ERRORS = ["INVALID_QUERY", "QUERY_TOO_LONG", "INVALID_FILTERS", "SEARCH_TIMEOUT"] as const;

routes.get("/search", "searchMemories", {
  summary: "Search memories by keywords and meaning",
  limit: "basic_search",
  query: schemas.SimpleSearch,
  answer: schemas.SimpleResults,
  errors: SEARCH_ERRORS,
  handler: (ctx, { query }) => searchByQuery(ctx, query),
});

routes.post("/search", "searchMemoriesFiltered", {
  summary: "Search memories with filters and sort orders",
  limit: "basic_search",
  body: schemas.FilteredSearch,
  answer: schemas.FilteredResults,
  readOnly: true,
  errors: SEARCH_ERRORS,
  handler: (ctx, { body }) => searchFiltered(ctx, body),
});

routes.post("/search/advanced", "searchMemoriesAdvanced", {
  summary: "Search memories with boosts and aggregations",
  limit: "advanced_search",
  body: schemas.AdvancedSearch,
  answer: schemas.AdvancedResults,
  readOnly: true,
  errors: SEARCH_ERRORS,
  handler: (ctx, { body }) => searchAdvanced(ctx, body),
});

routes.post("/search/hybrid", "searchMemoriesHybrid", {
  summary: "Search memories with separate weights and scores for meaning and keywords",
  limit: "advanced_search",
  body: schemas.HybridSearch,
  answer: schemas.HybridResults,
  readOnly: true,
  errors: SEARCH_ERRORS,
  handler: (ctx, { body }) => searchHybrid(ctx, body),
});

const ENHANCED_ERRORS = [...SEARCH_ERRORS, "INVALID_MODE", "INSUFFICIENT_RESULTS"] as const;

routes.get("/search/enhanced", "searchMemoriesByActivation", {
  summary: "Search memories by spreading activation",
  limit: "spreading_search",
  query: schemas.EnhancedSearch,
  answer: schemas.EnhancedResults,
  errors: ENHANCED_ERRORS,
  handler: (ctx, { query }) => searchEnhancedByQuery(ctx, query),
});

routes.post("/search/enhanced", "searchMemoriesByActivationFiltered", {
  summary: "Search memories by spreading activation with filters",
  limit: "spreading_search",
  body: schemas.EnhancedSearchBody,
  answer: schemas.EnhancedResults,
  readOnly: true,
  errors: ENHANCED_ERRORS,
  handler: (ctx, { body }) => searchEnhanced(ctx, body),
});

routes.get("/search/stats", "readSearchStatistics", {
  summary: "Get search statistics: count, latency and quality",
  answer: schemas.SearchStatistics,
  handler: (ctx) => readSearchStatistics(ctx),
});

routes.get("/search/config", "readSearchConfig", {
  summary: "Get the default settings and limits of searches",
  answer: schemas.SearchConfig,
  handler: (ctx) => readSearchConfig(ctx),
});

routes.put("/search/config", "changeSearchConfig", {
  summary: "Update the default settings of searches for the whole deployment",
  permission: "admin:all",
  allowsAgentKeys: false,
  body: schemas.SearchConfigChange,
  answer: schemas.SearchConfig,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => changeSearchConfig(ctx, body),
});
