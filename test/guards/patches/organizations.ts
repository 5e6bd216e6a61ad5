import type { Patch } from "../patch.ts";

const ROUTES = "test/routes/routes.test.ts";
const INDEX_OF_AWS = "shared/platform/aws/search.test.ts";

/** How `find` and `replace` write what the sources have as a template: `$org` for the organization, and so on. */
function templated(text: string): string {
  return text.replaceAll(/\$(\w+)/g, "$${$1}");
}

/** A record whose key does not begin with the organization: whoever has its id reads it. `route`: one that names it. */
function key(what: string, file: string, find: string, replace: string, route: string): Patch {
  return {
    name: `record: ${what} is found by its organization`,
    kind: "organization",
    file,
    find: templated(find),
    replace: templated(replace),
    tests: [ROUTES],
    only: `^${route.replaceAll(/[{}]/g, "\\$&")} answers a foreign`,
  };
}

/** A list that is every organization's. `route`: one that tells it. */
function list(what: string, file: string, find: string, replace: string, route: string): Patch {
  return {
    name: `list: ${what} are listed by organization`,
    kind: "organization",
    file,
    find: templated(find),
    replace: templated(replace),
    tests: [ROUTES],
    only: `^what one organization has is nothing that ${route} tells`,
  };
}

const ofRecords: readonly Patch[] = [
  key(
    "a memory",
    "shared/memory/records.ts",
    "memoryKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "memoryKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /memories/{id}",
  ),
  key(
    "an entity",
    "shared/memory/records.ts",
    "entityKey = (org: string, id: string, viewer?: string): RecordKey => ({\n  pk: `$org#$id`",
    "entityKey = (_org: string, id: string, viewer?: string): RecordKey => ({\n  pk: `$id`",
    "GET /entities/{id}",
  ),
  key(
    "a session",
    "shared/sessions/records.ts",
    "collectionOf = (org: string, id: string): string => `$org#$id`",
    "collectionOf = (_org: string, id: string): string => `$id`",
    "GET /sessions/{id}",
  ),
  key(
    "a skill",
    "shared/skills/records.ts",
    "skillKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "skillKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /skills/{id}",
  ),
  key(
    "a review",
    "shared/skills/review-records.ts",
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
    "shared/agents/records.ts",
    "agentKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "agentKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /agents/{id}",
  ),
  key(
    "a group",
    "shared/agents/group-records.ts",
    "groupKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "groupKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /groups/{id}",
  ),
  key(
    "an API key",
    "shared/identity/records.ts",
    "apiKeyKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "apiKeyKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /api-keys/{id}",
  ),
  key(
    "a user",
    "shared/identity/users.ts",
    "userKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "userKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /admin/users/{id}",
  ),
  key(
    "an invitation",
    "shared/identity/invites.ts",
    "inviteKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "inviteKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /admin/invites/{id}",
  ),
  key(
    "a webhook",
    "shared/webhooks/records.ts",
    "webhookKey = (org: string, id: string): RecordKey => ({ pk: webhooksOf(org), sk: id })",
    "webhookKey = (_org: string, id: string): RecordKey => ({ pk: id, sk: id })",
    "GET /webhooks/{id}",
  ),
  key(
    "a dead letter",
    "shared/webhooks/dead-letters.ts",
    "deadLetterKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "deadLetterKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "POST /webhooks/dead-letter/{id}/retry",
  ),
  key(
    "a connection",
    "shared/connections/records.ts",
    "connectionKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "connectionKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "POST /connections/{connection_id}/sync",
  ),
  key(
    "a source",
    "shared/sources/view.ts",
    "sourceCollection = (org: string, id: string): string => `$org#source#$id`",
    "sourceCollection = (_org: string, id: string): string => `source#$id`",
    "GET /sources/{source_id}",
  ),
  key(
    "an event",
    "shared/compat/events.ts",
    "eventKey = (org: string, id: string): RecordKey => ({ pk: `$org#$id`",
    "eventKey = (_org: string, id: string): RecordKey => ({ pk: `$id`",
    "GET /events/{event_id}",
  ),
  key(
    "an import",
    "shared/transfers/records.ts",
    "collectionOf = (org: string, id: string): string => `$org#$id`",
    "collectionOf = (_org: string, id: string): string => `$id`",
    "GET /imports/{event_id}/failures",
  ),
  {
    name: "record: a content's claim is its organization's",
    kind: "organization",
    file: "shared/memory/claims.ts",
    find: templated("pk: `$org#content#$digest`"),
    replace: templated("pk: `content#$digest`"),
    tests: ["test/e2e/understanding.test.ts"],
    only: "^skip_duplicates (knows|answers)",
  },
  {
    name: "record: a skill's name is its organization's",
    kind: "organization",
    file: "shared/skills/records.ts",
    find: templated("namesOf = (org: string): string => `$org#skill-names`"),
    replace: "namesOf = (_org: string): string => `skill-names`",
    tests: ["test/e2e/skills.test.ts"],
    only: "^names are unique",
  },
  {
    name: "record: a source's identity is its organization's",
    kind: "organization",
    file: "shared/sources/records.ts",
    find: templated("pk: `$org#source-identity#$identity`"),
    replace: templated("pk: `source-identity#$identity`"),
    tests: ["test/e2e/sources.test.ts"],
    only: "^POST /sources/ingest keeps names",
  },
  {
    name: "record: an Idempotency-Key is its organization's",
    kind: "organization",
    file: "shared/http/idempotency.ts",
    find: "pk: `$" + "{ctx.org}#idempotency#$" + "{ctx.principal.id}`",
    replace: "pk: `idempotency`",
    tests: ["test/e2e/memories.test.ts"],
    only: "^Idempotency-Key belongs to one credential",
  },
  {
    name: "record: a project's settings are its organization's",
    kind: "organization",
    file: "functions/compat/rest/records.ts",
    find: templated("projectKey = (org: string): RecordKey => ({ pk: `$org#project`"),
    replace: "projectKey = (_org: string): RecordKey => ({ pk: `project`",
    tests: ["test/e2e/compat-mem0-rest.test.ts"],
    only: "^keeps what a project is set to",
  },
];

