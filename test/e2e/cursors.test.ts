import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, openTarget, type Target } from "../support/target.ts";

const STORED = 7;
const LIMIT = 3;

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

interface Item {
  id: string;
}

/** The lists with cursors, and how an item comes into each. */
const LISTS: Record<string, () => Promise<string>> = {
  memories: async () => {
    const content = `Note ${crypto.randomUUID()}`;
    const { body } = await caller.post("/memories", { content, user_id: "ann", options: { extract_facts: false } });
    return body.data.id;
  },
  sessions: async () => (await caller.post("/sessions", { agent_id: "guide", user_id: "ann" })).body.data.id,
  sources: async () => {
    const { body } = await caller.post("/sources/ingest", { type: "text", content: `Page ${crypto.randomUUID()}` });
    return body.source.id;
  },
};

const PATHS = [
  "memories?sort=created_at+desc",
  "memories?sort=created_at+asc",
  "memories?sort=updated_at+desc",
  "memories?user_id=ann",
  "sessions?sort=updated_at+desc",
  "sessions?sort=created_at+asc",
  "sources?",
];

it.each(PATHS)("items that come and go shift no page that a cursor begins: /%s", async (path) => {
  caller = await target.organization();
  const [list = ""] = path.split("?");
  const add = LISTS[list];
  const ids: string[] = [];
  for (let index = 0; index < STORED; index++) ids.push((await add?.()) ?? "");
  const expected = path.endsWith("+asc") ? ids : ids.toReversed();

  const first = await readPage(list, `/${path}&limit=${LIMIT}`);
  expect(first.ids).toEqual(expected.slice(0, LIMIT));
  // The item that ends the page goes, and another one comes.
  await caller.delete(`/${list}/${first.ids.at(-1)}`);
  const added = (await add?.()) ?? "";
  const later = await readRest(list, `/${path}&limit=${LIMIT}&cursor=${first.next}`);
  expect(later.filter((id) => id !== added)).toEqual(expected.slice(LIMIT));
});

