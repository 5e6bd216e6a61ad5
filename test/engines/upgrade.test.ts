import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FORMAT_MARK } from "../../shared/adapters/aws/attribute-names.ts";
import { DynamoInventory } from "../../shared/adapters/aws/inventory.ts";
import { toRecord } from "../../shared/adapters/aws/item-format.ts";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { openSearch } from "../../shared/adapters/aws/search.ts";
import { INDEX_FORMAT } from "../../shared/adapters/aws/search-mapping.ts";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { identityOf } from "../../shared/ports/preconditions.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import { valueFacet } from "../../shared/ports/search-facets.ts";
import type { SearchFilters } from "../../shared/ports/search-index.ts";
import { itemVersion, replaceItem, upgradeItems } from "../../shared/runtime/upgrades/item-upgrade.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { indexOf, openFolder, releases } from "../fixtures/folders/folders.ts";
import { createTable, deleteTable, searchSpace } from "./resources.ts";

let table: string;
let client: DynamoDBClient;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  table = await createTable();
  client = new DynamoDBClient();
  documents = DynamoDBDocumentClient.from(client);
});
afterAll(() => deleteTable(table));

/** Items as a release wrote them: both platforms store the same. */
function itemsOf(release: string): StoredRecord[] {
  const connection = new DatabaseSync(path.join(openFolder(release).dataDir, "records.sqlite"));
  try {
    return connection
      .prepare("SELECT item FROM records WHERE ttl IS NULL")
      .all()
      .map(({ item }) => JSON.parse(String(item)) as StoredRecord);
  } finally {
    connection.close();
  }
}

/** Writes items as the former release did: without a format number. */
const putOld = (item: StoredRecord) => documents.send(new PutCommand({ TableName: table, Item: item }));

async function scan(): Promise<Record<string, unknown>[]> {
  return (await documents.send(new ScanCommand({ TableName: table, ConsistentRead: true }))).Items ?? [];
}

async function upgradeAll(between: () => Promise<unknown> = async () => {}): Promise<number> {
  const inventory = new DynamoInventory(client, table, Date.now);
  let upgraded = 0;
  let after: string | undefined;
  do {
    const page = await inventory.upgrade({ limit: 5, ...(after !== undefined && { after }) });
    upgraded += page.upgraded;
    after = page.cursor;
    await between();
  } while (after !== undefined);
  return upgraded;
}

/** A person as the first releases stored it, which one of their processes keeps changing. */
const person = (number: number, name = "Ada"): StoredRecord => {
  return { pk: "org_1#people#ada", sk: `ada ${number}`, kind: "person", name };
};

describe("a DynamoDB table", () => {
  it.each(releases())("of release %s returns the same data before and after its upgrade", async (release) => {
    const items = itemsOf(release);
    for (const item of items) await putOld(item);
    const store = new DynamoRecordStore(client, table, Date.now);
    const read = () => Promise.all(items.map(({ pk, sk }) => store.get({ pk, sk })));
    expect(await read()).toEqual(items.map(toRecord));
    await upgradeAll();
    const upgraded = new Map(upgradeItems(items).map((item) => [identityOf(item), JSON.parse(JSON.stringify(item))]));
    expect(await read()).toEqual(items.map((item) => upgraded.get(identityOf(item))));
    const stored = await scan();
    const added = [...upgraded.values()].filter(({ kind }) => kind.endsWith("_job"));
    expect(stored).toEqual(expect.arrayContaining(added.map((job) => expect.objectContaining(job))));
    expect(stored.filter((item) => replaceItem(item as StoredRecord))).toEqual([]);
    expect(await upgradeAll()).toBe(0);
  });

  it("is upgraded while a former release writes, and loses none of its writes", async () => {
    const count = 30;
    for (let number = 0; number < count; number++) await putOld(person(number));
    let round = 0;
    const upgraded = await upgradeAll(async () => {
      round += 1;
      for (let number = 0; number < count; number++) await putOld(person(number, `Ada ${round}`));
    });
    expect(upgraded).toBeGreaterThan(0);
    await upgradeAll();
    const people = (await scan()).filter(({ pk }) => pk === "org_1#people#ada");
    expect(people).toHaveLength(count);
    for (const one of people) {
      expect(one).toMatchObject({ name: `Ada ${round}`, org: "org_1", user_id: "ada", [FORMAT_MARK]: itemVersion() });
    }
  });

  it("keeps an item that was written since it was read, and upgrades the new version", async () => {
    const created_at = "2026-11-22T10:00:00.000Z";
    const transfer = (position: number): StoredRecord => ({
      ...{ pk: "org_1#evt_1", sk: "transfer", kind: "transfer", id: "evt_1", org: "org_1", what: "import", blob: "b" },
      ...{ created_by: "ak_1", created_at, queued_at: created_at, attempts: 1, total: 9, position },
      ...{ imported: position, skipped: 0, failed: 0 },
    });
    await putOld(transfer(3));
    const racing = new DynamoDBClient();
    let isOvertaken = false;
    racing.middlewareStack.add(
      (next, { commandName }) =>
        async (given) => {
          const isFirst = commandName === "TransactWriteItemsCommand" && !isOvertaken;
          isOvertaken ||= isFirst;
          if (isFirst) await putOld(transfer(4));
          return next(given);
        },
      { step: "initialize" },
    );
    await new DynamoInventory(racing, table, Date.now).upgrade({ limit: 1000 });
    expect(isOvertaken).toBe(true);
    const left = (await scan()).filter(({ pk }) => pk === "org_1#evt_1");
    expect(left).toMatchObject([{ sk: "job", kind: "import_job", checkpoint: { position: 4 }, state: "queued" }]);
  });

  it("loses no write between the reading of an item and its upgrade", async () => {
    await putOld(person(100));
    const racing = new DynamoDBClient();
    let isOvertaken = false;
    racing.middlewareStack.add(
      (next, { commandName }) =>
        async (given) => {
          const isFirst = commandName === "UpdateItemCommand" && !isOvertaken;
          isOvertaken ||= isFirst;
          if (isFirst) await putOld({ ...person(100, "Ada of another writer"), extra: { nested: [1] } });
          return next(given);
        },
      { step: "initialize" },
    );
    const inventory = new DynamoInventory(racing, table, Date.now);
    await inventory.upgrade({ limit: 1000 });
    expect(isOvertaken).toBe(true);
    const found = (await scan()).find(({ sk }) => sk === "ada 100");
    expect(found).toMatchObject({ name: "Ada of another writer", extra: { nested: [1] }, org: "org_1" });
  });
});