const ofLists: readonly Patch[] = [
  list(
    "memories",
    "shared/memory/records.ts",
    "memoriesOf = (org: string): string => `$org#memories`",
    "memoriesOf = (_org: string): string => `memories`",
    "GET /memories",
  ),
  list(
    "entities",
    "shared/memory/records.ts",
    "viewer === undefined ? `$org#entities`",
    "viewer === undefined ? `entities`",
    "GET /entities",
  ),
  list(
    "skills",
    "shared/skills/records.ts",
    "skillsOf = (org: string): string => `$org#skills`",
    "skillsOf = (_org: string): string => `skills`",
    "GET /skills",
  ),
  list(
    "reviews",
    "shared/skills/review-records.ts",
    "reviewsIn = (org: string, status: ReviewState): string => `$org#reviews#$status`",
    "reviewsIn = (_org: string, status: ReviewState): string => `reviews#$status`",
    "GET /reviews",
  ),
  list(
    "agents",
    "shared/agents/records.ts",
    "agentsOf = (org: string): string => `$org#agents`",
    "agentsOf = (_org: string): string => `agents`",
    "GET /agents",
  ),
  list(
    "groups",
    "shared/agents/group-records.ts",
    "groupsOf = (org: string): string => `$org#groups`",
    "groupsOf = (_org: string): string => `groups`",
    "GET /groups",
  ),
  list(
    "API keys",
    "shared/identity/records.ts",
    "apiKeysOf = (org: string): string => `$org#api_keys`",
    "apiKeysOf = (_org: string): string => `api_keys`",
    "GET /api-keys",
  ),
  list(
    "users",
    "shared/identity/users.ts",
    "usersOf = (org: string): string => `$org#users`",
    "usersOf = (_org: string): string => `users`",
    "GET /admin/users",
  ),
  list(
    "invitations",
    "shared/identity/invites.ts",
    "invitesOf = (org: string): string => `$org#invites`",
    "invitesOf = (_org: string): string => `invites`",
    "GET /admin/invites",
  ),
  list(
    "webhooks",
    "shared/webhooks/records.ts",
    "webhooksOf = (org: string): string => `$org#webhooks`",
    "webhooksOf = (_org: string): string => `webhooks`",
    "GET /webhooks",
  ),
  list(
    "deliveries",
    "shared/webhooks/delivery-log.ts",
    "logOf = (org: string): string => `$org#delivery-log`",
    "logOf = (_org: string): string => `delivery-log`",
    "GET /webhooks/delivery-logs",
  ),
  list(
    "dead letters",
    "shared/webhooks/dead-letters.ts",
    "deadLettersOf = (org: string): string => `$org#dead-letters`",
    "deadLettersOf = (_org: string): string => `dead-letters`",
    "GET /webhooks/dead-letter",
  ),
  list(
    "connections",
    "shared/connections/records.ts",
    "connectionsOf = (org: string): string => `$org#connections`",
    "connectionsOf = (_org: string): string => `connections`",
    "GET /connections",
  ),
  list(
    "sources",
    "shared/sources/records.ts",
    "sourcesIn = (org: string): string => `$org#sources`",
    "sourcesIn = (_org: string): string => `sources`",
    "GET /sources",
  ),
  list(
    "events",
    "shared/compat/events.ts",
    "agent === undefined ? `$org#events`",
    "agent === undefined ? `events`",
    "GET /v1/events",
  ),
  list(
    "whom memories are of",
    "shared/compat/subjects.ts",
    "subjectsIn = (org: string): string => `$org#subjects`",
    "subjectsIn = (_org: string): string => `subjects`",
    "GET /v1/entities",
  ),
  {
    name: "list: sessions are listed by organization",
    kind: "organization",
    file: "shared/sessions/records.ts",
    find: templated("const list = `$org#sessions#$order`"),
    replace: templated("const list = `$order`"),
    tests: ["test/e2e/sessions.test.ts"],
    only: "^listing sessions answers and counts none",
  },
  {
    name: "list: exports are found by organization",
    kind: "organization",
    file: "shared/transfers/records.ts",
    find: templated("exportsOf = (org: string): string => `$org#exports`"),
    replace: "exportsOf = (_org: string): string => `exports`",
    tests: ["test/e2e/compat-mem0-rest.test.ts"],
    only: "^writes exports by filters",
  },
  {
    name: "list: a user's memories are the organization's",
    kind: "organization",
    file: "shared/memory/records.ts",
    find: templated("memoriesOfUser = (org: string, user: string): string => `$org#memories#$user`"),
    replace: templated("memoriesOfUser = (_org: string, user: string): string => `memories#$user`"),
    tests: ["test/e2e/memories.test.ts"],
    only: "^lists never hold another organization's",
  },
  {
    name: "list: what names an entity is the organization's",
    kind: "organization",
    file: "shared/memory/records.ts",
    find: templated("memoriesOfEntity = (org: string, entity: string): string => `$org#$entity#memories`"),
    replace: templated("memoriesOfEntity = (_org: string, entity: string): string => `$entity#memories`"),
    tests: ["test/e2e/memories.test.ts"],
    only: "^entities",
  },
  {
    name: "list: a user's connections are the organization's",
    kind: "organization",
    file: "shared/connections/records.ts",
    find: templated("connectionsOfUser = (org: string, user: string): string => `$org#connections#$user`"),
    replace: templated("connectionsOfUser = (_org: string, user: string): string => `connections#$user`"),
    tests: ["test/e2e/connections.test.ts"],
    only: "^listing connections",
  },
  {
    name: "list: labelled sources are the organization's",
    kind: "organization",
    file: "shared/sources/records.ts",
    find: templated("sourcesLabelled = (org: string, org_id: string): string => `$org#sources#$org_id`"),
    replace: templated("sourcesLabelled = (_org: string, org_id: string): string => `sources#$org_id`"),
    tests: ["test/e2e/sources.test.ts"],
    only: "^GET /sources lists",
  },
  {
    name: "list: audit records are the organization's",
    kind: "organization",
    file: "shared/audit/records.ts",
    find: templated("auditOf = (org: string): string => `$org#audit`"),
    replace: "auditOf = (_org: string): string => `every#audit`",
    tests: ["shared/audit/audit.test.ts"],
  },
  {
    name: "list: people are the organization's",
    kind: "organization",
    file: "shared/memory/people.ts",
    find: templated("agent === undefined ? `$org#people#$user`"),
    replace: templated("agent === undefined ? `people#$user`"),
    tests: ["test/e2e/understanding.test.ts"],
    only: "^people",
  },
];

