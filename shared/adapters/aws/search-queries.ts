import { occurredMs } from "../../kernel/event-time.ts";
import type { Keyword } from "../../language/words/keywords.ts";
import { isShort, MAX_SPELLINGS, SPELLING_WEIGHT, spellingsOf } from "../../language/words/spellings.ts";
import { OF_SKILLS } from "../../ports/partitions.ts";
import { facetTestOf, metadataPath, valueFacet } from "../../ports/search-facets.ts";
import type {
  AggregateField,
  BrowseRequest,
  DocumentOrder,
  NeighbourRequest,
  SearchCondition,
  SearchExpression,
  SearchFilters,
  SearchRequest,
  SearchScope,
} from "../../ports/search-index.ts";

/** Minimum candidates of the vector graph search; more candidates make the neighbours more exact. */
const MIN_CANDIDATES = 100;
const MAX_AGGREGATE_VALUES = 100;
const SUMMED = ["original_tokens", "compressed_tokens", "processing_ms"] as const;

const BEST_FIRST = [{ _score: "desc" }, { id: "asc" }] as const;

/** Returns a query without scores for the documents of a scope that are not deleted. */
export function inScope({ org, viewer, filters = {}, now, expired }: SearchScope) {
  const seen = viewer === undefined ? [] : [seenBy(viewer, now)];
  const only = expired === "only" ? [hasExpired(now)] : [];
  return {
    bool: {
      filter: [{ term: { org } }, { term: { deleted: false } }, ...seen, ...only, ...clausesOf(filters)],
      must_not: expired === undefined ? [hasExpired(now)] : [],
    },
  };
}

/** Returns a query for the memories of all organizations: only for counts that name none. */
export function ofAllMemories(now: number) {
  const ofSkills = { wildcard: { org: `*${OF_SKILLS}` } };
  return { bool: { filter: [{ term: { deleted: false } }], must_not: [hasExpired(now), ofSkills] } };
}

function hasExpired(now: number) {
  return { range: { expire_ms: { lte: now } } };
}

/** Returns a query for the documents that name an agent as a viewer whose access has not expired. */
function seenBy(agent: string, now: number) {
  const filter = [{ term: { "viewers.agent": agent } }];
  const must_not = [{ range: { "viewers.until_ms": { lte: now } } }];
  return { nested: { path: "viewers", query: { bool: { filter, must_not } } } };
}

function clausesOf({ ids, metadata = {}, where, ...others }: SearchFilters): object[] {
  const { created_after, created_before, occurred_after, occurred_before, ...named } = others;
  const oneOf = Object.entries({ id: ids, ...named });
  return [
    ...oneOf.flatMap(([field, values]) => (values === undefined ? [] : [{ terms: { [field]: values } }])),
    ...within("created_ms", created_after, created_before),
    ...within("occurred_ms", occurred_after, occurred_before).map((range) =>
      orWithoutEventTime(range, within("created_ms", occurred_after, occurred_before)),
    ),
    ...Object.entries(metadata).map(([path, value]) => ({ term: { facets: valueFacet(metadataPath(path), value) } })),
    ...(where === undefined ? [] : [expressionQuery(where)]),
  ];
}

/** Returns a query for one document per content hash, with its vector and without its text. */
export function vectorsQuery(org: string, hashes: string[]) {
  return {
    size: hashes.length,
    stored_fields: ["vector"],
    docvalue_fields: ["content_hash"],
    collapse: { field: "content_hash" },
    query: { bool: { filter: [{ term: { org } }, { term: { deleted: false } }, { terms: { content_hash: hashes } }] } },
  };
}

function within(field: "created_ms" | "occurred_ms", after: string | undefined, before: string | undefined): object[] {
  if (after === undefined && before === undefined) return [];
  const gte = after === undefined ? undefined : Date.parse(after);
  return [{ range: { [field]: { gte, lte: before === undefined ? undefined : Date.parse(before) } } }];
}

/** Adds an alternative to a test of the event time: documents indexed before format 3 only have a creation time. */
function orWithoutEventTime(test: object, creationTests: object[]): object {
  const earlier = { bool: { filter: creationTests, must_not: [{ exists: { field: "occurred_ms" } }] } };
  return { bool: { should: [test, earlier], minimum_should_match: 1 } };
}

function expressionQuery(expression: SearchExpression): object {
  if ("path" in expression) return conditionQuery(expression);
  if ("not" in expression) return { bool: { must_not: [expressionQuery(expression.not)] } };
  if ("all" in expression) return { bool: { filter: [{ match_all: {} }, ...expression.all.map(expressionQuery)] } };
  const should = [{ match_none: {} }, ...expression.any.map(expressionQuery)];
  return { bool: { should, minimum_should_match: 1 } };
}

