import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import type { SearchDocument } from "../../../ports/search-index.ts";
import { Database } from "../storage/sqlite.ts";
import { VectorPool } from "../vectors/pool.ts";
import { RowCache } from "./cached-rows.ts";
import { OrganizationIndex } from "./organization.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";
import { ScopeCache, type ScopedDocuments } from "./scoped-documents.ts";
import { TimelineCache } from "./timelines.ts";
import { performWrite } from "./writes.ts";

/** Room for two scopes with six documents together. */
const LIMITS = { documents: 4, capacity: 206, written: 8 };

let database: Database;
let cache: ScopeCache;
let scoped: ScopedDocuments;
let now = Date.parse("2024-06-01T00:00:00.000Z");

const openDatabase = () => new Database({ file: join(temporaryFolder(), "search.db"), migrations: SEARCH_MIGRATIONS });

beforeEach(() => {
  database = openDatabase();
  cache = new ScopeCache(LIMITS);
  scoped = cache.partOf(database);
});

afterEach(() => {
  vi.restoreAllMocks();
  database.close();
});

function of(user: string, id: string, overrides: Partial<SearchDocument> = {}): SearchDocument {
  return { ...BLANK_DOCUMENT, org: "org_a", id, content: `tea ${id}`, user_id: user, ...overrides };
}

/** Writes documents, and returns their numbers. */
function write(...documents: SearchDocument[]): number[] {
  const docs = performWrite(database, { sequence: 1, upsert: documents }).map(({ doc }) => doc);
  scoped.forget(docs);
  return docs;
}

/** The documents of a user, in a request of its own. */
function find(user: string, within = scoped): number[] | undefined {
  const docs = within.find({ org: "org_a", now: ++now, filters: { user_id: [user] } }, true);
  return docs && [...docs].sort((a, b) => a - b);
}

/** How often `work` read all documents of a scope. */
function countReads(work: () => void): number {
  const statements = vi.spyOn(database, "tuples");
  work();
  const reads = statements.mock.calls.filter(([text]) => text.endsWith("LIMIT ?"));
  statements.mockRestore();
  return reads.length;
}

it("keeps a scope from the second request with it", () => {
  const docs = write(of("ann", "m1"));
  const scope = { org: "org_a", now, filters: { user_id: ["ann"] } };
  const first = () => [scoped.find(scope, true), scoped.find(scope, true), scoped.find({ ...scope, now: now + 1 })];
  expect(countReads(() => expect(first()).toEqual([undefined, undefined, undefined]))).toBe(0);
  expect(countReads(() => expect(find("ann")).toEqual(docs))).toBe(1);
  expect(countReads(() => expect(scoped.find(scope)).toEqual(new Set(docs)))).toBe(0);
});

it("keeps no scope that has grown too large", () => {
  write(of("ann", "m1"), of("ann", "m2"), of("ann", "m3"));
  for (const expected of [undefined, [1, 2, 3]]) expect(find("ann")).toEqual(expected);
  write(of("ann", "m4"));
  expect(find("ann")).toEqual([1, 2, 3, 4]);
  write(of("ann", "m5"));
  expect(find("ann")).toBeUndefined();
  expect([...cache.kept.values()].map(({ docs }) => docs)).toEqual([undefined]);
});

it("keeps no more documents of all scopes than fit after they have grown", () => {
  write(of("ann", "a1"), of("ben", "b1"));
  for (const user of ["ann", "ben", "ann", "ben"]) find(user);
  expect(cache.kept.size).toBe(2);
  write(of("ann", "a2"), of("ann", "a3"), of("ben", "b2"), of("ben", "b3"));
  expect([find("ann"), find("ben"), cache.kept.size]).toEqual([[1, 3, 4], [2, 5, 6], 2]);
  write(of("ben", "b4"));
  expect([find("ben"), cache.kept.size]).toEqual([[2, 5, 6, 7], 1]);
  expect(countReads(() => expect(find("ann")).toEqual([1, 3, 4]))).toBe(1);
});

