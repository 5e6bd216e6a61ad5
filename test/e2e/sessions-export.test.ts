import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScheduledJob as createSweep } from "../../functions/workers/sweep/worker.ts";
import { movableClock } from "../contract/movable-clock.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller, openTarget, type Target } from "../support/target.ts";

async function begin(caller: Caller, fields: object = {}): Promise<string> {
  const given = { agent_id: "guide", user_id: "ada", title: "Té 你好", metadata: { shop: "Lisbon" } };
  const { status, body } = await caller.post("/sessions", { ...given, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function say(caller: Caller, id: string, role: string, content: string, metadata = {}) {
  const { status, body } = await caller.post(`/sessions/${id}/messages`, { role, content, metadata });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

describe("exporting a session", () => {
  let target: Target;
  let caller: Caller;
  let id: string;

  beforeAll(async () => {
    target = await openTarget();
    caller = await target.organization();
  });
  afterAll(() => target.close());
  beforeEach(async () => {
    id = await begin(caller);
    await say(caller, id, "user", "Which tea?\n\n```\nopen fence", { mood: "curious" });
    await say(caller, id, "assistant", "Green tea 🍵");
  });

  const download = async (query: string) => {
    const answer = await caller.get(`/sessions/${id}/export${query}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  };

  it("returns plain JSON with a file name by default", async () => {
    await caller.post(`/sessions/${id}/context`, { context_updates: { language: "pt" } });
    const { headers, body } = await download("");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="Te.json"; filename*=UTF-8''T%C3%A9%20%E4%BD%A0%E5%A5%BD.json`,
    );
    expect(body).toEqual({
      session: expect.objectContaining({
        id,
        title: "Té 你好",
        metadata: { shop: "Lisbon" },
        message_count: 2,
        initial_context: {},
        context: { language: "pt" },
      }),
      messages: [
        expect.objectContaining({
          role: "user",
          content: "Which tea?\n\n```\nopen fence",
          metadata: { mood: "curious" },
        }),
        {
          id: expect.stringMatching(/^msg_/),
          role: "assistant",
          content: "Green tea 🍵",
          metadata: {},
          tokens: expect.any(Number),
          occurred_at: expect.any(String),
          created_at: expect.any(String),
        },
      ],
      exported_at: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain("org_");
  });

  it("returns Markdown, in which the end of each message is unambiguous", async () => {
    const { headers, body } = await download("?format=markdown");
    expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(headers.get("content-disposition")).toContain('filename="Te.md"');
    expect(body).toContain("# Té 你好\n");
    expect(body).toContain("- **User:** ada\n");
    expect(body).toMatch(/### User · 2.*\n\nWhich tea\?\n\n```\nopen fence\n```\n/);
    expect(body).toMatch(/### Assistant · 2.*\n\nGreen tea 🍵\n/);
    expect(body).toContain("curious");
  });

  it("returns a PDF", async () => {
    const { headers, bytes } = await download("?format=pdf");
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toContain('filename="Te.pdf"');
    expect(bytes.toString("latin1", 0, 5)).toBe("%PDF-");
    expect(bytes.toString("latin1")).toMatch(/%%EOF\s*$/);
    expect(bytes.toString("latin1")).toContain("DejaVuSans");
  });

  it.each(["json", "markdown", "pdf"])("as %s omits metadata on request", async (format) => {
    const [whole, bare] = [
      await download(`?format=${format}`),
      await download(`?format=${format}&include_metadata=false`),
    ];
    expect(bare.bytes.length).toBeLessThan(whole.bytes.length);
    if (format === "pdf") return;
    const text = bare.bytes.toString("utf8");
    expect(text).toContain("Green tea 🍵");
    for (const metadata of ["curious", "Lisbon", "msg_", '"tokens"', "tokens\n"]) expect(text).not.toContain(metadata);
  });

  it.each(["xml", "", "PDF", "pdf,json"])("refuses the format %j", async (format) => {
    const { status, body } = await caller.get(`/sessions/${id}/export?format=${format}`);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields[0].field).toBe("format");
  });

  it("refuses other words for true and false, and unknown sessions", async () => {
    const garbage = await caller.get(`/sessions/${id}/export?include_metadata=maybe`);
    expect([garbage.status, garbage.body.error?.details.fields[0].field]).toEqual([400, "include_metadata"]);
    const absent = await caller.get("/sessions/sess_absent/export");
    expect([absent.status, absent.body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
  });

  it("works on closed and on empty sessions", async () => {
    await caller.delete(`/sessions/${id}`, { reason: "done", summary: "Green." });
    expect((await download("")).body.session).toMatchObject({ status: "closed", summary: "Green." });
    id = await begin(caller, { title: undefined });
    for (const format of ["json", "markdown", "pdf"]) {
      const { headers } = await download(`?format=${format}`);
      expect(headers.get("content-disposition")).toContain(`filename="Session-${id}.`);
    }
    expect((await download("")).body.messages).toEqual([]);
  });
});

describe("exporting a session too large for a response", () => {
  it("returns a link to a temporary file, whatever the content", async () => {
    const clock = movableClock();
    const service = await openService({}, clock.now);
    const caller = new Caller(service, (await createOrganization(service)).key);
    const id = await begin(caller);
    const content = `"${"\\".repeat(99_998)}"`;
    for (let index = 0; index < 16; index++) await say(caller, id, "user", content);
    const { status, headers, body } = await caller.get(`/sessions/${id}/export`);
    expect(status).toBe(303);
    expect(headers.get("location")).toBe(body.download_url);
    expect(body).toEqual({
      download_url: expect.stringMatching(/Te\.json\?/),
      expires_at: new Date(clock.now() + 900_000).toISOString(),
      file_name: "Te.json",
      bytes: expect.any(Number),
    });
    const fetchFile = () => service.host.app.fetch(new Request(body.download_url));
    const file = await fetchFile();
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/json"]);
    const { messages } = (await file.json()) as { messages: { content: string }[] };
    expect(messages.map((message) => message.content)).toEqual(Array.from({ length: 16 }, () => content));
    const blob = new URL(body.download_url).pathname.replace("/blobs/", "");
    expect(await service.runtime.ports.blobs.get(blob)).toBeDefined();
    clock.advance(2 * 3_600_000);
    await createSweep(service.runtime)();
    expect(await service.runtime.ports.blobs.get(blob)).toBeUndefined();
    await service.close();
  });
});