function conditionQuery(condition: SearchCondition): object {
  if (condition.path !== "occurred_at") return facetQuery(condition);
  return orWithoutEventTime(facetQuery(condition), [facetQuery({ ...condition, path: "created_at" })]);
}

function facetQuery(condition: SearchCondition): object {
  const test = facetTestOf(condition);
  if ("among" in test) return { terms: { facets: test.among } };
  if ("part" in test) {
    const [prefix, part] = [test.prefix, test.part].map((text) => text.replace(/[\\*?]/g, "\\$&"));
    return { wildcard: { facets: { value: `${prefix}*${part}*` } } };
  }
  const { from, includesFrom, to, includesTo } = test;
  return { range: { facets: { [includesFrom ? "gte" : "gt"]: from, [includesTo ? "lte" : "lt"]: to } } };
}

/** Returns a query for the nearest vectors. The filter is part of the graph search, so that enough results remain. */
export function semanticQuery({ vector, limit }: NonNullable<SearchRequest["semantic"]>, scope: SearchScope) {
  return {
    size: limit,
    sort: BEST_FIRST,
    track_scores: true,
    query: {
      knn: { embedding: { vector: Array.from(vector), k: Math.max(limit, MIN_CANDIDATES), filter: inScope(scope) } },
    },
  };
}

/**
 * BM25 that counts each keyword once, by its best form, and the statistics of the same keywords. Named queries identify
 * a hit's forms (`matchedKeywords`). The statistics are of all documents that the viewer may see, so only hits are
 * limited to the scope and to documents with a keyword.
 */
export function keywordQuery(keywords: AskedKeyword[], limit: number, scope: SearchScope) {
  const { org, viewer, filters = {}, now, expired } = scope;
  const { filter, must_not } = inScope({ org, viewer, now, ...(expired !== undefined && { expired: "shown" }) }).bool;
  const should = keywords.map(({ forms, spelt }, index) => {
    const own = [...forms].map(([form, weight]) => {
      return { term: { terms: { value: form, _name: `${index} ${weight} ${form}` } } };
    });
    const others = spelt.map((form) => spellingQuery(form, `${index} ${SPELLING_WEIGHT} ${form} misspelt`));
    return { dis_max: { queries: [...own, ...others] } };
  });
  return {
    size: limit,
    sort: BEST_FIRST,
    track_scores: true,
    query: { bool: { filter, must_not, should, minimum_should_match: 0 } },
    post_filter: {
      bool: {
        filter: [...clausesOf(filters), ...(expired === "only" ? [hasExpired(now)] : [])],
        should: keywords.map(anyFormOf),
        minimum_should_match: 1,
      },
    },
    aggs: {
      current: {
        filter: { bool: { must_not: [hasExpired(now)] } },
        aggs: { terms: { filters: { filters: keywords.map(anyFormOf) } } },
      },
    },
  };
}

/** A keyword and those of its forms that also match words that differ by one edit. */
export interface AskedKeyword extends Keyword {
  spelt: string[];
}

/** A fuzzy query treats all edits alike; short words allow fewer edits, so their spellings are listed instead. */
function spellingQuery(form: string, _name?: string) {
  if (isShort(form)) return { terms: { terms: spellingsOf(form), ...(_name && { _name }) } };
  const bounds = { fuzziness: 1, max_expansions: MAX_SPELLINGS };
  return { fuzzy: { terms: { value: form, ...bounds, ...(_name && { _name }) } } };
}

/** Returns the keywords of a hit from its named queries, with the weights of those that it contains in another form. */
export function matchedKeywords(
  keywords: AskedKeyword[],
  names: string[],
): { terms: string[]; weights: Map<string, number> } {
  const best = new Map<string, number>();
  for (const name of names) {
    const [index, weight] = name.split(" ").map(Number);
    const term = keywords[index ?? -1]?.term;
    if (term !== undefined) best.set(term, Math.max(weight ?? 0, best.get(term) ?? 0));
  }
  return { terms: [...best.keys()], weights: new Map([...best].filter(([, weight]) => weight < 1)) };
}

/** Returns a query that counts the organization's documents that the viewer may see. */
export function documentsQuery({ org, viewer, now }: SearchScope) {
  return { size: 0, track_total_hits: true, query: inScope({ org, viewer, now }) };
}

function anyFormOf({ forms, spelt }: AskedKeyword) {
  const should = [{ terms: { terms: [...forms.keys()] } }, ...spelt.map((form) => spellingQuery(form))];
  return { bool: { should, minimum_should_match: 1 } };
}

