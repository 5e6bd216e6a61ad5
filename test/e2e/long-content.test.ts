import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

/** Too long for a record, so it is stored in the blob store. */
const LONG = "The harvest was good. ".repeat(4_000);

let service: LocalService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test("each concurrent update keeps its own long content", async () => {
  const { body } = await service.request("POST", "/memories", { body: { content: "Start." } });
  const path = `/memories/${body.data.id}`;
  const update = (content: string) => service.request("PUT", path, { body: { content } });
  const answers = await Promise.all(["One", "Two", "Three"].map((word) => update(`${word}: ${LONG}`)));
  const { body: history } = await service.request("GET", `${path}/versions`);
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    const { version, content } = body.data;
    expect(history.data.versions[version - 1].content.slice(0, 10)).toBe(content.slice(0, 10));
  }
});

test("content can change from long to short and back, and each version keeps its own", async () => {
  const contents = [LONG, "Short now.", `${LONG} Long again.`];
  const { body } = await service.request("POST", "/memories", { body: { content: contents[0] } });
  const path = `/memories/${body.data.id}`;
  for (const content of contents.slice(1)) {
    await service.request("PUT", path, { body: { content } });
    const { body } = await service.request("GET", path);
    expect(body.data.content === content, "reads back what was written").toBe(true);
  }
  const { body: history } = await service.request("GET", `${path}/versions`);
  expect(history.data.versions.map(({ content }: { content: string }) => content.length)).toEqual(
    contents.map(({ length }) => length),
  );
});

test.each(["", "/versions", "/entities"])("a read of %s during a deletion returns 404", async (part) => {
  const { body } = await service.request("POST", "/memories", { body: { content: LONG } });
  const { id } = body.data;
  vi.spyOn(service.runtime.ports.blobs, "get").mockImplementationOnce(async () => {
    await service.request("DELETE", `/memories/${id}`);
    return undefined;
  });
  const answer = await service.request("GET", `/memories/${id}${part}`);
  expect([answer.status, answer.body.error?.code]).toEqual([404, "MEMORY_NOT_FOUND"]);
});

test("a list during a deletion leaves out the deleted memory", async () => {
  const user_id = "meets-deletion";
  const [{ body: kept }, { body: gone }] = [
    await service.request("POST", "/memories", { body: { content: "Short.", user_id } }),
    await service.request("POST", "/memories", { body: { content: LONG, user_id } }),
  ];
  vi.spyOn(service.runtime.ports.blobs, "get").mockImplementationOnce(async () => {
    await service.request("DELETE", `/memories/${gone.data.id}`);
    return undefined;
  });
  const { status, body } = await service.request("GET", `/memories?user_id=${user_id}`);
  expect(status).toBe(200);
  expect(body.data.memories.map(({ id }: { id: string }) => id)).toEqual([kept.data.id]);
});
