import { guards, type Patch, type Row } from "../patch.ts";
import { AGENT_KEYS, AGENTS, CONTEXT, INDEX, INDEX_OF_AWS, MEM0, MEMORIES } from "./tests.ts";

/** A verb of the index that answers an agent what it may not see. */
function seeing(verb: string, find: string, replace: string): Row {
  return [`search, of an agent: ${verb} what it may see`, "shared/runtime/context.ts", find, replace, [CONTEXT]];
}

const ofSearch = guards("viewer", [
  seeing("finds", "search: (request) => index.search(seen(request)),", "search: (request) => index.search(request),"),
  seeing(
    "is led to",
    "neighbours: (request) => index.neighbours(seen(request)),",
    "neighbours: (request) => index.neighbours(request),",
  ),
  seeing("counts", "count: (scope) => index.count(seen(scope)),", "count: (scope) => index.count(scope),"),
  seeing("browses", "browse: (request) => index.browse(seen(request)),", "browse: (request) => index.browse(request),"),
  seeing(
    "adds up",
    "aggregate: (scope, terms) => index.aggregate(seen(scope), terms),",
    "aggregate: (scope, terms) => index.aggregate(scope, terms),",
  ),
  [
    "search, one machine: a scope is the viewer's",
    "shared/adapters/local/search/scope.ts",
    "  if (viewer !== undefined) parts.push(",
    "  if (viewer === null) parts.push(",
    [INDEX],
    "viewers",
  ],
  [
    "search, one machine: a scope is the viewer's until their time is up",
    "shared/adapters/local/search/scope.ts",
    "(v.until_ms IS NULL OR v.until_ms > ?)",
    "(v.until_ms IS NULL OR ? > 0)",
    [INDEX],
    "viewers",
  ],
  [
    "search, one machine: terms are counted as far as the viewer sees",
    "shared/adapters/local/search/organization.ts",
    "    if (viewer !== undefined) return this.#statisticsOf({ org, viewer, now }, found);",
    "    if (viewer === org) return this.#statisticsOf({ org, viewer, now }, found);",
    [INDEX],
    "viewers",
  ],
  [
    "search, AWS: a scope is the viewer's",
    "shared/adapters/aws/search-queries.ts",
    "const seen = viewer === undefined ? [] : [seenBy(viewer, now)];",
    "const seen = viewer === undefined || viewer ? [] : [seenBy(viewer, now)];",
    [INDEX_OF_AWS],
    "confines",
  ],
  [
    "search, AWS: a scope is the viewer's until their time is up",
    "shared/adapters/aws/search-queries.ts",
    `query: { bool: { filter, must_not } } } };\n}\n\nfunction clausesOf`,
    `query: { bool: { filter, must_not: must_not.slice(1) } } } };\n}\n\nfunction clausesOf`,
    [INDEX_OF_AWS],
    "confines",
  ],
]);

