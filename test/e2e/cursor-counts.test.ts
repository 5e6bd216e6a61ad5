import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { expectEventually } from "../contract/eventually.ts";
import { type LocalService, openService } from "../support/service.ts";

const STORED = 6;
const LIMIT = 2;

let service: LocalService;
let counted: ReturnType<typeof vi.spyOn>;

beforeAll(async () => {
  service = await openService();
  for (let index = 0; index < STORED; index++) {
    const body = { content: `I moved to Town${index}.`, user_id: "ann", occurred_at: `202${index}-03-01T00:00:00Z` };
    await service.request("POST", "/memories", { body });
    await service.request("POST", "/sessions", { body: { agent_id: "guide", user_id: "ann" } });
    await service.request("POST", "/sources/ingest", { body: { type: "text", content: `Page ${index}` } });
  }
});
afterAll(() => service.close());

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (cursor: string) => JSON.parse(Buffer.from(cursor, "base64url").toString());

async function pageOf(path: string, cursor: string | undefined) {
  const { status, body } = await service.request("GET", cursor === undefined ? path : `${path}&cursor=${cursor}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.data ?? body).pagination as { total: number; next_cursor?: string };
}

function countCalls() {
  counted = vi.spyOn(service.runtime.ports.records, "count");
  onTestFinished(() => counted.mockRestore());
}

it.each([
  ["/memories?user_id=ann", 1],
  ["/sessions?sort=updated_at+desc", 1],
  ["/sources?", 1],
  ["/facts?user_id=ann", 1],
  // Each of them must be checked.
  ["/facts?user_id=ann&subject=user", 0],
])("%s counts its items once, at its first page", async (path, calls) => {
  countCalls();
  const totals: number[] = [];
  let cursor: string | undefined;
  do {
    const { total, next_cursor } = await pageOf(`${path}&limit=${LIMIT}`, cursor);
    totals.push(total);
    cursor = next_cursor;
  } while (cursor !== undefined);
  expect(totals.length).toBeGreaterThan(2);
  expect(new Set(totals).size).toBe(1);
  expect(counted).toHaveBeenCalledTimes(calls);
});

it.each(["/memories?user_id=ann", "/facts?user_id=ann"])(
  "%s counts for a cursor of an earlier release",
  async (path) => {
    const { total, next_cursor = "" } = await pageOf(`${path}&limit=${LIMIT}`, undefined);
    const position = decoded(next_cursor);
    const former = Array.isArray(position) ? position.slice(0, 3) : { ...position, total: undefined };
    countCalls();
    expect(await pageOf(`${path}&limit=${LIMIT}`, encoded(former))).toMatchObject({ total });
    expect(counted).toHaveBeenCalledOnce();
  },
);

it("an import's event shows its first skipped rows without a count", async () => {
  const row = { id: "note", content: "Tea is ready." };
  const body = { memories: Array.from({ length: 102 }, () => row) };
  const { event_id } = (await service.request("POST", "/imports", { body })).body;
  countCalls();
  await expectEventually(async () => {
    const event = (await service.request("GET", `/events/${event_id}`)).body;
    return [event.status, event.skipped, event.skipped_rows?.length];
  }, ["completed", 101, 100]);
  expect(counted).not.toHaveBeenCalled();
});

it.each(["/memories?user_id=ann", "/facts?user_id=ann"])("%s refuses a cursor with another total", async (path) => {
  const { next_cursor = "" } = await pageOf(`${path}&limit=${LIMIT}`, undefined);
  const position = decoded(next_cursor);
  for (const total of [-1, 1.5, "6", null]) {
    const forged = Array.isArray(position) ? position.with(3, total) : { ...position, total };
    const { status } = await service.request("GET", `${path}&cursor=${encoded(forged)}`);
    expect(status).toBe(400);
  }
});
