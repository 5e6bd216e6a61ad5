import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { fuse, plainWeights } from "../../shared/domain/retrieval/ranking/fusion.ts";
import { fuseByMean } from "../../shared/domain/retrieval/ranking/weighted.ts";
import { retrieve } from "../../shared/domain/retrieval/retrieve.ts";
import { spread } from "../../shared/domain/retrieval/spreading.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { occurredMs } from "../../shared/kernel/event-time.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { Query } from "../../shared/language/questions/query.ts";
import type { Embedder } from "../../shared/ports/embedder.ts";
import { skillsPartition } from "../../shared/ports/partitions.ts";
import type { RecordStore } from "../../shared/ports/record-store.ts";
import type {
  IndexedVersion,
  SearchDocument,
  SearchFilters,
  SearchIndex,
  SearchRequest,
} from "../../shared/ports/search-index.ts";
import type { Setting } from "../../shared/runtime/settings.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { expectEventually } from "./eventually.ts";
import { movableClock } from "./movable-clock.ts";
import { CORPUS, CORPUS_QUERIES } from "./search-corpus.ts";
import { type Delivery, deliveries, outcome } from "./search-deliveries.ts";
import { CONDITIONS, filtersOf, matches, sampleDocuments } from "./search-filters.ts";
import { type Order, RANKED_CORPUS, RANKINGS } from "./search-rankings.ts";

/** One adapter with a separate index, empty when opened. */
export interface SearchIndexUnderTest {
  index: SearchIndex;
  /** Resolves when everything written so far is searchable; engines that need it refresh. */
  drainChangeFeed(): Promise<void>;
  /** Releases and deletes the index. */
  close(): Promise<void>;
}

export interface SearchIndexSuiteOptions {
  /** Number of random cases in each property test; fewer if each case needs a refresh. Default 50. */
  runs?: number;
}

/** Opens an index for vectors of that embedder. It must use `clock`, which the suite moves ahead of the real time. */
export type OpenSearchIndex = (embedder: Embedder, clock: Clock) => Promise<SearchIndexUnderTest>;

const SLOW = 120_000;
const MANY = 200;
/** Number of compared ranks. Below them are near ties of hardly relevant documents. */
const RANKED_DEPTH = 4;