const ofMemories = guards("viewer", [
  [
    "memories: an agent finds what it may see",
    "shared/domain/memory/records.ts",
    "return !hasExpired && accessLevelOf(memory, viewer, now) !== undefined;",
    "return !hasExpired && (viewer === undefined || accessLevelOf !== undefined);",
    [AGENT_KEYS],
    "^a key made for an agent sees what the agent stored",
  ],
  [
    "memories: an expired one is none",
    "shared/domain/memory/records.ts",
    "return !hasExpired && accessLevelOf(memory, viewer, now) !== undefined;",
    "return (hasExpired || !hasExpired) && accessLevelOf(memory, viewer, now) !== undefined;",
    [MEMORIES],
    "^expiry",
  ],
  [
    "memories: an agent's lists are what it may see",
    "shared/domain/memory/memory-lists.ts",
    "await (ctx.viewer === undefined\n    ? readList(ctx, filter, sort, page)",
    "await (ctx.viewer === undefined || ctx.viewer\n    ? readList(ctx, filter, sort, page)",
    [AGENT_KEYS],
    "^a key made for an agent lists",
  ],
  [
    "memories: what is shared is seen by who it is shared with",
    "shared/domain/memory/visibility.ts",
    "share.agent_id === viewer && lasts(share, now)",
    "lasts(share, now)",
    ["shared/domain/memory/visibility.test.ts"],
  ],
  [
    "memories: a share ends",
    "shared/domain/memory/visibility.ts",
    "  return expires_at === undefined || Date.parse(expires_at) > now;",
    "  return expires_at === undefined || now > 0;",
    ["shared/domain/memory/visibility.test.ts"],
  ],
  [
    "memories: what is shared for reading is not changed",
    "shared/domain/memory/revise.ts",
    "    if (memory) requireAccess(memory, ctx, needed);\n",
    "    if (memory && !needed) requireAccess(memory, ctx, needed);\n",
    [AGENT_KEYS],
    "^a key made for an agent reads and does not change",
  ],
  [
    "memories: what is shared for writing is not ended",
    "shared/domain/memory/revise.ts",
    `const needed = change.expire_at === undefined ? "read_write" : "own";`,
    `const needed = change.expire_at === undefined ? "read_write" : "read_write";`,
    [AGENT_KEYS],
    "^a key made for an agent changes what is shared",
  ],
  [
    "memories: what is shared is not deleted",
    "shared/domain/memory/revise.ts",
    `return updateMemoryWithRetry(ctx, id, { needed: "own", ifMatch }, async (memory) => {`,
    `return updateMemoryWithRetry(ctx, id, { needed: "read_write", ifMatch }, async (memory) => {`,
    [AGENT_KEYS],
    "^a key made for an agent changes what is shared",
  ],
  [
    "memories: what is shared for reading is not rated",
    "shared/domain/memory/feedback.ts",
    `  requireAccess(await getMemory(ctx, id), ctx, "read_write");`,
    "  if (requireAccess) await getMemory(ctx, id);",
    [AGENT_KEYS],
    "^a key made for an agent reads and does not change",
  ],
  [
    "memories: a content's claim is its agent's",
    "shared/domain/memory/claims.ts",
    "...(agent_id === undefined ? [] : [agent_id])",
    "...(agent_id === undefined || agent_id ? [] : [agent_id])",
    [AGENT_KEYS],
    "^a key made for an agent skips duplicates",
  ],
  [
    "memories: what an agent stores is the agent's",
    "shared/domain/memory/create.ts",
    "  const agent_id = ctx.viewer;\n",
    "  const agent_id = undefined;\n",
    [AGENT_KEYS],
    "^a key made for an agent sees what the agent stored",
  ],
  [
    "entities: an agent finds those that it knows",
    "shared/domain/memory/entity-records.ts",
    '  sk: viewer === undefined ? "entity" : `entity#$viewer`,',
    `  sk: viewer === undefined || viewer ? "entity" : "entity",`,
    [AGENT_KEYS],
    "^an agent's key on every route of memories and search (answers GET /entities|links)",
  ],
  [
    "entities: an agent finds none by others' memories",
    "shared/domain/memory/entities.ts",
    "    return visible && fromItem<Entity>(visible);\n",
    "    if (visible) return fromItem<Entity>(visible);\n",
    [AGENT_KEYS],
    "^an agent's key on every route of memories and search (answers GET /entities|links)",
  ],
  [
    "entities: an agent's list is what it knows",
    "shared/domain/memory/entities.ts",
    "    pk: entitiesOf(org, viewer),",
    "    pk: entitiesOf(org, viewer && undefined),",
    [AGENT_KEYS],
    "^an agent's key on every route of memories and search is told by GET /entities",
  ],
  [
    "entities: an agent knows none that only memories named which it sees no more",
    "shared/domain/memory/entities.ts",
    "  return entities.filter((_, place) => visible[place]);",
    "  return entities.filter((_, place) => visible[place] || true);",
    ["test/e2e/entity-visibility.test.ts"],
    "^an agent's key knows the entities of a shared memory until",
  ],
  [
    "entities: an agent counts the mentions that it sees",
    "shared/domain/memory/entities.ts",
    "  if (viewer !== undefined) return ports.search.count({ org, filters: { entity_ids: [entity] }, now: clock() });",
    "  if (viewer === org) return ports.search.count({ org, filters: { entity_ids: [entity] }, now: clock() });",
    [AGENT_KEYS],
    "^an agent's key on every route of memories and search counts",
  ],
  [
    "people: an agent knows those of what it stored",
    "shared/domain/memory/people.ts",
    "agent === undefined ? `$org#people#$user` : peopleOfAgent(org, agent);",
    "agent === undefined || peopleOfAgent ? `$org#people#$user` : user;",
    [AGENT_KEYS],
    "^a key made for an agent knows people",
    // An agent's keys begin with the user: the other layer.
    [
      {
        file: "shared/domain/memory/people.ts",
        find: `(agent === undefined ? "" : JSON.stringify([user]))`,
        replace: `(agent === undefined || user ? "" : agent)`,
      },
    ],
  ],
  [
    "sources: chunks out of view are none",
    "shared/domain/memory/chunk-visibility.ts",
    "return place === undefined || current.get(place.source_id) === place.generation;",
    "return place === undefined || current !== undefined;",
    ["shared/domain/memory/chunk-visibility.test.ts"],
  ],
]);