const ofFigures: readonly Patch[] = [
  {
    name: "figures: an organization's are its own",
    kind: "organization",
    file: "shared/stats/series.ts",
    find: templated("pkOf = ({ scope, name }: Subject): string => `$scope#rollup#$name`"),
    replace: templated("pkOf = ({ name }: Subject): string => `rollup#$name`"),
    tests: ["test/e2e/compression.test.ts"],
    only: "^statistics count what was done",
  },
  {
    name: "figures: an organization's queries are its own",
    kind: "organization",
    file: "shared/retrieval/statistics.ts",
    find: templated("pk: `$scope#queries`"),
    replace: "pk: `queries`",
    tests: ["test/e2e/search-modes.test.ts"],
    only: "^statistics",
  },
  {
    name: "figures: webhooks' are the organization's",
    kind: "organization",
    file: "shared/webhooks/figures.ts",
    find: templated("figuresOf = (org: string): string => `$org#webhook-figures`"),
    replace: "figuresOf = (_org: string): string => `webhook-figures`",
    tests: ["test/e2e/webhooks.test.ts"],
    only: "^an event is delivered, signed",
  },
];

/** The local index has a file an organization, so that no verb of it can forget the organization by itself. */
const ofSearch: readonly Patch[] = [
  {
    name: "search, one machine: an index is one organization's",
    kind: "organization",
    file: "shared/platform/local/search/organizations.ts",
    find: "const index = this.#open.get(org) ?? this.#openIndex(org);\n    if (index === undefined) return undefined;\n    this.#open.delete(org);\n    this.#open.set(org, index);",
    replace: `const index = this.#open.get("all") ?? this.#openIndex("all");\n    if (index === undefined || org === "") return undefined;\n    this.#open.set("all", index);`,
    tests: ["test/contract/search-local.test.ts"],
    only: "isolation",
  },
  {
    name: "search, AWS: every scope is one organization's",
    kind: "organization",
    file: "shared/platform/aws/search-queries.ts",
    find: "filter: [{ term: { org } }, { term: { deleted: false } }",
    replace: "filter: [...(org ? [] : []), { term: { deleted: false } }",
    tests: [INDEX_OF_AWS],
    only: "confines",
  },
  ...(
    [
      [
        "semantic search",
        "k: Math.max(limit, LEAST_CANDIDATES), filter: inScope(scope) }",
        "k: Math.max(limit, LEAST_CANDIDATES, scope.now * 0) }",
      ],
      [
        "keyword search",
        "query: { bool: { filter, must_not, should, minimum_should_match: 1 } }",
        "query: { bool: { filter: filter.slice(1), must_not, should, minimum_should_match: 1 } }",
      ],
      [
        "statistics",
        "    query: inScope({ org, viewer, now }),",
        "    query: org && viewer ? { now } : { match_all: {} },",
      ],
      [
        "neighbours in time",
        "query: { bool: { filter: [...filter, ...same], must_not: [...must_not, ...none] } }",
        "query: { bool: { filter: [...filter.slice(1), ...same], must_not: [...must_not, ...none] } }",
      ],
      [
        "neighbours by mention",
        "filter: [...filter, { term: { entity_ids: entity } }], must_not }",
        "filter: [...filter.slice(1), { term: { entity_ids: entity } }], must_not }",
      ],
      [
        "browsing",
        "...(after && { search_after: [Date.parse(after.created_at), after.id] }),\n    query: inScope(scope),",
        "...(after && { search_after: [Date.parse(after.created_at), after.id] }),\n    query: { match_all: scope && {} },",
      ],
      [
        "aggregates",
        "    track_total_hits: true,\n    query: inScope(scope),\n    aggs:",
        "    track_total_hits: true,\n    query: { match_all: scope && {} },\n    aggs:",
      ],
      [
        "listing",
        "filter: [{ term: { deleted: false } }, ...partition] }",
        "filter: [{ term: { deleted: false } }, ...partition.slice(1)] }",
      ],
    ] as const
  ).map(
    ([what, find, replace]): Patch => ({
      name: `search, AWS: ${what} is within the organization`,
      kind: "organization",
      file: "shared/platform/aws/search-queries.ts",
      find,
      replace,
      tests: [INDEX_OF_AWS],
      only: "confines",
    }),
  ),
  {
    name: "search, AWS: counting is within the organization",
    kind: "organization",
    file: "shared/platform/aws/search.ts",
    find: "        body: { query: inScope(scope) },",
    replace: "        body: { query: { match_all: inScope && {} } },",
    tests: [INDEX_OF_AWS],
    only: "confines",
  },
  {
    name: "search, AWS: a document is one organization's",
    kind: "organization",
    file: "shared/platform/aws/search.ts",
    find: "const action = { index: { _id: `$" + "{org}/$" + "{id}`, routing: org",
    replace: "const action = { index: { _id: id, routing: org",
    tests: [INDEX_OF_AWS],
  },
  {
    name: "search, AWS: a version is asked of one organization's document",
    kind: "organization",
    file: "shared/platform/aws/search.ts",
    find: "({ _id: `$" + "{org}/$" + "{id}`, routing: org, _source: false })",
    replace: "({ _id: id, routing: org, _source: false })",
    tests: [INDEX_OF_AWS],
    only: "confines",
  },
  {
    name: "search: skills are apart from memories",
    kind: "organization",
    file: "shared/retrieval/partitions.ts",
    find: templated("  return `$org$OF_SKILLS`;"),
    replace: "  return org;",
    tests: ["test/e2e/skills.test.ts"],
    only: "^finding skills by what comes up keeps",
  },
];

const ofWhole: readonly Patch[] = [
  {
    name: "restored: a home that has something already takes no archive",
    kind: "organization",
    file: "shared/backups/empty-home.ts",
    find: "  if (found !== undefined) throw new ArchiveRefused(",
    replace: "  if (found === mark) throw new ArchiveRefused(",
    tests: ["test/e2e/backups.test.ts"],
    only: "^(asking for a backup tells|archives that are refused.* > any, where)",
  },
  {
    name: "change feed: an event goes to its own organization's webhooks",
    kind: "organization",
    file: "shared/webhooks/emit.ts",
    find: "const organizations = Map.groupBy(new Map(named).values(), ({ org }) => org);",
    replace:
      "const every = [...new Map(named).values()];\n  const organizations = new Map(every.map(({ org }) => [org, every]));",
    tests: ["shared/webhooks/emit.test.ts"],
  },
];

/** What is one organization's and no other's. */
export const ORGANIZATION_PATCHES: readonly Patch[] = [...ofRecords, ...ofLists, ...ofFigures, ...ofSearch, ...ofWhole];