it.each(releases())(
  "an OpenSearch index of release %s accepts documents of this one, and old ones happened when they were created",
  async (release) => {
    const embedder = createLexicalEmbedder();
    const space = searchSpace();
    const { mappings, settings } = indexOf(release, embedder.dimensions);
    const name = `${space.environment.SEARCH_INDEX}-${embedder.id.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
    const url = `${space.environment.SEARCH_ENDPOINT}/${name}`;
    const headers = { "content-type": "application/json" };
    const made = await fetch(url, { method: "PUT", headers, body: JSON.stringify({ settings, mappings }) });
    expect(made.status).toBe(200);
    const created_at = "2024-01-02T00:00:00.000Z";
    const source = { ...BLANK_DOCUMENT, org: "org_1", id: "mem_0", created_at };
    const hasFacets = JSON.stringify(mappings).includes('"facets"');
    const facets = hasFacets ? [valueFacet("created_at", created_at)] : undefined;
    const created_ms = Date.parse(created_at);
    const old = { org: "org_1", id: "mem_0", deleted: false, terms: "tea", created_ms, facets, source };
    const put = () =>
      fetch(`${url}/_doc/org_1%2Fmem_0?routing=org_1`, { method: "PUT", headers, body: JSON.stringify(old) });
    expect((await put()).status).toBe(201);
    const index = await openSearch(space.environment, embedder);
    const [embedding = new Float32Array()] = await embedder.embed(["tea"], { purpose: "passage" });
    const own = { ...BLANK_DOCUMENT, org: "org_1", id: "mem_1", occurred_at: "2020-01-01T00:00:00.000+02:00" };
    await index.upsert([{ ...own, embedding }]);
    expect((await put()).status).toBe(200);
    await space.refresh();
    const scope = { org: "org_1", now: Date.now() };
    expect(await index.count(scope)).toBe(2);
    const passing = async (filters: SearchFilters) => {
      const { documents } = await index.browse({ ...scope, filters, descending: false, offset: 0, limit: 9 });
      return documents.map(({ id }) => id);
    };
    expect(await passing({ occurred_after: created_at })).toEqual(["mem_0"]);
    expect(await passing({ occurred_before: "2019-12-31T22:00:00.000Z" })).toEqual(["mem_1"]);
    expect(await passing({ where: { path: "occurred_at", atLeast: created_at } })).toEqual(hasFacets ? ["mem_0"] : []);
    const first = { ...scope, order: "occurred_at", descending: false, offset: 0, limit: 1 } as const;
    expect((await index.browse(first)).documents).toMatchObject([{ id: "mem_1" }]);
    const around = { ...scope, documents: [own, source], reach: 1, entities: [], maxMembers: 0 };
    expect([...(await index.neighbours(around)).inTime]).toEqual([
      ["mem_1", ["mem_0"]],
      ["mem_0", ["mem_1"]],
    ]);
    const mapped = (await (await fetch(`${url}/_mapping`)).json()) as Record<string, { mappings: { _meta: object } }>;
    expect(mapped[name]?.mappings._meta).toMatchObject({ format: INDEX_FORMAT });
    await space.drop();
  },
);
