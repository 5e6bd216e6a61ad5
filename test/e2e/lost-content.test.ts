import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { memoryKey } from "../../shared/domain/memory/memory-keys.ts";
import { versionKey } from "../../shared/domain/memory/version-records.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { type LocalService, openService } from "../support/service.ts";

let service: LocalService;
let serial = 0;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** Returns a unique content that is too long for a record. */
const longContent = (): string => `${"Ada drinks tea with Grace. ".repeat(3_000)}${++serial}`;

async function store(content: string): Promise<{ id: string; blob: string }> {
  const { status, body } = await service.request("POST", "/memories", { body: { content } });
  expect(status).toBe(201);
  const record = await service.runtime.ports.records.get(memoryKey(OPERATOR_ORG, body.data.id));
  return { id: body.data.id, blob: String(record?.content_blob) };
}

const read = (id: string) => service.request("GET", `/memories/${id}`);
const lose = (blob: string) => service.runtime.ports.blobs.delete(blob);
const spoil = (blob: string) =>
  service.runtime.ports.blobs.put(blob, { bytes: Buffer.from("something else"), contentType: "text/plain" });
const spoilPacked = (blob: string) =>
  service.runtime.ports.blobs.put(blob, { bytes: Buffer.from("no gzip"), contentType: "application/gzip" });

async function syncBlobs() {
  const begun = await service.request("POST", "/admin/sync", { body: { components: ["blobs"] } });
  return vi.waitFor(async () => {
    const { body } = await service.request("GET", `/admin/jobs?job_id=${begun.body.data.job_id}`);
    expect(body.data.jobs[0].status).toBe("completed");
    return body.data.jobs[0].components[0];
  }, 30_000);
}

describe("a memory whose blob is", () => {
  it.for([
    ["missing", lose],
    ["replaced by other content", spoil],
    ["not in the format of its type", spoilPacked],
  ] as const)("%s returns 503 by its id, does not break lists, and can be replaced or deleted", async ([, damage]) => {
    const [replaced, deleted] = [await store(longContent()), await store(longContent())];
    for (const { blob } of [replaced, deleted]) await damage(blob);
    const answer = await read(replaced.id);
    expect(answer.status).toBe(503);
    expect(answer.body.error).toMatchObject({ code: "CONTENT_UNAVAILABLE", details: { id: replaced.id } });
    expect(answer.body.error.message).toContain(`'${replaced.id}' is missing or damaged`);
    const list = await service.request("GET", "/memories?limit=100");
    const listed = list.body.data.memories.find(({ id }: { id: string }) => id === deleted.id);
    expect([list.status, listed]).toMatchObject([200, { content: "", content_missing: true, version: 1 }]);
    const versions = await service.request("GET", `/memories/${replaced.id}/versions`);
    expect(versions.status).toBe(503);
    const metadata = await service.request("PUT", `/memories/${replaced.id}`, { body: { metadata: { a: 1 } } });
    expect(metadata.body.error.code).toBe("CONTENT_UNAVAILABLE");
    const put = await service.request("PUT", `/memories/${replaced.id}`, { body: { content: "Ada is back." } });
    expect([put.status, put.body.data.content, put.body.data.content_missing]).toEqual([
      200,
      "Ada is back.",
      undefined,
    ]);
    const after = await service.request("GET", `/memories/${replaced.id}/versions`);
    expect(after.body.data.versions.map((each: object) => "content_missing" in each)).toEqual([true, false]);
    const restore = { version: 1, reason: "test" };
    const restored = await service.request("POST", `/memories/${replaced.id}/restore`, { body: restore });
    expect(restored.body.error.code).toBe("CONTENT_UNAVAILABLE");
    expect((await service.request("DELETE", `/memories/${deleted.id}`)).status).toBe(200);
    expect((await read(deleted.id)).status).toBe(404);
  });

  it("missing or damaged is restored by a sync, from its document or from a version", async () => {
    const [one, other] = [longContent(), longContent()];
    const [ofDocument, ofVersion] = [await store(one), await store(other)];
    await spoil(ofDocument.blob);
    await lose(ofVersion.blob);
    const { records, search } = service.runtime.ports;
    await search.remove([{ org: OPERATOR_ORG, id: ofVersion.id, version: 1 }]);
    const key = versionKey(OPERATOR_ORG, ofVersion.id, 1);
    await records.write({ update: key, set: { content: other }, remove: ["content_blob"] });
    expect((await syncBlobs()).repaired).toBeGreaterThanOrEqual(2);
    expect((await read(ofDocument.id)).body.data.content).toBe(one);
    expect((await read(ofVersion.id)).body.data.content).toBe(other);
  });
});

it("a session's messages are listed even if the blob of one is missing", async () => {
  const { body } = await service.request("POST", "/sessions", {
    body: { agent_id: "guide", user_id: "ada", config: { context_window: 100_000 } },
  });
  const path = `/sessions/${body.data.id}/messages`;
  for (const content of ["Hello.", longContent()]) {
    expect((await service.request("POST", path, { body: { role: "user", content } })).status).toBe(201);
  }
  const { blobs } = await service.runtime.ports.blobs.list({
    prefix: `content/${OPERATOR_ORG}/${body.data.id}/`,
    limit: 10,
  });
  for (const { key } of blobs) await lose(key);
  const list = await service.request("GET", path);
  expect(list.body.data.messages).toMatchObject([{ content: "Hello." }, { content: "", content_missing: true }]);
});