/** The behaviour of every `SearchIndex`, tested with each adapter. */
export function describeSearchIndex(name: string, open: OpenSearchIndex, options: SearchIndexSuiteOptions = {}): void {
  describe(`${name}: SearchIndex`, () => {
    const runs = options.runs ?? 50;
    const embedder = createLexicalEmbedder();
    const time = movableClock();
    let subject: SearchIndexUnderTest;
    let index: SearchIndex;

    beforeAll(async () => {
      subject = await open(embedder, time.now);
      index = subject.index;
    }, SLOW);
    afterAll(() => subject.close());

    /** Returns a document with the vector of its content, changed by the overrides. */
    const document = async (overrides: Partial<SearchDocument> & Pick<SearchDocument, "org" | "id">) => {
      const base = { ...BLANK_DOCUMENT, ...overrides };
      const [embedding] = await embedder.embed([base.content], { purpose: "passage" });
      return { embedding: embedding!, ...base } satisfies SearchDocument;
    };
    const store = async (...documents: (Partial<SearchDocument> & Pick<SearchDocument, "org" | "id">)[]) => {
      await index.upsert(await Promise.all(documents.map(document)));
      await subject.drainChangeFeed();
    };
    const ask = async (org: string, text: string, rest: Partial<SearchRequest> = {}) => {
      const [vector] = await embedder.embed([text], { purpose: "passage" });
      const semantic = { vector: vector!, limit: MANY };
      return index.search({ org, now: time.now(), semantic, keyword: { text, limit: MANY }, ...rest });
    };
    const everyId = async (org: string, filters?: SearchFilters) =>
      idsOf((await ask(org, "anything", filters ? { filters } : {})).semantic).sort();

    describe("writing", () => {
      it("returns a document as it was stored", async () => {
        const org = newOrg();
        const { embedding, ...source } = await document({
          org,
          id: "mem_1",
          version: 7,
          content: "naïve 😀 \"quoted\" 'single' \\ %_ * tea\n",
          user_id: "user_1",
          category: "drinks",
          type: "fact",
          metadata: { nested: { "odd name": [1, "two", null, { deep: true }] }, empty: {} },
          entity_ids: ["ent_1", "ent_2"],
          session_id: "sess_1",
          expire_at: new Date(time.now() + DAY_MS).toISOString(),
          ratings: { count: 2, mean: 4.5 },
          original_tokens: 11,
          compressed_tokens: 5,
          processing_ms: 2.5,
        });
        await index.upsert([{ ...source, embedding }]);
        await subject.drainChangeFeed();
        const { semantic, keyword } = await ask(org, "tea");
        expect(semantic.map((hit) => hit.document)).toEqual([source]);
        expect(keyword.map((hit) => hit.document)).toEqual([source]);
      });

      it("finds vectors by content while a document of the organization has it", async () => {
        const [org, other] = [newOrg(), newOrg()];
        const texts = ["green tea", "coffee", "coffee", "unknown"];
        // An index may keep numbers shortened.
        const rounded = (vector: Float32Array | undefined) =>
          vector && Array.from(vector, (n) => Math.round(n * 1_000));
        const vectorsOf = async (of: string) =>
          (await index.vectorsOf(texts.map((content) => ({ org: of, content })))).map(rounded);
        expect(await vectorsOf(org)).toEqual(texts.map(() => undefined));
        const ids = ["mem_1", "mem_2"];
        const stored = ids.map((id, place) => document({ org, id, content: texts[place]! }));
        await store(...(await Promise.all(stored)));
        const [tea, coffee] = (await Promise.all(stored)).map(({ embedding }) => rounded(embedding));
        expect(await vectorsOf(org)).toEqual([tea, coffee, coffee, undefined]);
        expect(await vectorsOf(other)).toEqual(texts.map(() => undefined));
        await index.remove([{ org, id: "mem_2", version: 1 }]);
        await subject.drainChangeFeed();
        expect(await vectorsOf(org)).toEqual([tea, undefined, undefined, undefined]);
      });

      it("returns the version of a document that is found by meaning", async () => {
        const org = newOrg();
        const version = () => index.searchableVersion({ org, id: "mem_1" });
        expect(await version()).toBe(0);
        await store({ org, id: "mem_1", version: 2 });
        expect(await version()).toBe(2);
        await index.remove([{ org, id: "mem_1", version: 2 }]);
        expect(await version()).toBe(0);
      });

      it("omits the fields that a document does not have", async () => {
        const org = newOrg();
        await store({ org, id: "mem_1", content: "tea" });
        const [hit] = (await ask(org, "tea")).keyword;
        for (const absent of ["user_id", "category", "type", "session_id", "expire_at", "ratings"]) {
          expect(hit?.document).not.toHaveProperty(absent);
        }
      });

      it("replaces the whole document in both queries", async () => {
        const org = newOrg();
        await store({ org, id: "mem_1", content: "green tea", user_id: "user_1", metadata: { kind: "tea" } });
        await store({ org, id: "mem_1", version: 2, content: "black coffee" });
        expect((await ask(org, "tea")).keyword).toEqual([]);
        expect((await ask(org, "coffee")).keyword.map((hit) => hit.document.content)).toEqual(["black coffee"]);
        expect((await ask(org, "black coffee")).semantic.map((hit) => hit.score)).toEqual([expect.closeTo(1, 4)]);
        expect(await everyId(org, { user_id: ["user_1"] })).toEqual([]);
        expect(await everyId(org, { metadata: { kind: "tea" } })).toEqual([]);
      });

      it(
        "has the same final state for any order and repetition of deliveries",
        async () => {
          await fc.assert(
            fc.asyncProperty(deliveries, async (histories) => {
              const org = newOrg();
              for (const delivery of histories) await deliver(org, delivery);
              await subject.drainChangeFeed();
              const found = (await ask(org, "anything")).semantic.map((hit) => [hit.id, hit.document.version]);
              expect(new Map(found as [string, number][])).toEqual(outcome(histories));
            }),
            { numRuns: runs },
          );
        },
        SLOW,
      );

      it("takes the newest of several versions in one batch", async () => {
        const org = newOrg();
        await store(
          { org, id: "mem_1", version: 2, content: "second" },
          { org, id: "mem_1", version: 3, content: "third" },
          { org, id: "mem_1", version: 1, content: "first" },
        );
        expect((await ask(org, "third")).semantic.map((hit) => hit.document.content)).toEqual(["third"]);
      });

      it("accepts empty batches", async () => {
        await expect(index.upsert([])).resolves.toBeUndefined();
        await expect(index.remove([])).resolves.toBeUndefined();
      });

      it("purges old removals, and no documents", async () => {
        const org = newOrg();
        await store({ org, id: "mem_kept", content: "tea" });
        await index.remove([{ org, id: "mem_old", version: 5 }]);
        time.advance(DAY_MS);
        const between = time.now();
        time.advance(DAY_MS);
        await index.remove([{ org, id: "mem_new", version: 5 }]);
        await subject.drainChangeFeed();
        expect(await index.purge(between)).toBeGreaterThanOrEqual(1);
        await subject.drainChangeFeed();
        // Engines store the version of a deleted document for a moment, so the writes are repeated.
        await expectEventually(async () => {
          await store({ org, id: "mem_old", version: 4 }, { org, id: "mem_new", version: 4 });
          return everyId(org);
        }, ["mem_kept", "mem_old"]);
      });

      it("lists its documents with their versions, by partition and id, in pages of any size", async () => {
        const [first, second] = [newOrg(), newOrg()].sort();
        const held = [first!, second!].flatMap((org) =>
          ["mem_1", "mem_2", "mem_3"].map((id, place) => ({ org, id, version: place + 4 })),
        );
        await store(...held);
        await store({ org: first!, id: "mem_gone", version: 3 });
        await index.remove([{ org: first!, id: "mem_gone", version: 3 }]);
        await index.upsert([
          await document({ org: second!, id: "mem_2", version: 9, expire_at: "2001-01-01T00:00:00Z" }),
        ]);
        const expected = held.map((each) =>
          each.org === second && each.id === "mem_2" ? { ...each, version: 9 } : each,
        );
        const walk = async (limit: number, org?: string) => {
          const found: IndexedVersion[] = [];
          for (let after: string | undefined; ; ) {
            const page = await index.list({ limit, after, ...(org !== undefined && { org }) });
            expect(page.documents.length).toBeLessThanOrEqual(limit);
            found.push(...page.documents);
            after = page.cursor;
            if (after === undefined) return found;
          }
        };
        for (const limit of [1, 4, 1000]) {
          const found = (await walk(limit)).filter(({ org }) => org === first || org === second);
          expect(found).toEqual(expected);
          expect(await walk(limit, second)).toEqual(expected.filter(({ org }) => org === second));
        }
        expect(await walk(10, newOrg())).toEqual([]);
      });

      it("returns the versions of existing documents immediately", async () => {
        const org = newOrg();
        await index.upsert([await document({ org, id: "mem_1", version: 3 }), await document({ org, id: "mem_2" })]);
        await index.remove([{ org, id: "mem_2", version: 8 }]);
        const references = ["mem_1", "mem_2", "mem_none"].map((id) => ({ org, id }));
        expect(await index.versions([...references, { org: newOrg(), id: "mem_1" }])).toEqual([
          { org, id: "mem_1", version: 3 },
        ]);
        expect(await index.versions([])).toEqual([]);
      });

      const deliver = async (org: string, delivery: Delivery) => {
        const { id, version } = delivery;
        if (delivery.verb === "remove") await index.remove([{ org, id, version }]);
        else await index.upsert([await document({ org, id, version, content: `version ${version} of ${id}` })]);
      };
    });

    describe("rebuilding", () => {
      const newName = () => randomUUID().replaceAll("-", "");

      it("replaces the index in use on activation, and not before", async () => {
        const org = newOrg();
        await store({ org, id: "mem_old", content: "old tea" });
        const built = await index.rebuild(newName());
        await built.upsert([await document({ org, id: "mem_new", version: 4, content: "new tea" })]);
        await subject.drainChangeFeed();
        expect(await everyId(org)).toEqual(["mem_old"]);
        expect(await index.versions([{ org, id: "mem_new" }])).toEqual([]);
        expect(await built.versions([{ org, id: "mem_new" }])).toEqual([{ org, id: "mem_new", version: 4 }]);
        expect((await built.list({ org, limit: 10 })).documents.map(({ id }) => id)).toEqual(["mem_new"]);
        await built.activate();
        expect(await everyId(org)).toEqual(["mem_new"]);
        await built.activate();
        await store({ org, id: "mem_after", content: "tea after" });
        expect(await everyId(org)).toEqual(["mem_after", "mem_new"]);
      });

      it("continues by name, keeps its tombstones, and is opened by name once in use", async () => {
        const org = newOrg();
        const name = newName();
        await (await index.rebuild(name)).upsert([await document({ org, id: "mem_1", version: 2 })]);
        await (await index.rebuild(name)).remove([{ org, id: "mem_2", version: 5 }]);
        const again = await index.rebuild(name);
        await again.upsert([await document({ org, id: "mem_2", version: 4 })]);
        expect((await again.list({ org, limit: 10 })).documents).toEqual([{ org, id: "mem_1", version: 2 }]);
        await again.activate();
        const used = await index.rebuild(name);
        await used.upsert([await document({ org, id: "mem_3", version: 1 })]);
        await used.activate();
        await subject.drainChangeFeed();
        expect(await everyId(org)).toEqual(["mem_1", "mem_3"]);
      });

      it("deletes an unfinished index of an earlier rebuild", async () => {
        const org = newOrg();
        const [first, second] = [newName(), newName()];
        await (await index.rebuild(first)).upsert([await document({ org, id: "mem_1" })]);
        await index.rebuild(second);
        expect((await (await index.rebuild(first)).list({ org, limit: 10 })).documents).toEqual([]);
      });

      it.each(["", "A", "a-b", "a/b", "../a"])("refuses the name '%s'", async (name) => {
        await expect(index.rebuild(name)).rejects.toThrow();
      });

      it("loses no write to the new index during its activation", async () => {
        const org = newOrg();
        const built = await index.rebuild(newName());
        const writing = async (writer: number) => {
          const written: string[] = [];
          for (let turn = 0; turn < 10; turn++) {
            const id = `mem_${writer}_${turn}`;
            await index.upsert([await document({ org, id })]);
            written.push(id);
          }
          return written;
        };
        const writes = [1, 2, 3].map(writing);
        await built.activate();
        await Promise.all(writes);
        // Earlier writes may be in the former index only; the records hold them. Later writes must be in the new one.
        const late = await writing(4);
        await subject.drainChangeFeed();
        expect(await everyId(org)).toEqual(expect.arrayContaining(late));
      });
    });

    it("counts the memories of all organizations together, without skills and expired ones", async () => {
      const org = newOrg();
      const before = await index.countMemories(time.now());
      const expire_at = new Date(time.now() - 1000).toISOString();
      await store(
        { org, id: "mem_1", content: "tea" },
        { org: newOrg(), id: "mem_1", content: "coffee" },
        { org, id: "mem_2", content: "milk", expire_at },
        { org: skillsPartition(org), id: "skill_1", content: "serve tea" },
      );
      expect((await index.countMemories(time.now())) - before).toBe(2);
    });

    describe("isolation", () => {
      it("keeps organizations with similar names separate in every method", async () => {
        const base = newOrg();
        const orgs = [base, `${base}-2`, `${base}2`, `${base}_`, base.toUpperCase(), base.slice(0, -1)];
        await store(...orgs.map((org) => ({ org, id: "mem_1", content: `secret tea of ${org}`, user_id: "user_1" })));
        for (const org of orgs) {
          const { semantic, keyword, statistics } = await ask(org, "secret tea");
          expect(semantic.map((hit) => hit.document.org)).toEqual([org]);
          expect(keyword.map((hit) => hit.document.org)).toEqual([org]);
          expect(statistics?.documents).toBe(1);
          expect(statistics?.terms.map(({ documents }) => documents)).toEqual([1, 1]);
          expect(await index.count({ org, now: time.now() })).toBe(1);
          expect((await index.aggregate({ org, now: time.now() }, ["user_id"])).count).toBe(1);
        }
        await index.remove([{ org: base, id: "mem_1", version: 2 }]);
        await subject.drainChangeFeed();
        const left = await Promise.all(orgs.map((org) => index.count({ org, now: time.now() })));
        expect(left).toEqual([0, 1, 1, 1, 1, 1]);
      });

      it("prevents a filter or a query text from naming another organization", async () => {
        const [mine, theirs] = [newOrg(), newOrg()];
        await store({ org: theirs, id: "mem_1", content: "secret", metadata: { org: mine } });
        expect(await everyId(mine, { ids: ["mem_1"] })).toEqual([]);
        expect(await everyId(mine, { metadata: { org: mine } })).toEqual([]);
        expect((await ask(mine, `org:${theirs} ${theirs} secret`)).keyword).toEqual([]);
      });

      it("returns nothing for an organization without documents", async () => {
        const org = newOrg();
        const answer = await ask(org, "tea");
        expect(answer).toMatchObject({ semantic: [], keyword: [], statistics: { documents: 0 } });
        expect(await index.count({ org, now: time.now() })).toBe(0);
        expect(await index.aggregate({ org, now: time.now() }, ["type"])).toEqual({
          count: 0,
          terms: { type: [] },
          sums: { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 },
        });
      });
    });

    describe("filters", () => {
      const org = newOrg();
      const samples = sampleDocuments(org);

      beforeAll(async () => {
        await store(...samples);
      }, SLOW);

      const expected = (filters: SearchFilters) =>
        samples
          .filter((sample) => matches(filters, sample))
          .map(({ id }) => id)
          .sort();

      it.each<{ filters: SearchFilters }>([
        { filters: {} },
        { filters: { ids: ["doc_03", "doc_07", "doc_99"] } },
        { filters: { ids: [] } },
        { filters: { entity_ids: ["ent_1"] } },
        { filters: { entity_ids: ["ent_1", "ent_2"] } },
        { filters: { entity_ids: [] } },
        { filters: { user_id: ["ann"] } },
        { filters: { user_id: ["an"] } },
        { filters: { user_id: ["ANN"] } },
        { filters: { category: ["work", "home life"] } },
        { filters: { category: [] } },
        { filters: { type: ["fact"] } },
        { filters: { created_after: "2024-01-10T00:00:00.000Z" } },
        { filters: { created_before: "2024-01-10T00:00:00.000Z" } },
        { filters: { created_after: "2024-01-05T00:00:00.000Z", created_before: "2024-01-05T00:00:00.000Z" } },
        { filters: { created_after: "2025-01-01T00:00:00.000Z" } },
        { filters: { occurred_after: "2025-06-01T00:00:00+02:00" } },
        { filters: { occurred_before: "2023-06-13T23:30:00.000Z" } },
        { filters: { occurred_after: "2024-01-01T00:00:00Z", occurred_before: "2024-02-01T00:00:00Z" } },
        { filters: { occurred_before: "2024-06-01", created_after: "2024-01-10" } },
        { filters: { metadata: { colour: "red" } } },
        { filters: { metadata: { "place.city": "Oslo" } } },
        { filters: { metadata: { tags: "a" } } },
        { filters: { metadata: { "people.name": "Bo" } } },
        { filters: { metadata: { number: 1 } } },
        { filters: { metadata: { number: "1" } } },
        { filters: { metadata: { flag: true } } },
        { filters: { metadata: { flag: false } } },
        { filters: { metadata: { flag: "true" } } },
        { filters: { metadata: { colour: "red", flag: true } } },
        { filters: { metadata: { absent: "x" } } },
        { filters: { metadata: { "colour') OR 1=1 --": "red" } } },
        { filters: { user_id: ["ann", "bob"], category: ["work"], type: ["fact"], metadata: { flag: true } } },
      ])("$filters", async ({ filters }) => {
        const { semantic, keyword } = await ask(org, "tea", { filters });
        expect(idsOf(semantic).sort()).toEqual(expected(filters));
        expect(idsOf(keyword).sort()).toEqual(expected(filters));
        expect(await index.count({ org, filters, now: time.now() })).toBe(expected(filters).length);
      });

      it.each(CONDITIONS)("$path: %j, and its negation", async (condition) => {
        for (const where of [condition, { not: condition }]) {
          const { semantic, keyword } = await ask(org, "tea", { filters: { where } });
          expect(idsOf(semantic).sort()).toEqual(expected({ where }));
          expect(idsOf(keyword).sort()).toEqual(expected({ where }));
          expect(await index.count({ org, filters: { where }, now: time.now() })).toBe(expected({ where }).length);
        }
      });

      it("combine conditions, of which none means everything or nothing", async () => {
        expect(await everyId(org, { where: { all: [] } })).toEqual(expected({}));
        expect(await everyId(org, { where: { any: [] } })).toEqual([]);
        expect(await everyId(org, { where: { not: { any: [] } } })).toEqual(expected({}));
      });

      it("page through the matches by creation, in either order", async () => {
        const filters = { where: { path: "metadata.colour", equals: ["blue"] } };
        const all = expected(filters);
        const page = (descending: boolean, offset: number, limit: number) =>
          index.browse({ org, filters, now: time.now(), descending, offset, limit });
        const { documents, total } = await page(false, 0, 5);
        expect([idsOf(documents), total]).toEqual([all.slice(0, 5), all.length]);
        expect(idsOf((await page(false, 5, 100)).documents)).toEqual(all.slice(5));
        expect(idsOf((await page(true, 1, 3)).documents)).toEqual(all.toReversed().slice(1, 4));
        expect(await page(true, 100, 3)).toEqual({ documents: [], total: all.length });
      });

      it.each(["occurred_at", "updated_at"] as const)(
        "page through the matches by %s, in either order",
        async (order) => {
          const filters = { type: ["fact"] };
          const timeOf = (sample: (typeof samples)[number]) =>
            order === "occurred_at" ? occurredMs(sample) : Date.parse(sample.updated_at);
          const passing = samples.filter((sample) => matches(filters, sample));
          const all = idsOf(passing.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1)));
          const page = async (descending: boolean, offset: number, limit: number) => {
            const request = { org, filters, now: time.now(), order, descending, offset, limit };
            return idsOf((await index.browse(request)).documents);
          };
          expect(await page(false, 0, MANY)).toEqual(all);
          expect(await page(true, 0, MANY)).toEqual(all.toReversed());
          expect(await page(true, 3, 4)).toEqual(all.toReversed().slice(3, 7));
        },
      );

      it("continue after a document, even a deleted one, also among those of one instant", async () => {
        const other = newOrg();
        const created_at = new Date(time.now() - DAY_MS).toISOString();
        const later = new Date(time.now() - DAY_MS + 1).toISOString();
        const ids = ["a", "b", "c", "d"];
        await store(...ids.map((id) => ({ org: other, id, content: "tea", created_at })));
        await store({ org: other, id: "0", content: "tea", created_at: later });
        const behind = async (id: string, descending: boolean, limit = 9) => {
          const after = { id, created_at };
          const request = { org: other, now: time.now(), descending, offset: 0, limit, after };
          const { documents, total } = await index.browse(request);
          expect(total).toBe(5);
          return idsOf(documents);
        };
        expect(await behind("b", false)).toEqual(["c", "d", "0"]);
        expect(await behind("bb", false, 2)).toEqual(["c", "d"]);
        expect(await behind("c", true)).toEqual(["b", "a"]);
        expect(await behind("e", false)).toEqual(["0"]);
      });

      it("return expired documents on request, and nothing else if only expired ones are requested", async () => {
        const other = newOrg();
        const expire_at = new Date(time.now() - DAY_MS).toISOString();
        await store({ org: other, id: "gone", content: "tea", expire_at }, { org: other, id: "here", content: "tea" });
        const found = async (expired?: "shown" | "only") => {
          const { semantic, keyword } = await ask(other, "tea", expired && { expired });
          const scope = { org: other, now: time.now(), ...(expired && { expired }) };
          const browsed = await index.browse({ ...scope, descending: false, offset: 0, limit: 9 });
          expect([await index.count(scope), browsed.total]).toEqual([semantic.length, semantic.length]);
          return [idsOf(semantic).sort(), idsOf(keyword).sort(), idsOf(browsed.documents).sort()];
        };
        expect(await found()).toEqual(Array(3).fill(["here"]));
        expect(await found("shown")).toEqual(Array(3).fill(["gone", "here"]));
        expect(await found("only")).toEqual(Array(3).fill(["gone"]));
      });

      it(
        "match their definition in any combination",
        async () => {
          await fc.assert(
            fc.asyncProperty(filtersOf(samples), async (filters) => {
              const { semantic, keyword } = await ask(org, "tea", { filters });
              expect(idsOf(semantic).sort()).toEqual(expected(filters));
              expect(idsOf(keyword).sort()).toEqual(expected(filters));
            }),
            { numRuns: runs },
          );
        },
        SLOW,
      );

      it("return the best matches, however few they are", async () => {
        const filters = { metadata: { colour: "red" } };
        const vector = (await embedder.embed(["tea number 9"], { purpose: "passage" }))[0]!;
        const now = time.now();
        const all = await index.search({ org, now, filters, semantic: { vector, limit: MANY } });
        const best = await index.search({ org, now, filters, semantic: { vector, limit: 3 } });
        expect(best.semantic).toEqual(all.semantic.slice(0, 3));
        expect(best.semantic).toHaveLength(3);
      });
    });

    describe("viewers", () => {
      const org = newOrg();
      const now = time.now();
      const until = new Date(now + DAY_MS).toISOString();
      const over = new Date(now).toISOString();
      const session = { user_id: "ann", session_id: "sess_1", entity_ids: ["ent_1"] };
      const seen = (
        id: string,
        second: number,
        viewers: SearchDocument["viewers"],
        rest: Partial<SearchDocument> = {},
      ) => {
        const created_at = new Date(Date.UTC(2024, 0, 1, 12, 0, second)).toISOString();
        return { org, id, content: `tea with ${id}`, created_at, category: id, ...session, viewers, ...rest };
      };
      const documents = [
        seen("by_all", 1, undefined),
        seen("by_a", 2, [{ agent: "a" }]),
        seen("by_b", 3, [{ agent: "b" }]),
        seen("by_both", 4, [{ agent: "b" }, { agent: "a" }]),
        seen("by_a_still", 5, [{ agent: "a", until }]),
        seen("by_a_no_more", 6, [{ agent: "a", until: over }]),
        seen("by_b_and_a_no_more", 7, [{ agent: "a", until: over }, { agent: "b" }]),
        seen("by_none", 8, []),
        seen("expired", 9, [{ agent: "a" }], { expire_at: over }),
      ];
      const ofA = ["by_a", "by_a_still", "by_both"];
      const ofB = ["by_b", "by_b_and_a_no_more", "by_both"];

      beforeAll(async () => {
        await store(...documents);
        await store({ ...seen("elsewhere", 1, [{ agent: "a" }]), org: newOrg() });
      }, SLOW);

      it.each([
        ["a", ofA],
        ["b", ofB],
        ["A", []],
        ["", []],
        [undefined, documents.map(({ id }) => id).filter((id) => id !== "expired")],
      ])("limit %s to the documents that name the viewer, in hits, counts and statistics", async (viewer, expected) => {
        const sorted = expected.toSorted();
        const { semantic, keyword, statistics } = await ask(org, "tea", { viewer, now });
        expect(idsOf(semantic).sort()).toEqual(sorted);
        expect(idsOf(keyword).sort()).toEqual(sorted);
        const scope = { org, viewer, now };
        expect(await index.count(scope)).toBe(expected.length);
        const { count, terms } = await index.aggregate(scope, ["category"]);
        expect(count).toBe(expected.length);
        expect(terms.category?.map(({ value }) => value).sort()).toEqual(sorted);
        if (viewer === undefined) return;
        expect(statistics).toEqual({
          documents: expected.length,
          terms: [{ term: "tea", documents: expected.length }],
        });
      });

      it("limit neighbours in time and by entity", async () => {
        const scope = { org, viewer: "a", now, reach: 9, maxMembers: 9 };
        const [own] = documents.filter(({ id }) => id === "by_a");
        const found = await index.neighbours({ ...scope, documents: [own!], entities: ["ent_1"] });
        expect(found.inTime.get("by_a")).toEqual(["by_both", "by_a_still"]);
        expect(found.members.get("ent_1")?.toSorted()).toEqual(ofA);
        expect(found.documents.map(({ id }) => id).sort()).toEqual(ofA);
        const few = await index.neighbours({ ...scope, documents: [], entities: ["ent_1"], maxMembers: 3 });
        expect(few.members.get("ent_1")).toHaveLength(3);
      });

      it("count until they expire, to the millisecond", async () => {
        const at = (moment: number) => index.count({ org, viewer: "a", now: moment });
        expect(await at(Date.parse(until) - 1)).toBe(ofA.length);
        expect(await at(Date.parse(until))).toBe(ofA.length - 1);
      });

      it("apply in addition to every filter", async () => {
        const filters = { category: ["by_a", "by_b"] };
        expect(idsOf((await ask(org, "tea", { viewer: "a", filters, now })).semantic)).toEqual(["by_a"]);
        const { statistics } = await ask(org, "tea", { viewer: "a", filters, now });
        expect(statistics?.documents).toBe(ofA.length);
        expect(await index.count({ org, viewer: "b", filters, now })).toBe(1);
      });

      it("are those of the newest version, and stay in the document", async () => {
        const own = newOrg();
        const version = (number: number, ...agents: string[]) => ({
          ...seen(
            "mem_1",
            1,
            agents.map((agent) => ({ agent })),
          ),
          org: own,
          version: number,
        });
        await store(version(1, "a"));
        const [hit] = (await ask(own, "tea", { viewer: "a", now })).semantic;
        expect(hit?.document.viewers).toEqual([{ agent: "a" }]);
        await store(version(2, "b"));
        expect(await index.count({ org: own, viewer: "a", now })).toBe(0);
        expect(await index.count({ org: own, viewer: "b", now })).toBe(1);
        await index.remove([{ org: own, id: "mem_1", version: 3 }]);
        await subject.drainChangeFeed();
        expect(await index.count({ org: own, viewer: "b", now })).toBe(0);
      });

      it(
        "get the best documents that they see, among many that they do not see",
        async () => {
          const many = newOrg();
          const rows = Array.from({ length: 150 }, (_, number) => ({
            ...seen(`mem_${number}`, 1, number % 50 === 0 ? [{ agent: "a" }] : [{ agent: "b" }]),
            org: many,
            content: `tea number ${number}`,
          }));
          await store(...rows);
          const [vector] = await embedder.embed(["tea number 7"], { purpose: "passage" });
          const limit = 2;
          const scope = { org: many, now };
          const request = { ...scope, semantic: { vector: vector!, limit }, keyword: { text: "tea number", limit } };
          const few = await index.search({ ...request, viewer: "a" });
          expect([few.semantic.length, few.keyword.length]).toEqual([2, 2]);
          const most = await index.search({ ...request, viewer: "b" });
          expect(idsOf(most.semantic)[0]).toBe("mem_7");
          for (const hit of [...few.semantic, ...few.keyword]) expect(Number(hit.id.slice(4)) % 50).toBe(0);
        },
        SLOW,
      );
    });

    describe("expiry", () => {
      it("hides a document from the instant on, in every method", async () => {
        const org = newOrg();
        const now = time.now();
        const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();
        await store(
          { org, id: "mem_always", content: "tea" },
          { org, id: "mem_later", content: "tea", expire_at: at(1000) },
          { org, id: "mem_now", content: "tea", expire_at: at(0) },
          { org, id: "mem_gone", content: "tea", expire_at: at(-1000) },
        );
        const { semantic, keyword } = await ask(org, "tea", { now });
        expect(idsOf(semantic)).toEqual(["mem_always", "mem_later"]);
        expect(idsOf(keyword)).toEqual(["mem_always", "mem_later"]);
        expect(await index.count({ org, now })).toBe(2);
        expect((await index.aggregate({ org, now }, [])).count).toBe(2);
        expect(await index.count({ org, now: now + 1000 })).toBe(1);
      });
    });

    describe("ranking", () => {
      it("scores semantic hits (1 + cosine) / 2, best first", async () => {
        const org = newOrg();
        const unit = (angle: number) => {
          const vector = new Float32Array(embedder.dimensions);
          vector.set([Math.cos(angle), Math.sin(angle)]);
          return vector;
        };
        const angles = { same: 0, near: Math.PI / 6, across: Math.PI / 2, opposite: Math.PI * 0.99 };
        await store(...Object.entries(angles).map(([id, angle]) => ({ org, id, embedding: unit(angle) })));
        const { semantic } = await index.search({ org, now: time.now(), semantic: { vector: unit(0), limit: 4 } });
        expect(semantic.map(({ id, score }) => ({ id, score }))).toEqual(
          Object.entries(angles).map(([id, angle]) => ({ id, score: expect.closeTo((1 + Math.cos(angle)) / 2, 4) })),
        );
      });

      it("ranks keyword hits by rarity, then by length, and scores them above 0", async () => {
        const org = newOrg();
        await store(
          { org, id: "rare", content: "the walrus drank tea" },
          { org, id: "short", content: "tea" },
          { org, id: "long", content: "tea with much milk, lemon, honey, biscuits, cakes and sandwiches" },
          { org, id: "other", content: "coffee" },
        );
        const { keyword } = await ask(org, "tea for the walrus");
        expect(idsOf(keyword)).toEqual(["rare", "short", "long"]);
        expect(keyword.every((hit) => hit.score > 0)).toBe(true);
      });

      it("breaks ties by id, in any order of writing", async () => {
        const org = newOrg();
        const ids = ["mem_5", "mem_1", "mem_4", "mem_2", "mem_3"];
        for (const id of ids) await store({ org, id, content: "the same tea" });
        const { semantic, keyword } = await ask(org, "tea");
        expect(idsOf(semantic)).toEqual(ids.toSorted());
        expect(idsOf(keyword)).toEqual(ids.toSorted());
      });

      it("finds by words only and by meaning only", async () => {
        const org = newOrg();
        const [tea, rain] = await embedder.embed(["tea", "rain"], { purpose: "passage" });
        await store(
          { org, id: "words", content: "tea", embedding: rain! },
          { org, id: "meaning", content: "an infusion", embedding: tea! },
        );
        const semantic = { vector: tea!, limit: 1 };
        const answer = await index.search({ org, now: time.now(), semantic, keyword: { text: "tea", limit: 1 } });
        expect(idsOf(answer.semantic)).toEqual(["meaning"]);
        expect(idsOf(answer.keyword)).toEqual(["words"]);
      });

      it("returns only the requested query", async () => {
        const org = newOrg();
        await store({ org, id: "mem_1", content: "tea" });
        const [vector] = await embedder.embed(["tea"], { purpose: "passage" });
        const now = time.now();
        const semantic = await index.search({ org, now, semantic: { vector: vector!, limit: 5 } });
        expect(idsOf(semantic.semantic)).toEqual(["mem_1"]);
        expect(semantic.keyword).toEqual([]);
        expect(semantic).not.toHaveProperty("statistics");
        const keyword = await index.search({ org, now, keyword: { text: "tea", limit: 5 } });
        expect(idsOf(keyword.keyword)).toEqual(["mem_1"]);
        expect(keyword.semantic).toEqual([]);
      });

      it("returns which terms of the query a hit contains and how common they are", async () => {
        const org = newOrg();
        await store(
          { org, id: "both", content: "Anna's painting of the sea" },
          { org, id: "one", content: "She paints" },
          { org, id: "none", content: "Anything else" },
        );
        const { keyword, statistics } = await ask(org, "What did Anna paint? Painted with oil?");
        expect(statistics).toEqual({
          documents: 3,
          terms: expect.arrayContaining([
            { term: "anna", documents: 1 },
            { term: "paint", documents: 2 },
            { term: "oil", documents: 0 },
          ]),
        });
        expect(statistics?.terms).toHaveLength(3);
        expect(keyword.map(({ id, terms }) => [id, terms?.toSorted()])).toEqual([
          ["both", ["anna", "paint"]],
          ["one", ["paint"]],
        ]);
      });

      it.each([
        ["inflections", "painted", "She was painting"],
        ["irregular verbs", "What did he buy?", "He bought it"],
        ["case and accents", "CAFE", "in the café"],
        ["possessives", "anna", "Anna’s cat"],
        ["Chinese", "天气", "今天天气很好"],
        ["Arabic", "مرحبا", "مرحبا بالعالم"],
        ["emoji", "🎂", "party 🎂!"],
        ["numbers", "42", "room 42"],
      ])("matches %s", async (_name, query, content) => {
        const org = newOrg();
        await store({ org, id: "mem_1", content }, { org, id: "mem_2", content: "unrelated" });
        expect(idsOf((await ask(org, query)).keyword)).toEqual(["mem_1"]);
      });

      it("ranks a small corpus identically on all platforms", async () => {
        const org = newOrg();
        await store(...CORPUS.map(({ id, content }) => ({ org, id, content })));
        for (const { query, best } of CORPUS_QUERIES) {
          const ranked = fuse(await ask(org, query), plainWeights(embedder));
          expect({ query, best: ranked.slice(0, best.length).map(({ id }) => id) }).toEqual({ query, best });
        }
      });
    });

    describe("neighbours", () => {
      const org = newOrg();
      const at = (seconds: number) => new Date(Date.UTC(2024, 0, 1, 12, 0, seconds)).toISOString();
      const turn = (id: string, seconds: number, rest: Partial<SearchDocument> = {}) => {
        const session = { user_id: "ann", session_id: "sess_1" };
        return { org, id, created_at: at(seconds), content: id, ...session, ...rest };
      };
      const turns = [
        turn("t1", 10),
        turn("t3", 30, { entity_ids: ["ent_rare", "ent_common"] }),
        turn("t2b", 20),
        turn("t2a", 20, { entity_ids: ["ent_rare", "ent_common"] }),
        turn("t4", 40, { category: "work", entity_ids: ["ent_common"] }),
        turn("t5", 50),
        turn("expired", 21, { expire_at: at(22), entity_ids: ["ent_rare"] }),
        turn("other_session", 31, { session_id: "sess_2" }),
        turn("other_user", 32, { user_id: "bob" }),
        turn("loose_1", 33, { session_id: undefined }),
        turn("loose_2", 34, { session_id: undefined }),
        turn("nobody_1", 35, { session_id: undefined, user_id: undefined }),
        turn("nobody_2", 36, { session_id: undefined, user_id: undefined, entity_ids: ["ent_common"] }),
      ];
      const byId = new Map(turns.map((document) => [document.id, document]));

      beforeAll(async () => {
        await store(...turns);
        await store({ ...turn("t3", 29), org: newOrg(), entity_ids: ["ent_rare"] });
      }, SLOW);

      const around = async (ids: string[], reach: number, filters?: SearchFilters) => {
        const documents = ids.map((id) => byId.get(id)!);
        const scope = { org, now: time.now(), filters };
        const { inTime } = await index.neighbours({ ...scope, documents, reach, entities: [], maxMembers: 0 });
        return Object.fromEntries(inTime);
      };

      it("in time are those before and after of the same user and session, by time and id", async () => {
        expect(await around(["t1", "t2b", "t3", "t5"], 2)).toEqual({
          t1: ["t2a", "t2b"],
          t2b: ["t1", "t2a", "t3", "t4"],
          t3: ["t2a", "t2b", "t4", "t5"],
          t5: ["t3", "t4"],
        });
        expect(await around(["t3"], 1)).toEqual({ t3: ["t2b", "t4"] });
      });

      it("in time are those that happened before and after, in any order of storing", async () => {
        const own = newOrg();
        const told = (id: string, seconds: number, occurred_at?: string) => {
          return { ...turn(id, seconds, occurred_at === undefined ? {} : { occurred_at }), org: own };
        };
        const [first, second, last] = [
          told("first", 50, "2024-01-01T13:00:10.000+01:00"),
          told("second", 20),
          told("last", 10, "2024-01-01T07:00:40.000-05:00"),
        ];
        await store(first, second, last);
        const scope = { org: own, now: time.now(), reach: 2, entities: [], maxMembers: 0 };
        const { inTime } = await index.neighbours({ ...scope, documents: [last, second, first] });
        expect(Object.fromEntries(inTime)).toEqual({
          last: ["first", "second"],
          second: ["first", "last"],
          first: ["second", "last"],
        });
      });

      it("without a session are the user's other documents without one", async () => {
        expect(await around(["loose_1", "nobody_2", "other_user", "other_session"], 2)).toEqual({
          loose_1: ["loose_2"],
          nobody_2: ["nobody_1"],
          other_user: [],
          other_session: [],
        });
      });

      it("are limited to the scope", async () => {
        expect(await around(["t1", "t3"], 2, { category: ["work"] })).toEqual({ t1: ["t4"], t3: ["t4"] });
      });

      it("by mention are the documents that name an entity, unless there are too many", async () => {
        const ask = async (maxMembers: number, filters?: SearchFilters) => {
          const entities = ["ent_rare", "ent_common", "ent_unknown"];
          const scope = { org, now: time.now(), filters };
          const { members } = await index.neighbours({ ...scope, documents: [], reach: 1, entities, maxMembers });
          return Object.fromEntries([...members].map(([entity, ids]) => [entity, ids.toSorted()]));
        };
        const all = { ent_rare: ["t2a", "t3"], ent_common: ["nobody_2", "t2a", "t3", "t4"], ent_unknown: [] };
        expect(await ask(4)).toEqual(all);
        expect(await ask(3)).toEqual({ ...all, ent_common: [] });
        expect(await ask(3, { user_id: ["ann"] })).toEqual({ ...all, ent_common: ["t2a", "t3", "t4"] });
      });

      it("include their documents, each once", async () => {
        const { documents } = await index.neighbours({
          org,
          now: time.now(),
          documents: [byId.get("t2b")!, byId.get("t4")!],
          reach: 1,
          entities: ["ent_rare"],
          maxMembers: 9,
        });
        expect(documents.map(({ id }) => id).sort()).toEqual(["t2a", "t3", "t5"]);
        expect(documents.find(({ id }) => id === "t3")).toMatchObject({ org, created_at: at(30), content: "t3" });
      });

      it("change when a document names other entities or is deleted", async () => {
        const own = newOrg();
        const naming = async () => {
          const scope = { org: own, now: time.now(), documents: [], reach: 0, maxMembers: 9 };
          const { members } = await index.neighbours({ ...scope, entities: ["ent_1", "ent_2"] });
          return Object.fromEntries(members);
        };
        await store({ org: own, id: "mem_1", entity_ids: ["ent_1"] }, { org: own, id: "mem_2", entity_ids: ["ent_2"] });
        await store({ org: own, id: "mem_1", version: 2, entity_ids: ["ent_2"] });
        await index.remove([{ org: own, id: "mem_2", version: 1 }]);
        await subject.drainChangeFeed();
        expect(await naming()).toEqual({ ent_1: [], ent_2: ["mem_1"] });
      });
    });

    describe("rankings", () => {
      const org = newOrg();
      const scope = () => ({ org, now: time.now() });
      const parameters = { maxHops: 3, decayFactor: 0.85, threshold: 0.1, budget: 1 };
      const best = (ranked: { id: string }[], expected: Order) => {
        const ids = ranked.map(({ id }) => id);
        return expected.map((place) => (typeof place === "string" ? ids.shift() : ids.splice(0, place.length).sort()));
      };

      beforeAll(async () => {
        await store(...RANKED_CORPUS.map((told) => ({ ...told, org, user_id: "user_1" })));
      }, SLOW);

      it.each(RANKINGS)("have the same order on all platforms: $query", async ({ query, ...expected }) => {
        const settings = { read: async <Value extends object>({ initial }: Setting<Value>) => initial };
        const rollups = { count: () => {} };
        const records = { get: async () => undefined } as Pick<RecordStore, "get"> as RecordStore;
        const ports = { embedder, records, search: index };
        const ctx = { org, viewer: undefined, clock: time.now, settings, rollups, logger: silentLogger, ports };
        const plain = await retrieve(ctx, { query: new Query(query), depth: RANKED_DEPTH });
        const weights = { semantic: 0.8, keyword: 0.2 };
        const fusion = { weights, fuse: fuseByMean };
        const hybrid = await retrieve(ctx, { query: new Query(query), fusion, depth: RANKED_DEPTH });
        const spreading = await spread(index, {
          ranked: plain.ranked,
          weights: plainWeights(embedder),
          scope: scope(),
          parameters,
        });
        expect({
          plain: best(plain.ranked, expected.plain),
          hybrid: best(hybrid.ranked, expected.hybrid),
          spreading: best(spreading.ranked, expected.spreading),
        }).toEqual(expected);
      });
    });

    describe("hostile query texts", () => {
      const org = newOrg();

      beforeAll(async () => {
        await store({ org, id: "mem_1", content: "plain tea" }, { org, id: "mem_2", content: "not coffee" });
      }, SLOW);

      it.each([
        `""tea""`,
        `tea"`,
        `'tea' OR 1=1 --`,
        `tea AND (NOT coffee`,
        `NEAR(tea coffee)`,
        `tea*`,
        `^tea`,
        `terms : tea`,
        `{terms} : tea`,
        `content:(tea) +tea -coffee ~2 ^3`,
        `tea\\`,
        `/tea.*/`,
        `[tea TO coffee}`,
        `<script>tea</script>`,
        `{"match_all": {}} tea`,
        "tea\u0000tea",
        "tea\ud800",
        "\u202etea",
      ])("%j finds its words, and ignores operators", async (text) => {
        const found = idsOf((await ask(org, text)).keyword);
        expect(found).toContain("mem_1");
        expect(found.includes("mem_2")).toBe(text.includes("coffee"));
      });

      it.each([
        { name: "of 300 emoji", text: `tea ${"🎂".repeat(300)}` },
        { name: "with a word of 996 characters", text: `tea ${"x".repeat(996)}` },
        { name: "of 498 stop words", text: `tea ${"a ".repeat(498)}` },
        { name: "of 200 words", text: `tea ${Array.from({ length: 200 }, (_, i) => `w${i}`).join(" ")}` },
      ])("a text $name finds its words", async ({ text }) => {
        expect(idsOf((await ask(org, text)).keyword)).toEqual(["mem_1"]);
      });

      it.each(["", " ", "?!…", `"`, `"'"`, "the of and", "who is it", "\u0000", "()[]{}", "- - -"])(
        "%j has no keyword hit and causes no error",
        async (text) => {
          const answer = await ask(org, text);
          expect(answer.keyword).toEqual([]);
          expect(answer.statistics?.terms).toEqual([]);
          expect(idsOf(answer.semantic).sort()).toEqual(["mem_1", "mem_2"]);
        },
      );
    });

    describe("aggregates", () => {
      it("count values, most frequent first, and sum", async () => {
        const org = newOrg();
        const numbers = { original_tokens: 10, compressed_tokens: 4, processing_ms: 1.5 };
        await store(
          { org, id: "1", category: "b", type: "fact", user_id: "ann", ...numbers },
          { org, id: "2", category: "a", type: "fact", ...numbers },
          { org, id: "3", category: "b", ...numbers },
          { org, id: "4", category: "c", user_id: "ann", ...numbers },
          { org, id: "5" },
        );
        const all = await index.aggregate({ org, now: time.now() }, ["category", "type", "user_id"]);
        expect(all).toEqual({
          count: 5,
          terms: {
            category: [
              { value: "b", count: 2 },
              { value: "a", count: 1 },
              { value: "c", count: 1 },
            ],
            type: [{ value: "fact", count: 2 }],
            user_id: [{ value: "ann", count: 2 }],
          },
          sums: { original_tokens: 40, compressed_tokens: 16, processing_ms: 6 },
        });
        const scope = { org, now: time.now(), filters: { user_id: ["ann"] } };
        expect(await index.aggregate(scope, ["category"])).toEqual({
          count: 2,
          terms: {
            category: [
              { value: "b", count: 1 },
              { value: "c", count: 1 },
            ],
          },
          sums: { original_tokens: 20, compressed_tokens: 8, processing_ms: 3 },
        });
      });

      it("return at most 100 values", async () => {
        const org = newOrg();
        await store(...Array.from({ length: 120 }, (_, i) => ({ org, id: `mem_${i}`, category: `category ${i}` })));
        const { terms } = await index.aggregate({ org, now: time.now() }, ["category"]);
        expect(terms.category).toHaveLength(100);
      });
    });

    it("answers a ping", async () => {
      await expect(index.ping()).resolves.toBeUndefined();
    });
  });
}

function newOrg(): string {
  return `org_${randomUUID().slice(0, 18)}`;
}

function idsOf(hits: { id: string }[]): string[] {
  return hits.map(({ id }) => id);
}
