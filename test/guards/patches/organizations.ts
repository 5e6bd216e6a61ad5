import { guards, type Patch, type Row } from "../patch.ts";
import { BACKUPS, COMPRESSION, CONNECTIONS, INDEX, INDEX_OF_AWS, MEMORIES, ROUTES, WEBHOOKS } from "./tests.ts";

/** A record whose key does not begin with the organization: whoever has its id reads it. `route`: one that names it. */
function key(what: string, file: string, find: string, replace: string, route: string): Row {
  const only = `^${route.replaceAll(/[{}]/g, "\\$&")} answers a foreign`;
  return [`record: ${what} is found by its organization`, file, find, replace, [ROUTES], only];
}

/** A list that is every organization's. `route`: one that tells it. */
function list(what: string, file: string, find: string, replace: string, route: string): Row {
  const only = `^what one organization has is nothing that ${route} tells`;
  return [`list: ${what} are listed by organization`, file, find, replace, [ROUTES], only];
}

/** A question to the index of AWS that is asked of every organization's documents. */
function question(what: string, find: string, replace: string): Row {
  const name = `search, AWS: ${what} is within the organization`;
  return [name, "shared/adapters/aws/search-queries.ts", find, replace, [INDEX_OF_AWS], "confines"];
}

const ofRecords = guards("organization", [
  key(
    "a memory",
    "shared/domain/memory/memory-keys.ts",
    "memoryKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "memoryKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /memories/{id}",
  ),
  key(
    "an entity",
    "shared/domain/memory/entity-records.ts",
    "entityKey = (org: string, id: string, viewer?: string): RecordKey => ({\n  pk: `$org#$id`",
    "entityKey = (_org: string, id: string, viewer?: string): RecordKey => ({\n  pk: `$id`",
    "GET /entities/{id}",
  ),
  key(
    "a session",
    "shared/domain/sessions/records.ts",
    "collectionOf = (org: string, id: string): string => `$org#$id`",
    "collectionOf = (_org: string, id: string): string => `$id`",
    "GET /sessions/{id}",
  ),
  key(
    "a skill",
    "shared/domain/agents/skills/records.ts",
    "skillKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "skillKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /skills/{id}",
  ),
  key(
    "a review",
    "shared/domain/agents/skills/review-records.ts",
    "reviewKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "reviewKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /reviews/{id}",
  ),
  key(
    "a chain",
    "functions/skills/chain-records.ts",
    "chainKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "chainKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /chains/{id}/executions",
  ),
  key(
    "an agent",
    "shared/domain/agents/records.ts",
    "agentKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "agentKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /agents/{id}",
  ),
  key(
    "a group",
    "shared/domain/agents/group-records.ts",
    "groupKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "groupKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /groups/{id}",
  ),
  key(
    "an API key",
    "shared/domain/identity/records.ts",
    "apiKeyKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "apiKeyKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /api-keys/{id}",
  ),
  key(
    "a user",
    "shared/domain/identity/users.ts",
    "userKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "userKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /admin/users/{id}",
  ),
  key(
    "an invitation",
    "shared/domain/identity/invites.ts",
    "inviteKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "inviteKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /admin/invites/{id}",
  ),
  key(
    "a webhook",
    "shared/domain/integration/webhooks/records.ts",
    "webhookKey = (org: string, id: string): RecordKey => ({ pk: webhooksOf(org), sk: id })",
    "webhookKey = (_org: string, id: string): RecordKey => ({ pk: id, sk: id })",
    "GET /webhooks/{id}",
  ),
  key(
    "a dead letter",
    "shared/domain/integration/webhooks/dead-letters.ts",
    "deadLetterKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "deadLetterKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "POST /webhooks/dead-letter/{id}/retry",
  ),
  key(
    "a connection",
    "shared/domain/knowledge/connections/records.ts",
    "connectionKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "connectionKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "POST /connections/{connection_id}/sync",
  ),
  key(
    "a source",
    "shared/domain/memory/chunk-visibility.ts",
    "sourceCollection = (org: string, id: string): string => `$org#source#$id`",
    "sourceCollection = (_org: string, id: string): string => `source#$id`",
    "GET /sources/{source_id}",
  ),
  key(
    "an event",
    "shared/domain/integration/compat/events.ts",
    "eventKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "eventKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /events/{event_id}",
  ),
  key(
    "an import",
    "shared/runtime/jobs/stored-form.ts",
    "jobKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "jobKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /imports/{event_id}/failures",
  ),
  [
    "record: a content's claim is its organization's",
    "shared/domain/memory/claims.ts",
    "pk: `$org#content#$digest`",
    "pk: `content#$digest`",
    ["test/e2e/understanding.test.ts"],
    "^skip_duplicates (knows|answers)",
  ],
  [
    "record: a skill's name is its organization's",
    "shared/domain/agents/skills/records.ts",
    "namesOf = (org: string): string => `$org#skill-names`",
    "namesOf = (_org: string): string => `skill-names`",
    ["test/e2e/skills.test.ts"],
    "^names are unique",
  ],
  [
    "record: a source's identity is its organization's",
    "shared/domain/knowledge/sources/records.ts",
    "pk: `$org#source-identity#$identity`",
    "pk: `source-identity#$identity`",
    ["test/e2e/sources.test.ts"],
    "^POST /sources/ingest keeps names",
  ],
  [
    "record: an Idempotency-Key is its organization's",
    "shared/runtime/http/idempotency.ts",
    "pk: `$" + "{ctx.org}#idempotency#$" + "{ctx.principal.id}`",
    "pk: `idempotency`",
    [MEMORIES],
    "^Idempotency-Key belongs to one credential",
  ],
  [
    "record: a project's settings are its organization's",
    "shared/domain/memory/project.ts",
    "projectKey = (org: string): RecordKey => ({ pk: `$org#project`",
    "projectKey = (_org: string): RecordKey => ({ pk: `project`",
    ["test/e2e/compat-mem0-rest.test.ts"],
    "^keeps what a project is set to",
  ],
]);

