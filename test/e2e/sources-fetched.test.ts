import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pdfOf } from "../fixtures/documents.ts";
import { type LoopbackServer, listenOnLoopback } from "../fixtures/loopback-server.ts";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const TEXT = "Ada Lovelace keeps the lighthouse of Lisbon. Ships pass it on their way to Hamburg.";
const STORY = `${TEXT} `.repeat(12);
const PAGE = `<!doctype html><html><head><title>The lighthouse</title><style>p{color:red}</style></head><body>
<nav><a href="/">Home</a><a href="/about">About us</a></nav>
<article><h1>The lighthouse</h1><p>${STORY}</p><h2>Its keepers</h2><ul><li>Ada</li><li>Grace</li></ul><p>${STORY}</p></article>
<footer>Copyright of nobody. All rights reserved.</footer></body></html>`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The answers of the web server by path. */
const answers = new Map<string, Answer>();
let site: LoopbackServer;
/** `open` may reach the loopback, as in development; `strict` may not, as in production. */
let open: Target;
let strict: Target;
let caller: Caller;

beforeAll(async () => {
  site = await listenOnLoopback((request, response) => {
    const answer = answers.get(request.url ?? "");
    if (answer) answer(request, response);
    else response.writeHead(404).end("nothing");
  });
  [open, strict] = [await openTarget({ ALLOW_PRIVATE_TARGETS: "1" }), await openTarget()];
});
afterAll(async () => {
  await Promise.all([open.close(), strict.close(), site.close()]);
});
beforeEach(async () => {
  answers.clear();
  caller = await open.organization();
});

function serve(path: string, body: string | Buffer, headers: Record<string, string> = {}): string {
  answers.set(path, (_request, response) => response.writeHead(200, headers).end(body));
  return site.url + path;
}

async function ingest(body: object): Promise<Answered["body"]> {
  const answer = await caller.post("/sources/ingest", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const memory = async (id: string) => (await caller.get(`/memories/${id}`)).body.data;

describe("a URL", () => {
  it("is fetched, and the article of its page is read, with headings and lists", async () => {
    const url = serve("/page", PAGE, { "content-type": "text/html; charset=utf-8" });
    const { source, memory_ids } = await ingest({ type: "url", url });
    expect(source).toMatchObject({ status: "active", type: "url", url, title: "The lighthouse" });
    const chunks = await Promise.all(memory_ids.slice(1).map(memory));
    for (const { metadata } of chunks) expect(metadata).toMatchObject({ url, title: "The lighthouse" });
    const content = chunks.map((chunk) => chunk.content).join("\n");
    for (const part of [TEXT, "## Its keepers", "- Ada\n- Grace"]) expect(content).toContain(part);
    for (const part of ["About us", "Copyright", "color:red"]) expect(content).not.toContain(part);
  });

  it("is sufficient without a type", async () => {
    expect((await ingest({ url: serve("/a.txt", TEXT, { "content-type": "text/plain" }) })).source.type).toBe("url");
  });

  it("identifies the source the next time, and changed content replaces the former content", async () => {
    const url = serve("/page", PAGE, { "content-type": "text/html" });
    const first = await ingest({ type: "web", url });
    serve("/page", PAGE.replace("<nav>", "<nav><b>News of today</b>"), { "content-type": "text/html" });
    expect(await ingest({ type: "web", url })).toMatchObject({ source_id: first.source_id, unchanged: true });
    serve("/page", PAGE.replaceAll("lighthouse", "mill"), { "content-type": "text/html" });
    const changed = await ingest({ type: "web", url });
    expect(changed).toMatchObject({ source_id: first.source_id, unchanged: false, source: { title: "The mill" } });
  });

  it.each([
    ["plain text", "/t", Buffer.from(TEXT), "text/plain", TEXT],
    ["Markdown", "/m.md", Buffer.from(`# M\n\n${TEXT}`), "text/markdown", `# M\n\n${TEXT}`],
    ["JSON, by its members", "/j", Buffer.from('{"a": 1}'), "application/json", "- a: 1"],
    ["text in another encoding", "/l", Buffer.from("Gr\xfc\xdfe", "latin1"), "text/plain; charset=iso-8859-1", "Grüße"],
    [
      "a page in an encoding that it names itself",
      "/k",
      Buffer.from("<html><meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2", "latin1"),
      "text/html",
      "Привет",
    ],
    ["a page under a wrong charset", "/w", Buffer.from("<html><p>Grüße</p>"), "text/html; charset=klingon", "Grüße"],
    [
      "a page that its server calls text",
      "/p",
      Buffer.from("<!doctype html><p>Only words</p>"),
      "text/plain",
      "Only words",
    ],
  ])("may point to %s", async (_what, path, body, type, text) => {
    const { memory_ids } = await ingest({ type: "url", url: serve(path, body, { "content-type": type }) });
    expect((await memory(memory_ids[1])).content).toBe(text);
  });

  it("may point to a PDF, which is read in the background and kept", async () => {
    const pdf = await pdfOf([TEXT]);
    const { source_id, status } = await ingest({ type: "url", url: serve("/guide%20one.pdf", pdf) });
    expect(status).toBe("processing");
    await eventually(async () => {
      const { body } = await caller.get(`/sources/${source_id}`);
      expect(body).toMatchObject({ status: "active", chunks_created: 1, file: { name: "guide one.pdf", kind: "pdf" } });
    });
  });

  it("may redirect, and may return compressed content", async () => {
    answers.set("/old", (_request, response) => response.writeHead(301, { location: "/new" }).end());
    answers.set("/new", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipSync(TEXT));
    });
    const { source, memory_ids } = await ingest({ type: "url", url: `${site.url}/old` });
    expect(source.url).toBe(`${site.url}/old`);
    expect((await memory(memory_ids[1])).content).toBe(TEXT);
  });

  it("may point to a page of 100,000 nested elements", async () => {
    const url = serve("/deep", `<html><body>${"<div>".repeat(100_000)}${TEXT}`, { "content-type": "text/html" });
    const { memory_ids } = await ingest({ type: "url", url });
    expect((await memory(memory_ids[1])).content).toBe(TEXT);
  });
});

