import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let ours: Caller;

beforeAll(async () => {
  target = await openTarget();
  ours = await target.organization();
});

afterAll(() => target.close());

/** The event once nothing more comes of it. */
function ended(caller: Caller, id: string) {
  return eventually(async () => {
    const { body } = await caller.get(`/events/${id}`);
    expect(["completed", "FAILED"]).toContain(body.status);
    return body;
  });
}

async function importAll(caller: Caller, memories: unknown[]) {
  const { status, body } = await caller.post("/imports", { memories });
  expect(status).toBe(202);
  expect(body).toMatchObject({ status: "PENDING", total: memories.length });
  return ended(caller, body.event_id);
}

/** Rows of all files of an export. */
async function exportAll(caller: Caller, filter: object = {}): Promise<Record<string, unknown>[]> {
  const { status, body } = await caller.post("/exports", filter);
  expect(status).toBe(200);
  const { files } = await ended(caller, body.event_id);
  const rows: Record<string, unknown>[] = [];
  for (const { download_url, memories, bytes } of files) {
    const answer = await target.follow(download_url);
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBe(bytes);
    const part = JSON.parse(text).memories;
    expect(part).toHaveLength(memories);
    rows.push(...part);
  }
  return rows;
}

describe("an import", () => {
  it("stores good rows and names bad ones by their places", async () => {
    const caller = await target.organization();
    const event = await importAll(caller, [
      { content: "Ada prefers tea over coffee.", user_id: "ada", type: "preference" },
      { content: "" },
      "Grace lives in Arlington.",
      { content: "Grace lives in Arlington.", user_id: null, created_at: "2024-02-03T04:05:06Z" },
      { content: "It is over.", expire_at: "2020-01-01T00:00:00Z", metadata: [] },
    ]);
    expect(event).toMatchObject({
      type: "memory.import",
      status: "completed",
      resource: "import",
      progress: { total: 5, done: 2, failed: 3 },
      imported: 2,
      skipped: 0,
    });
    expect(event.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, "VALIDATION_ERROR"],
      [2, "VALIDATION_ERROR"],
      [4, "VALIDATION_ERROR"],
    ]);
    const { body } = await caller.get(`/imports/${event.id}/failures?limit=2&offset=1`);
    expect(body.failures.map(({ index }: { index: number }) => index)).toEqual([2, 4]);
    expect(body.failures[1].fields).toEqual([{ field: "metadata", problem: "must be an object" }]);
    expect(body.pagination).toEqual({ total: 3, limit: 2, offset: 1, has_next: false });
    const rows = await exportAll(caller);
    expect(rows.map(({ content, created_at }) => [content, created_at])).toEqual([
      ["Grace lives in Arlington.", "2024-02-03T04:05:06.000Z"],
      ["Ada prefers tea over coffee.", expect.any(String)],
    ]);
  });
});