const ofLists = guards("organization", [
  list(
    "memories",
    "shared/domain/memory/memory-keys.ts",
    "memoriesOf = (org: string): string => `$org#memories`",
    "memoriesOf = (_org: string): string => `memories`",
    "GET /memories",
  ),
  list(
    "entities",
    "shared/domain/memory/entity-records.ts",
    "viewer === undefined ? `$org#entities`",
    "viewer === undefined ? `entities`",
    "GET /entities",
  ),
  list(
    "skills",
    "shared/domain/agents/skills/records.ts",
    "skillsOf = (org: string): string => `$org#skills`",
    "skillsOf = (_org: string): string => `skills`",
    "GET /skills",
  ),
  list(
    "reviews",
    "shared/domain/agents/skills/review-records.ts",
    "reviewsIn = (org: string, status: ReviewState): string => `$org#reviews#$status`",
    "reviewsIn = (_org: string, status: ReviewState): string => `reviews#$status`",
    "GET /reviews",
  ),
  list(
    "agents",
    "shared/domain/agents/records.ts",
    "agentsOf = (org: string): string => `$org#agents`",
    "agentsOf = (_org: string): string => `agents`",
    "GET /agents",
  ),
  list(
    "groups",
    "shared/domain/agents/group-records.ts",
    "groupsOf = (org: string): string => `$org#groups`",
    "groupsOf = (_org: string): string => `groups`",
    "GET /groups",
  ),
  list(
    "API keys",
    "shared/domain/identity/records.ts",
    "apiKeysOf = (org: string): string => `$org#api_keys`",
    "apiKeysOf = (_org: string): string => `api_keys`",
    "GET /api-keys",
  ),
  list(
    "users",
    "shared/domain/identity/users.ts",
    "usersOf = (org: string): string => `$org#users`",
    "usersOf = (_org: string): string => `users`",
    "GET /admin/users",
  ),
  list(
    "invitations",
    "shared/domain/identity/invites.ts",
    "invitesOf = (org: string): string => `$org#invites`",
    "invitesOf = (_org: string): string => `invites`",
    "GET /admin/invites",
  ),
  list(
    "webhooks",
    "shared/domain/integration/webhooks/records.ts",
    "webhooksOf = (org: string): string => `$org#webhooks`",
    "webhooksOf = (_org: string): string => `webhooks`",
    "GET /webhooks",
  ),
  list(
    "deliveries",
    "shared/domain/integration/webhooks/delivery-log.ts",
    "logOf = (org: string): string => `$org#delivery-log`",
    "logOf = (_org: string): string => `delivery-log`",
    "GET /webhooks/delivery-logs",
  ),
  list(
    "dead letters",
    "shared/domain/integration/webhooks/dead-letters.ts",
    "deadLettersOf = (org: string): string => `$org#dead-letters`",
    "deadLettersOf = (_org: string): string => `dead-letters`",
    "GET /webhooks/dead-letter",
  ),
  list(
    "connections",
    "shared/domain/knowledge/connections/records.ts",
    "connectionsOf = (org: string): string => `$org#connections`",
    "connectionsOf = (_org: string): string => `connections`",
    "GET /connections",
  ),
  list(
    "sources",
    "shared/domain/knowledge/sources/records.ts",
    "sourcesIn = (org: string): string => `$org#sources`",
    "sourcesIn = (_org: string): string => `sources`",
    "GET /sources",
  ),
  list(
    "events",
    "shared/domain/integration/compat/events.ts",
    "agent === undefined ? `$org#events`",
    "agent === undefined ? `events`",
    "GET /v1/events",
  ),
  list(
    "whom memories are of",
    "shared/domain/integration/compat/subjects.ts",
    "subjectsIn = (org: string): string => `$org#subjects`",
    "subjectsIn = (_org: string): string => `subjects`",
    "GET /v1/entities",
  ),
  [
    "list: sessions are listed by organization",
    "shared/domain/sessions/records.ts",
    "const list = `$org#sessions#$order`",
    "const list = `$order`",
    ["test/e2e/sessions.test.ts"],
    "^listing sessions answers and counts none",
  ],
  [
    "list: exports are found by organization",
    "shared/runtime/jobs/stored-form.ts",
    "listOf = (org: string, name: string): string => `$org#jobs#$name`",
    "listOf = (_org: string, name: string): string => `jobs#$name`",
    ["test/e2e/compat-mem0-rest.test.ts"],
    "^writes exports by filters",
  ],
  [
    "list: a user's memories are the organization's",
    "shared/domain/memory/memory-keys.ts",
    "memoriesOfUser = (org: string, user: string): string => `$org#memories#$user`",
    "memoriesOfUser = (_org: string, user: string): string => `memories#$user`",
    [MEMORIES],
    "^lists never hold another organization's",
  ],
  [
    "list: what names an entity is the organization's",
    "shared/domain/memory/entity-records.ts",
    "memoriesOfEntity = (org: string, entity: string): string => `$org#$entity#memories`",
    "memoriesOfEntity = (_org: string, entity: string): string => `$entity#memories`",
    [MEMORIES],
    "^entities",
  ],
  [
    "list: a user's connections are the organization's",
    "shared/domain/knowledge/connections/records.ts",
    "connectionsOfUser = (org: string, user: string): string => `$org#connections#$user`",
    "connectionsOfUser = (_org: string, user: string): string => `connections#$user`",
    [CONNECTIONS],
    "^listing connections",
  ],
  [
    "list: labelled sources are the organization's",
    "shared/domain/knowledge/sources/records.ts",
    "sourcesLabelled = (org: string, org_id: string): string => `$org#sources#$org_id`",
    "sourcesLabelled = (_org: string, org_id: string): string => `sources#$org_id`",
    ["test/e2e/sources.test.ts"],
    "^GET /sources lists",
  ],
  [
    "list: audit records are the organization's",
    "shared/runtime/audit/records.ts",
    "auditOf = (org: string): string => `$org#audit`",
    "auditOf = (_org: string): string => `every#audit`",
    ["shared/runtime/audit/audit.test.ts"],
  ],
  [
    "list: people are the organization's",
    "shared/domain/memory/people.ts",
    "agent === undefined ? `$org#people#$user`",
    "agent === undefined ? `people#$user`",
    ["test/e2e/understanding.test.ts"],
    "^people",
  ],
]);