describe("a URL that cannot be read", () => {
  const failing: [string, Answer, string, number][] = [
    ["an error", (_request, response) => response.writeHead(500).end("oops"), "FETCH_FAILED", 502],
    ["nothing", (_request, response) => response.end(), "FETCH_FAILED", 502],
    [
      "a gzip bomb",
      (_request, response) => {
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 1 }));
      },
      "FETCH_FAILED",
      502,
    ],
    [
      "an endless body",
      (_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      },
      "FETCH_FAILED",
      502,
    ],
    [
      "an endless redirect",
      (_request, response) => response.writeHead(302, { location: "/" }).end(),
      "FETCH_FAILED",
      502,
    ],
    [
      "a redirect to a file",
      (_request, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      "URL_NOT_ALLOWED",
      400,
    ],
    [
      "a page without a word",
      (_request, response) => response.end("<html><body><img src=x></body></html>"),
      "SOURCE_UNREADABLE",
      422,
    ],
    ["blanks", (_request, response) => response.end("   \n "), "SOURCE_UNREADABLE", 422],
    [
      "an answer that breaks off",
      (_request, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("half", () => response.destroy());
      },
      "FETCH_FAILED",
      502,
    ],
  ];

  it.each(failing)("is refused for %s, and nothing is stored", async (_what, answer, code, status) => {
    answers.set("/", answer);
    const answered = await caller.post("/sources/ingest", { type: "url", url: site.url });
    expect([answered.status, answered.body.error?.code]).toEqual([status, code]);
    expect((await caller.get("/sources")).body.sources).toEqual([]);
  });

  it("is refused after ten seconds because its response drips", async () => {
    answers.set("/", (_request, response) => {
      const dripping = setInterval(() => response.write("."), 100);
      response.on("close", () => clearInterval(dripping));
    });
    const startedAt = performance.now();
    const { status, body } = await caller.post("/sources/ingest", { type: "url", url: site.url });
    expect([status, body.error?.code, body.error?.details.reason]).toEqual([502, "FETCH_FAILED", "it took too long"]);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  }, 30_000);

  it.each([
    "http://127.0.0.1/",
    "http://localhost/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "http://user:secret@example.com/",
    "no URL at all",
  ])("is refused because its address is not allowed: %s", async (url) => {
    const outsider = await strict.organization();
    const { status, body } = await outsider.post("/sources/ingest", { type: "url", url });
    expect([status, body.error?.code]).toEqual([400, "URL_NOT_ALLOWED"]);
  });

  it("is refused without a request because it points to the service's own machine", async () => {
    let reached = false;
    answers.set("/", (_request, response) => {
      reached = true;
      response.end(TEXT);
    });
    const outsider = await strict.organization();
    expect((await outsider.post("/sources/ingest", { type: "url", url: site.url })).status).toBe(400);
    expect(reached).toBe(false);
  });
});
