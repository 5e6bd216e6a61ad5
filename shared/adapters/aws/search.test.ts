import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { type LoopbackServer, listenOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { isBackendFault } from "../../ports/backend-faults.ts";
import type { SearchDocument, SearchIndex } from "../../ports/search-index.ts";
import { openSearch } from "./search.ts";
import { INDEX_FORMAT, type IndexMeta } from "./search-mapping.ts";

const VECTOR = new Float32Array([1, 0]);
const EMBEDDER = { id: "Test/Embedder:2", dimensions: 2 };
const INDEX = "memories-test-embedder-2";
const IN_USE = `${INDEX}_in-use`;
/** Pattern of all index names of the deployment. */
const EVERY = "memories-*";
const written = { version: 3, content: "green tea", embedding: VECTOR };
const document: SearchDocument = { ...BLANK_DOCUMENT, org: "org_1", id: "mem_1", ...written };

interface Received {
  path: string;
  query: string;
  lines: { [name: string]: unknown }[];
}

/** The server answers each request with the next answer for the last segment of its path; the last answer repeats. */
describe("OpenSearch's faults", () => {
  let server: LoopbackServer;
  let index: SearchIndex;
  let received: Received[];
  let isSilent: boolean;
  let closed: Promise<unknown>[];
  let answers: { [action: string]: { status?: number; body: object }[] };

  beforeAll(async () => {
    server = await listenOnLoopback(async (incoming, outgoing) => {
      const { pathname: path, search: query } = new URL(incoming.url ?? "/", "http://localhost");
      const body = await text(incoming);
      received.push({ path, query, lines: body.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : [])) });
      closed.push(once(incoming.socket, "close"));
      if (isSilent) return;
      const queue = answers[path.split("/").at(-1) ?? ""] ?? [];
      const { status = 200, body: answer } = (queue.length > 1 ? queue.shift() : queue[0]) ?? { body: {} };
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    isSilent = false;
    [received, closed] = [[], []];
    answers = { [EVERY]: [found({})], _bulk: [items(201)] };
    index = await open();
  });

  const open = () =>
    openSearch({ SEARCH_ENDPOINT: server.url, SEARCH_INDEX: "memories" }, EMBEDDER, { clock: () => 0 });
  const items = (...statuses: number[]) => ({
    body: { items: statuses.map((status) => ({ index: { _id: "x", status, error: { reason: "because" } } })) },
  });
  const found = (meta: IndexMeta, aliases: string[] = [IN_USE]) => ({
    body: { [INDEX]: { aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])), mappings: { _meta: meta } } },
  });
  const none = { body: {} };
  const sent = (action: string, index = action === "_bulk" ? IN_USE : INDEX) =>
    received.filter(({ path }) => path === `/${index}/${action}`);

  it("updates the index on the first write of the process, and creates it if it is missing", async () => {
    answers[EVERY] = [found({}, [])];
    await index.upsert([document]);
    await index.upsert([document]);
    const paths = [`/${EVERY}`, `/${INDEX}/_mapping`, "/_aliases", `/${IN_USE}/_bulk`, `/${IN_USE}/_bulk`];
    expect(received.map(({ path }) => path)).toEqual(paths);
    const another = await open();
    answers[EVERY] = [none];
    received = [];
    await another.upsert([document]);
    expect(received.map(({ path }) => path)).toEqual([`/${EVERY}`, `/${INDEX}`, `/${IN_USE}/_bulk`]);
  });

  it("requires an alias for writes, because a name would create an index", async () => {
    await index.upsert([document]);
    const [write] = received.slice(-1);
    expect([write?.path, write?.query]).toEqual([`/${IN_USE}/_bulk`, "?require_alias=true"]);
  });

  it("refuses an index of a release that is newer than the next one", async () => {
    const newer = { release: "9.1.0", embedder: EMBEDDER.id };
    answers[EVERY] = [found({ ...newer, format: INDEX_FORMAT + 2 }), found({ ...newer, format: INDEX_FORMAT + 1 })];
    await expect(index.upsert([document])).rejects.toThrow(/was written by release 9\.1\.0/);
    await expect(index.upsert([document])).resolves.toBeUndefined();
    // This release must not add its fields to an index of the next release.
    expect(sent("_mapping")).toEqual([]);
  });

  it("tries again to create the index after a failure", async () => {
    answers[EVERY] = [none];
    answers[INDEX] = [{ status: 403, body: { error: { type: "security_exception" } } }, { body: {} }];
    await expect(index.upsert([document])).rejects.toThrow("security_exception");
    await expect(index.upsert([document])).resolves.toBeUndefined();
  });

  it("orders a removal between its version and the next", async () => {
    await index.upsert([document]);
    await index.remove([{ org: "org_1", id: "mem_1", version: 3 }]);
    await index.upsert([{ ...document, version: 4 }]);
    const actions = sent("_bulk").map(({ lines }) => lines[0]?.index as { version: number; version_type: string });
    expect(actions.map(({ version }) => version)).toEqual([6, 7, 8]);
    expect(actions.every(({ version_type }) => version_type === "external_gte")).toBe(true);
  });

  it("counts a stale write as done", async () => {
    answers._bulk = [items(409)];
    await expect(index.upsert([document])).resolves.toBeUndefined();
    expect(sent("_bulk")).toHaveLength(1);
  });

  it("sends only documents again that the engine was too busy for", async () => {
    answers._bulk = [items(201, 429, 409), items(201)];
    await index.upsert(["a", "b", "c"].map((id) => ({ ...document, id })));
    const idOf = ({ index: action }: object & { index?: unknown }) => (action as { _id?: string })?._id ?? [];
    const ids = sent("_bulk").map(({ lines }) => lines.flatMap(idOf));
    expect(ids).toEqual([["org_1/a", "org_1/b", "org_1/c"], ["org_1/b"]]);
  });

  it("throws the engine's reason for a refused document", async () => {
    answers._bulk = [items(201, 400)];
    await expect(index.upsert([document, { ...document, id: "b" }])).rejects.toThrow("because");
  });

  it.each([
    ["a document it refused", { type: "mapper_parsing_exception" }, 400, false],
    ["an engine that failed", { type: "exception" }, 500, true],
    ["an engine whose disk is nearly full", { type: "cluster_block_exception" }, 403, true],
  ])("classifies the error of %s", async (_name, error, status, isTheEngines) => {
    answers._bulk = [{ body: { items: [{ index: { _id: "x", status, error } }] } }];
    const fault = await index.upsert([document]).catch((thrown: unknown) => thrown);
    expect([fault, isBackendFault(fault)]).toEqual([expect.any(Error), isTheEngines]);
  });

  it("retries a failed request once, but not a purge", async () => {
    answers[EVERY] = [{ status: 503, body: {} }];
    await expect(index.upsert([document])).rejects.toMatchObject({ statusCode: 503 });
    expect(received).toHaveLength(2);
    answers._delete_by_query = [{ status: 503, body: {} }];
    await expect(index.purge(0)).rejects.toMatchObject({ statusCode: 503 });
    expect(sent("_delete_by_query")).toHaveLength(1);
  });

  it("rewrites every segment that has deleted documents, at the end of an erasure", async () => {
    expect(await index.scrub?.("org_1")).toBe(true);
    expect(sent("_settings")[0]?.lines).toEqual([{ "index.merge.policy.expunge_deletes_allowed": 0 }]);
    const [merge] = sent("_forcemerge");
    expect(String(merge?.query)).toContain("only_expunge_deletes=true");
    answers._forcemerge = [{ status: 503, body: {} }];
    await expect(index.scrub?.("org_1")).rejects.toMatchObject({ statusCode: 503 });
    expect(sent("_forcemerge")).toHaveLength(2);
  });

  it("splits large batches", async () => {
    await index.upsert(Array.from({ length: 4 }, () => ({ ...document, content: "x".repeat(2_000_000) })));
    expect(sent("_bulk").map(({ lines }) => lines.length / 2)).toEqual([2, 2]);
  });

  it("throws when one query of a search fails", async () => {
    const empty = { hits: { total: { value: 0 }, hits: [] } };
    answers._msearch = [{ body: { responses: [empty, { error: { type: "timeout" }, status: 500 }] } }];
    const request = { org: "org_1", now: 0, semantic: { vector: VECTOR, limit: 1 } };
    await expect(index.search({ ...request, keyword: { text: "tea", limit: 1 } })).rejects.toThrow("keyword query");
  });

  it("confines every query of a search to the organization, in one request", async () => {
    const empty = { hits: { total: { value: 0 }, hits: [] } };
    answers._msearch = [{ body: { responses: [empty, empty] } }];
    const semantic = { vector: VECTOR, limit: 1 };
    await index.search({ org: "org_1", now: 0, semantic, keyword: { text: "green tea", limit: 1 } });
    expect(received).toHaveLength(1);
    const lines = received[0]?.lines ?? [];
    const [headers, queries] = [0, 1].map((odd) => lines.filter((_line, position) => position % 2 === odd));
    expect(headers?.map(({ routing }) => routing)).toEqual(["org_1", "org_1"]);
    expect(queries).toHaveLength(2);
    for (const query of queries ?? []) expect(JSON.stringify(query)).toContain('"filter":[{"term":{"org":"org_1"}}');
  });

  it("confines every verb to the organization, and to what the requesting agent may see", async () => {
    const answer = { hits: { total: { value: 0 }, hits: [] }, aggregations: {} };
    const many = Array.from({ length: 3 }, () => answer);
    const scope = { org: "org_1", viewer: "agent_1", now: 7 };
    const vector = VECTOR;
    const neighbours = { ...scope, documents: [document], reach: 1, entities: ["ent_1"], maxMembers: 1 };
    const verbs: [string, number, () => Promise<unknown>][] = [
      ["semantic search", 1, () => index.search({ ...scope, semantic: { vector, limit: 1 } })],
      ["keyword search", 1, () => index.search({ ...scope, keyword: { text: "tea", limit: 1 } })],
      ["neighbours", 1, () => index.neighbours(neighbours)],
      ["browse", 1, () => index.browse({ ...scope, descending: true, offset: 0, limit: 1 })],
      ["aggregate", 1, () => index.aggregate(scope, ["type"])],
      ["count", 1, () => index.count(scope)],
    ];
    answers._count = [{ body: { count: 0 } }];
    for (const [verb, queries, ask] of verbs) {
      answers._msearch = [{ body: { responses: many.slice(0, queries) } }];
      received = [];
      await ask();
      const asked = received.flatMap(({ lines }) => lines.map((line) => JSON.stringify(line)));
      const scoped = asked.filter((line) => line.includes('"query"'));
      expect([verb, scoped.length]).toEqual([verb, queries]);
      for (const query of scoped) {
        expect([verb, query]).toEqual([verb, expect.stringContaining('{"term":{"org":"org_1"}}')]);
        expect([verb, query]).toEqual([verb, expect.stringContaining('{"term":{"viewers.agent":"agent_1"}}')]);
        expect([verb, query]).toEqual([verb, expect.stringContaining('{"range":{"viewers.until_ms":{"lte":7}}}')]);
      }
    }
  });

  it("confines what it lists, looks up and stores to the organization", async () => {
    answers._msearch = [{ body: { responses: [{ hits: { hits: [] } }] } }];
    answers._mget = [{ body: { docs: [{}] } }];
    await index.list({ org: "org_1", limit: 1 });
    expect(JSON.stringify(sent("_msearch")[0]?.lines[1])).toContain('{"term":{"org":"org_1"}}');
    await index.versions([{ org: "org_1", id: "mem_1" }]);
    expect(sent("_mget")[0]?.lines[0]).toEqual({ docs: [{ _id: "org_1/mem_1", routing: "org_1", _source: false }] });
    await index.upsert([document]);
    expect(sent("_bulk")[0]?.lines[0]).toMatchObject({ index: { _id: "org_1/mem_1", routing: "org_1" } });
  });

  it("cancels a request on its signal, and does not retry it", async () => {
    isSilent = true;
    const controller = new AbortController();
    const scope = { org: "org_1", now: 0, signal: controller.signal };
    const semantic = { vector: VECTOR, limit: 1 };
    const settled = Promise.allSettled([index.search({ ...scope, semantic }), index.count(scope)]);
    await expect.poll(() => received.length).toBe(2);
    controller.abort();
    for (const { status } of await settled) expect(status).toBe("rejected");
    await Promise.all(closed);
    await expect(index.search({ ...scope, semantic })).rejects.toThrow();
    expect(received).toHaveLength(2);
  });
});
