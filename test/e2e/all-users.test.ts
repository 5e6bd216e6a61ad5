import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let admin: Caller;
beforeAll(async () => {
  target = await openTarget();
  admin = await target.organization();
  for (const user_id of ["ada", "bob"]) {
    await admin.post("/memories", { content: `I grow tea in the garden of ${user_id}.`, user_id });
  }
});
afterAll(() => target.close());

const callTool = async (name: string, given: object, caller = admin) => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
  return (await caller.post("/mcp", call)).body.result;
};
const contents = (results: { content: string }[]) => results.map(({ content }) => content).sort();
const OF_BOTH = ["ada", "bob"].map((user) => `I grow tea in the garden of ${user}.`);

describe("`*` as a user id", () => {
  const messages = [{ role: "user", content: "I like tea." }];
  const said = { content: "I like tea." };
  it.each([
    ["POST /memories", (user_id: string) => admin.post("/memories", { ...said, user_id })],
    ["POST /sessions", (user_id: string) => admin.post("/sessions", { agent_id: "guide", user_id })],
    ["POST /sources/ingest", (user_id: string) => admin.post("/sources/ingest", { ...said, title: "t", user_id })],
    [
      "POST /sources/upload-url",
      (user_id: string) => admin.post("/sources/upload-url", { filename: "a.txt", user_id }),
    ],
    [
      "POST /connections/{provider}",
      (user_id: string) => admin.post("/connections/web_crawler", { user_id, config: { url: "https://example.com" } }),
    ],
    ["POST /v3/memories/add", (user_id: string) => admin.post("/v3/memories/add", { messages, user_id })],
    [
      "DELETE /profiles/{user_id}",
      (user_id: string) => admin.delete(`/profiles/${encodeURIComponent(user_id)}?erase=true`),
    ],
  ])("is refused by %s", async (_, send) => {
    for (const name of ["*", " * "]) {
      const { status, body } = await send(name);
      if (status === 202 && name !== "*") continue;
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("user_id")]);
    }
  });

  it("is refused in items of a batch, rows of an import and by the tool that stores", async () => {
    const batch = await admin.post("/memories/batch", { memories: [{ ...said, user_id: "*" }] });
    expect(JSON.stringify(batch.body)).toContain("must name one user");
    const imported = await admin.post("/imports", { memories: [{ ...said, user_id: "*" }] });
    await eventually(async () => {
      const event = await admin.get(`/events/${imported.body.event_id}`);
      expect(JSON.stringify(event.body)).toContain("must name one user");
    });
    expect(await callTool("remember", { ...said, user_id: "*" })).toMatchObject({ isError: true });
    expect((await admin.get("/memories?limit=100")).body.data.memories).toHaveLength(2);
  });

  it("means every user in searches, recalls and the tools that read", async () => {
    const found = await admin.get("/search?q=tea%20garden&user_id=*&threshold=0");
    expect(contents(found.body.data.results)).toEqual(OF_BOTH);
    const hybrid = await admin.post("/search/hybrid", { query: "tea garden", filters: { user_id: ["*"] } });
    expect(contents(hybrid.body.data.results)).toEqual(OF_BOTH);
    const recalled = await admin.post("/recall", { query: "Who grows tea?", user_id: "*" });
    expect(contents(recalled.body.data.items)).toEqual(OF_BOTH);
    const listed = await callTool("list", { user_id: "*" });
    expect(contents(listed.structuredContent.memories)).toEqual(OF_BOTH);
    const searched = await callTool("search", { query: "tea garden", user_id: "*" });
    expect(contents(searched.structuredContent.results)).toEqual(OF_BOTH);
  });

  it("deletes by mem0's interface only with admin:all", async () => {
    const permissions = ["memory:read", "memory:write", "memory:delete"];
    const { key } = (await admin.post("/api-keys", { name: "client", permissions })).body.data;
    const refused = await admin.as(key).delete("/v1/memories?user_id=*");
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining("admin:all")]);
    expect((await admin.delete("/v1/memories?user_id=*")).body.deleted_count).toBe(2);
  });
});

it("limits what the tools of the Model Context Protocol store like POST /memories", async () => {
  const caller = await target.organization("free");
  const stored = [];
  for (let index = 0; index < 12; index++) {
    stored.push(await callTool("remember", { content: `I own the book ${index}.`, user_id: "ada" }, caller));
  }
  const refused = stored.filter(({ isError }) => isError);
  expect(stored.length - refused.length).toBe(10);
  for (const { content } of refused) expect(content[0].text).toContain("RATE_LIMITED");
});