const ofTheRest = guards("viewer", [
  [
    "sessions: an agent finds its own",
    "shared/domain/sessions/records.ts",
    "  return isLive && (viewer === undefined || viewer === agent_id);",
    "  return isLive && (viewer === undefined || agent_id !== undefined);",
    [AGENT_KEYS],
    "^an agent's key and sessions are (to|found)",
  ],
  [
    "sessions: an agent's lists are its own",
    "shared/domain/sessions/records.ts",
    "  if (viewer === undefined) return filter;",
    "  if (viewer === undefined || filter) return filter;",
    [AGENT_KEYS],
    "^an agent's key and sessions are (found|counted)",
  ],
  [
    "sessions: an agent begins its own",
    "functions/sessions/service.ts",
    `  if (viewer !== undefined && viewer !== agent_id) throw notFound("agent", agent_id);\n`,
    "",
    [AGENT_KEYS],
    "^an agent's key and sessions are begun",
  ],
  [
    "sessions: an agent is told the preferences that it sees",
    "shared/domain/sessions/preferences.ts",
    "  return ctx.viewer === undefined ? findAll(ctx, user, most) : findSeen(ctx, user, most);",
    "  return findSeen ? findAll(ctx, user, most) : findSeen;",
    [AGENT_KEYS],
    "^an agent's key and sessions remember",
  ],
  [
    "agents: an agent finds itself alone",
    "functions/agents/service.ts",
    "const isHidden = ctx.viewer !== undefined && ctx.viewer !== id;",
    "const isHidden = ctx.viewer === id && ctx.viewer !== id;",
    [AGENT_KEYS],
    "^a key made for an agent knows of agents",
  ],
  [
    "agents: an agent lists itself alone",
    "functions/agents/service.ts",
    "    ctx.viewer === undefined\n      ? await readAgents",
    "    ctx.viewer === undefined || listItself\n      ? await readAgents",
    [AGENT_KEYS],
    "^a key made for an agent knows of agents",
  ],
  [
    "events: an agent finds what its keys began",
    "shared/domain/integration/compat/events.ts",
    "  return event && (viewer === undefined || event.by.agent === viewer) ? event : undefined;",
    "  return event && (viewer === undefined || event.by) ? event : undefined;",
    [MEM0],
    "^a key made for an agent is told",
  ],
  [
    "events: an agent lists what its keys began",
    "shared/domain/integration/compat/events.ts",
    "const query = { index, pk: eventsOf(org, viewer), where, descending: true };",
    `const query = { index: "gsi1" as const, pk: eventsOf(org, index && undefined), where, descending: true };`,
    [MEM0],
    "^a key made for an agent is told",
  ],
  [
    "traces: an agent finds those of what it stored",
    "shared/domain/integration/compat/traces.ts",
    "  return trace && (viewer === undefined || trace.agent_id === viewer) ? trace : undefined;",
    "  return trace && (viewer === undefined || trace.org) ? trace : undefined;",
    [MEM0],
    "^a key made for an agent is told",
  ],
  [
    "figures: an agent's queries are its own",
    "shared/domain/retrieval/statistics.ts",
    "(agent === undefined ? org : `$org#$agent`);",
    "(agent === undefined || agent ? org : agent);",
    [AGENT_KEYS],
    "^an agent's key on every route of memories and search is told by GET /search/stats",
  ],
]);

const ofOrganizations = guards("organization", [
  [
    "sessions: names of ours are of one's organization",
    "functions/sessions/service.ts",
    `  if (isAgent && !agent) throw notFound("agent", agent_id);\n`,
    "",
    ["test/e2e/sessions.test.ts"],
    "^beginning a session takes names",
  ],
  [
    "shares: an agent that is shared with is the organization's",
    "shared/domain/agents/shares.ts",
    `    if (!(await findAgent(ctx.ports.records, ctx.org, agent))) throw notFound("agent", agent);\n`,
    "",
    [AGENTS],
    "^memories shared with an agent must be there",
    // Looked at before and again in the transaction: the other layers.
    [
      {
        file: "functions/agents/memories.ts",
        find: `["memory:read"]);\n  await requireAgent(ctx, id);`,
        replace: `["memory:read"]);`,
      },
      {
        file: "shared/domain/agents/shares.ts",
        find: `    { check: agentKey(ctx.org, agent), condition: "present" },\n`,
        replace: "",
      },
    ],
  ],
  [
    "skills: those that are held are the organization's",
    "functions/agents/service.ts",
    "  await getSkills(ctx, skills);\n  await writeOrThrow(",
    "  await writeOrThrow(",
    [AGENTS],
    "^a new agent is refused with skills",
    // Looked at again in the transaction: the other layer.
    [
      {
        file: "shared/domain/agents/skill-links.ts",
        find: `      { check: skillKey(org, skill), condition: "present" },\n`,
        replace: "",
      },
    ],
  ],
]);

const ofGrants = guards("permission", [
  [
    "shares: nobody gives more than they hold",
    "functions/agents/memories.ts",
    `  requireHeld(ctx.principal.permissions, isWritable ? ["memory:read", "memory:write"] : ["memory:read"]);\n`,
    "",
    [AGENTS],
    "^memories shared with an agent come from",
  ],
]);

/** What an agent's key finds of what its organization has. */
export const VIEWER_PATCHES: readonly Patch[] = [
  ...ofSearch,
  ...ofMemories,
  ...ofTheRest,
  ...ofOrganizations,
  ...ofGrants,
];