const ofMetrics = guards("organization", [
  [
    "figures: an organization's are its own",
    "shared/runtime/stats/series.ts",
    "pkOf = ({ scope, name }: Subject): string => `$scope#rollup#$name`",
    "pkOf = ({ name }: Subject): string => `rollup#$name`",
    [COMPRESSION],
    "^statistics count what was done",
  ],
  [
    "figures: an organization's queries are its own",
    "shared/domain/retrieval/statistics.ts",
    "pk: `$scope#queries`",
    "pk: `queries`",
    ["test/e2e/search-modes.test.ts"],
    "^statistics",
  ],
  [
    "figures: webhooks' are the organization's",
    "shared/domain/integration/webhooks/metrics.ts",
    "metricsOf = (org: string): string => `$org#webhook-figures`",
    "metricsOf = (_org: string): string => `webhook-figures`",
    [WEBHOOKS],
    "^an event is delivered, signed",
  ],
]);

/** The local index has a file an organization, so that no verb of it can forget the organization by itself. */
const ofSearch = guards("organization", [
  [
    "search, one machine: an index is one organization's",
    "shared/adapters/local/search/organizations.ts",
    "const index = this.#open.get(org) ?? this.#openIndex(org);\n    this.#open.delete(org);\n    this.#open.set(org, index);",
    `const index = this.#open.get("all") ?? this.#openIndex(org === "" ? org : "all");\n    this.#open.set("all", index);`,
    [INDEX],
    "isolation",
  ],
  [
    "search, AWS: every scope is one organization's",
    "shared/adapters/aws/search-queries.ts",
    "filter: [{ term: { org } }, { term: { deleted: false } }, ...seen",
    "filter: [...(org ? [] : []), { term: { deleted: false } }, ...seen",
    [INDEX_OF_AWS],
    "confines",
  ],
  question(
    "semantic search",
    "k: Math.max(limit, MIN_CANDIDATES), filter: inScope(scope) }",
    "k: Math.max(limit, MIN_CANDIDATES, scope.now * 0) }",
  ),
  question(
    "keyword search",
    "query: { bool: { filter, must_not, should, minimum_should_match: 1 } }",
    "query: { bool: { filter: filter.slice(1), must_not, should, minimum_should_match: 1 } }",
  ),
  question(
    "statistics",
    "    query: inScope({ org, viewer, now }),",
    "    query: org && viewer ? { now } : { match_all: {} },",
  ),
  question(
    "neighbours in time",
    "query: { bool: { filter: [...filter, ...same], must_not: [...must_not, ...none] } }",
    "query: { bool: { filter: [...filter.slice(1), ...same], must_not: [...must_not, ...none] } }",
  ),
  question(
    "neighbours by mention",
    "filter: [...filter, { term: { entity_ids: entity } }], must_not }",
    "filter: [...filter.slice(1), { term: { entity_ids: entity } }], must_not }",
  ),
  question(
    "browsing",
    "...(after && { search_after: [Date.parse(after.created_at), after.id] }),\n    query: inScope(scope),",
    "...(after && { search_after: [Date.parse(after.created_at), after.id] }),\n    query: { match_all: scope && {} },",
  ),
  question(
    "aggregates",
    "    track_total_hits: true,\n    query: inScope(scope),\n    aggs:",
    "    track_total_hits: true,\n    query: { match_all: scope && {} },\n    aggs:",
  ),
  question(
    "listing",
    "filter: [{ term: { deleted: false } }, ...partition] }",
    "filter: [{ term: { deleted: false } }, ...partition.slice(1)] }",
  ),
  [
    "search, AWS: counting is within the organization",
    "shared/adapters/aws/embedder-index.ts",
    "        body: { query: inScope(scope) },",
    "        body: { query: { match_all: inScope && {} } },",
    [INDEX_OF_AWS],
    "confines",
  ],
  [
    "search, AWS: a document is one organization's",
    "shared/adapters/aws/embedder-index.ts",
    "const action = { index: { _id: `$org/$id`, routing: org",
    "const action = { index: { _id: id, routing: org",
    [INDEX_OF_AWS],
  ],
  [
    "search, AWS: a version is asked of one organization's document",
    "shared/adapters/aws/embedder-index.ts",
    "({ _id: `$org/$id`, routing: org, _source: false })",
    "({ _id: id, routing: org, _source: false })",
    [INDEX_OF_AWS],
    "confines",
  ],
  [
    "search: skills are apart from memories",
    "shared/ports/partitions.ts",
    "  return `$org$OF_SKILLS`;",
    "  return org;",
    ["test/e2e/skills.test.ts"],
    "^finding skills by what comes up keeps",
  ],
]);

const ofWhole = guards("organization", [
  [
    "restored: a home that has something already takes no archive",
    "shared/domain/operations/backups/empty-stores.ts",
    "  if (found !== undefined)\n    throw new InvalidArchiveError(",
    "  if (found === mark)\n    throw new InvalidArchiveError(",
    [BACKUPS],
    "^(asking for a backup tells|archives that are refused.* > any, where)",
  ],
  [
    "change feed: an event goes to its own organization's webhooks",
    "shared/domain/integration/webhooks/emit.ts",
    "const occurrences = Map.groupBy(new Map(named).values(), ({ org }) => org);",
    "const every = [...new Map(named).values()];\n  const occurrences = new Map(every.map(({ org }) => [org, every]));",
    ["shared/domain/integration/webhooks/emit.test.ts"],
  ],
]);

/** What is one organization's and no other's. */
export const ORGANIZATION_PATCHES: readonly Patch[] = [...ofRecords, ...ofLists, ...ofMetrics, ...ofSearch, ...ofWhole];