/**
 * Returns one query for all neighbours: per document those right before and after it in the user's session, nearest
 * first, and per entity the documents that mention it, none if they are more than `maxMembers`.
 */
export function neighboursQuery({ documents, reach, entities, maxMembers, ...scope }: NeighbourRequest) {
  const { filter, must_not } = inScope(scope).bool;
  const sessions = new Map(documents.map((document) => [sessionKey(document), sessionQuery(document)]));
  const should = [...sessions.values(), ...(entities.length === 0 ? [] : [{ terms: { entity_ids: entities } }])];
  const nearest = (order: "asc" | "desc") => ({
    filters: { filters: documents.map((document) => besideQuery(document, order)) },
    aggs: { nearest: { top_hits: { size: reach, sort: [byTime("occurred_at", order), { id: order }] } } },
  });
  const members = { top_hits: { size: maxMembers, sort: [{ id: "asc" }] } };
  return {
    size: 0,
    query: { bool: { filter, must_not, should, minimum_should_match: 1 } },
    aggs: {
      ...(documents.length > 0 && { before: nearest("desc"), after: nearest("asc") }),
      ...(entities.length > 0 && {
        naming: {
          filters: { filters: entities.map((entity) => ({ term: { entity_ids: entity } })) },
          aggs: { nearest: members },
        },
      }),
    },
  };
}

type Placed = NeighbourRequest["documents"][number];

function sessionKey({ user_id, session_id }: Placed): string {
  return JSON.stringify([user_id, session_id]);
}

function sessionQuery({ user_id, session_id }: Placed) {
  const session = Object.entries({ user_id, session_id });
  const filter = session.flatMap(([field, value]) => (value === undefined ? [] : [{ term: { [field]: value } }]));
  const must_not = session.flatMap(([field, value]) => (value === undefined ? [{ exists: { field } }] : []));
  return { bool: { filter, must_not } };
}

/** Returns a query for the documents of a session before (`desc`) or after a document, by time, then id. */
function besideQuery(document: Placed, order: "asc" | "desc") {
  const beyond = order === "desc" ? "lt" : "gt";
  const moment = occurredMs(document);
  const sameTime = [atTime({ gte: moment, lte: moment }), { range: { id: { [beyond]: document.id } } }];
  const should = [atTime({ [beyond]: moment }), { bool: { filter: sameTime } }];
  return { bool: { filter: [sessionQuery(document), { bool: { should, minimum_should_match: 1 } }] } };
}

function atTime(bounds: object) {
  return orWithoutEventTime({ range: { occurred_ms: bounds } }, [{ range: { created_ms: bounds } }]);
}

/** Returns a sort by a time. Documents indexed before format 3 have only a creation time, which is used instead. */
function byTime(field: DocumentOrder, order: "asc" | "desc"): object {
  if (field === "created_at") return { created_ms: order };
  const own = `doc['${field === "occurred_at" ? "occurred_ms" : "updated_ms"}']`;
  const source = `${own}.size() == 0 ? doc['created_ms'].value : ${own}.value`;
  return { _script: { type: "number", order, script: { source } } };
}

/** Returns a query for a page of a scope in time order. */
export function browseQuery({
  order: field = "created_at",
  descending,
  offset,
  limit,
  after,
  ...scope
}: BrowseRequest) {
  const order = descending ? "desc" : "asc";
  return {
    from: offset,
    size: limit,
    track_total_hits: true,
    sort: [byTime(field, order), { id: order }],
    ...(after && { search_after: [Date.parse(after.created_at), after.id] }),
    query: inScope(scope),
  };
}

export function aggregateQuery(scope: SearchScope, fields: AggregateField[]) {
  const terms = fields.map((field) => [field, { terms: { field, size: MAX_AGGREGATE_VALUES } }]);
  const sums = SUMMED.map((field) => [field, { sum: { field } }]);
  return { size: 0, track_total_hits: true, query: inScope(scope), aggs: Object.fromEntries([...terms, ...sums]) };
}

/** Returns a query for a page of all or one organization's documents, after the document `previous` (org and id). */
export function listQuery(size: number, org: string | undefined, previous: [string, string] | undefined) {
  const partition = org === undefined ? [] : [{ term: { org } }];
  return {
    size,
    version: true,
    _source: false,
    sort: [{ org: "asc" }, { id: "asc" }],
    ...(previous && { search_after: previous }),
    query: { bool: { filter: [{ term: { deleted: false } }, ...partition] } },
  };
}

export function tombstonesBefore(milliseconds: number) {
  return { bool: { filter: [{ term: { deleted: true } }, { range: { deleted_ms: { lt: milliseconds } } }] } };
}