it("reads a scope again only after more writes than are remembered", () => {
  write(of("ann", "m1"));
  for (const expected of [undefined, [1]]) expect(find("ann")).toEqual(expected);
  for (let version = 2; version <= 9; version++) write(of("ann", "m1", { version }));
  expect(countReads(() => expect(find("ann")).toEqual([1]))).toBe(0);
  for (let version = 10; version <= 18; version++) write(of(version < 18 ? "ann" : "ben", "m1", { version }));
  expect(countReads(() => expect(find("ann")).toEqual([]))).toBe(1);
});

it("follows the writes that each scope has not followed yet", () => {
  write(of("ann", "m1"), of("ben", "m2"));
  for (const user of ["ann", "ben", "ann", "ben"]) find(user);
  write(of("ben", "m1", { version: 2 }));
  expect(find("ann")).toEqual([]);
  write(of("ann", "m2", { version: 2 }));
  expect([find("ann"), find("ben")]).toEqual([[2], [1]]);
});

it("shares its capacity among indexes, whose scopes differ", () => {
  write(of("ann", "m1"));
  const other = openDatabase();
  performWrite(other, { sequence: 1, upsert: [of("ben", "m1"), of("ann", "m2")] });
  const otherScoped = cache.partOf(other);
  for (const within of [scoped, otherScoped, scoped, otherScoped]) find("ann", within);
  expect([find("ann"), find("ann", otherScoped), cache.kept.size]).toEqual([[1], [2], 2]);
  for (let request = 0; request < 2; request++) find("ben", otherScoped);
  expect(cache.kept.size).toBe(2);
  other.close();
});

it("holds no documents of a search after it", () => {
  const memory = {
    pool: new VectorPool(2, 1_000),
    rows: new RowCache(),
    scopes: cache,
    timelines: new TimelineCache(),
  };
  const index = new OrganizationIndex(database, memory);
  index.write({ sequence: 1, upsert: [of("ann", "m1"), of("ben", "m2")] });
  const search = () =>
    index.search({ org: "org_a", now: ++now, filters: { user_id: ["ann"] }, keyword: { text: "tea", limit: 9 } });
  for (let request = 0; request < 2; request++) expect(search().keyword.map(({ id }) => id)).toEqual(["m1"]);
  expect(database.get("SELECT is_searched(1) AS found")).toEqual({ found: 0 });
});

it("keeps sessions of all indexes up to one capacity, and forgets those that were written", () => {
  const timelines = new TimelineCache(24);
  const other = openDatabase();
  const [here, there] = [timelines.partOf(database), timelines.partOf(other)];
  write(of("ann", "m1", { session_id: "s" }), of("ann", "m2", { session_id: "s" }));
  performWrite(other, { sequence: 1, upsert: [of("ann", "n1", { session_id: "s" })] });
  const idsIn = (within: typeof here, session: string) => within.of(["ann", session])?.map(({ id }) => id);
  expect([idsIn(here, "s"), idsIn(there, "s")]).toEqual([["m1", "m2"], ["n1"]]);
  const statements = vi.spyOn(database, "tuples");
  expect([idsIn(here, "s"), idsIn(there, "s"), statements.mock.calls.length]).toEqual([["m1", "m2"], ["n1"], 0]);
  idsIn(there, "t");
  expect([idsIn(here, "s"), statements.mock.calls.length]).toEqual([["m1", "m2"], 1]);
  const docs = write(of("ann", "m1", { version: 2, session_id: "t" }));
  here.forget([...docs, ...Array.from({ length: 1_001 }, (_, position) => 1_000 + position)]);
  expect([idsIn(here, "s"), idsIn(here, "t"), idsIn(there, "s")]).toEqual([["m2"], ["m1"], ["n1"]]);
  other.close();
});