it("the header Link leads through all pages by cursors", async () => {
  caller = await target.organization();
  for (let index = 0; index < STORED; index++) await LISTS.memories?.();
  const found: string[] = [];
  let next: string | undefined = `/memories?user_id=ann&limit=${LIMIT}`;
  while (next !== undefined) {
    const { body, headers } = await caller.get(next);
    found.push(...body.data.memories.map(({ id }: Item) => id));
    expect(body.data.pagination.total).toBe(STORED);
    next = /^<(.+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    if (next !== undefined) expect(new URL(next, "http://host").searchParams.has("offset")).toBe(false);
  }
  expect(new Set(found).size).toBe(STORED);
  expect(found).toHaveLength(STORED);
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

it.each([
  ["no cursor at all", "cursor=hello"],
  ["no list", `cursor=${encoded({ pk: "a" })}`],
  ["too short", `cursor=${encoded(["2026", "pk"])}`],
  ["numbers", `cursor=${encoded([1, 2, 3])}`],
  ["empty keys", `cursor=${encoded(["", "", ""])}`],
  ["keys that are too long", `cursor=${encoded(["a".repeat(1_100), "b", "c"])}`],
  ["with an offset", `cursor=${encoded(["a", "b", "c"])}&offset=5`],
  ["in a list by event time", `cursor=${encoded(["a", "b", "c"])}&sort=occurred_at+desc`],
])("a cursor that no page returned is refused: %s", async (_, query) => {
  caller = await target.organization();
  const { status, body } = await caller.get(`/memories?${query}`);
  expect(status).toBe(400);
  expect(body.error.code).toBe("VALIDATION_ERROR");
});

it("a cursor of another organization shows nothing of it", async () => {
  const other = await target.organization();
  for (let index = 0; index < STORED; index++) {
    await other.post("/memories", { content: `Secret ${index}`, options: { extract_facts: false } });
  }
  const { next_cursor } = (await other.get(`/memories?limit=${LIMIT}`)).body.data.pagination;
  caller = await target.organization();
  await LISTS.memories?.();
  const { status, body } = await caller.get(`/memories?limit=${LIMIT}&cursor=${next_cursor}`);
  expect(status).toBe(200);
  for (const { content } of body.data.memories) expect(content).toMatch(/^Note /);
});

async function readPage(list: string, path: string) {
  const { status, body } = await caller.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  // The answers about sources have no envelope.
  const { [list]: items, pagination } = body.data ?? body;
  return { ids: items.map(({ id }: Item) => id), next: pagination.next_cursor };
}

async function readRest(list: string, path: string): Promise<string[]> {
  const { ids, next } = await readPage(list, path);
  if (next === undefined) return ids;
  return [...ids, ...(await readRest(list, path.replace(/cursor=.*$/, `cursor=${next}`)))];
}

describe("facts", () => {
  const TOWNS = ["Aachen", "Bergen", "Cadiz", "Dover", "Evora", "Faro", "Genoa"];
  const add = async (content: string, user_id = "ann") =>
    (await caller.post("/memories", { content, user_id, occurred_at: "2024-01-01T00:00:00Z" })).body.data.id as string;

  it("have cursors that facts which come and go shift no page of", async () => {
    caller = await target.organization();
    const ids: string[] = [];
    for (const [index, town] of TOWNS.entries()) {
      const { body } = await caller.post("/memories", {
        ...{ content: `I moved to ${town}.`, user_id: "ann", occurred_at: `202${index}-03-01T00:00:00Z` },
      });
      ids.push(body.data.id);
    }
    await add("My favourite tea is Assam.");
    const all = (await caller.get("/facts?user_id=ann&limit=100")).body.data.facts as {
      id: string;
      memory_id: string;
    }[];
    expect(all.length).toBeGreaterThan(TOWNS.length);
    const first = await caller.get(`/facts?user_id=ann&limit=${LIMIT}`);
    const seen: string[] = first.body.data.facts.map(({ id }: Item) => id);
    expect(seen).toEqual(all.slice(0, LIMIT).map(({ id }) => id));
    // A fact of the first page goes, and another of an earlier time comes.
    const gone = all.find(
      ({ memory_id }) => ids.includes(memory_id) && all.findIndex((each) => each.memory_id === memory_id) < LIMIT,
    );
    await caller.delete(`/memories/${gone?.memory_id}`);
    await add("I moved to Ystad.");
    let next: string | undefined = first.body.data.pagination.next_cursor;
    while (next !== undefined) {
      const { body } = await caller.get(`/facts?user_id=ann&limit=${LIMIT}&cursor=${next}`);
      seen.push(...body.data.facts.map(({ id }: Item) => id));
      next = body.data.pagination.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
  });

  it.each(["subject=user", "status=current", "as_of=2023-01-01T00:00:00Z", ""])(
    "are all listed by cursors: %j",
    async (query) => {
      caller = await target.organization();
      for (const [index, town] of TOWNS.entries()) {
        const body = {
          content: `I moved to ${town}. My friend Ada${index} lives in ${town}.`,
          user_id: `user-${index % 2}`,
        };
        await caller.post("/memories", { ...body, occurred_at: `202${index}-03-01T00:00:00Z` });
      }
      const user = query === "subject=user" ? "&user_id=user-1" : "";
      const all = (await caller.get(`/facts?${query}${user}&limit=100`)).body.data.facts.map(({ id }: Item) => id);
      const seen: string[] = [];
      for (let next: string | undefined = ""; next !== undefined; ) {
        const cursor: string = next === "" ? "" : `&cursor=${next}`;
        const { body } = await caller.get(`/facts?${query}${user}&limit=2${cursor}`);
        seen.push(...body.data.facts.map(({ id }: Item) => id));
        next = body.data.pagination.next_cursor;
      }
      expect(seen).toEqual(all);
    },
  );

  it.each([
    ["no cursor at all", "cursor=hello"],
    ["of another user", `user_id=ann&cursor=${encoded({ at: "ben#x#2024#fact_1", valid_from: "2024", before: 1 })}`],
    ["without a slot", `cursor=${encoded({ at: "ann", valid_from: "2024", before: 1 })}`],
    ["with an offset", `offset=2&cursor=${encoded({ at: "a#b#c#d", valid_from: "2024", before: 1 })}`],
    ["with a memory", `memory_id=mem_1&cursor=${encoded({ at: "a#b#c#d", valid_from: "2024", before: 1 })}`],
  ])("refuse a cursor that no page returned: %s", async (_, query) => {
    caller = await target.organization();
    const { status, body } = await caller.get(`/facts?${query}`);
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});
