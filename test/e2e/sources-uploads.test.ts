import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pdfBomb, pdfOf, pngOf, wavOf } from "../fixtures/documents.ts";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const MEGABYTE = 1024 * 1024;
const TEXT = "Ada Lovelace keeps the lighthouse of Lisbon. Ships pass it on their way to Hamburg.";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());
beforeEach(async () => {
  caller = await target.organization();
});

type Content = string | Buffer<ArrayBuffer>;
const formWith = (content: Content, name: string, fields: Record<string, string> = {}, type?: string): FormData => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([content], name, type === undefined ? {} : { type }));
  return form;
};

const send = (...form: Parameters<typeof formWith>) => caller.post("/sources/upload", formWith(...form));

async function upload(...form: Parameters<typeof formWith>): Promise<Answered["body"]> {
  const { status, body } = await send(...form);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const read = async (id: string) => (await caller.get(`/sources/${id}`)).body;

async function untilRead(id: string): Promise<Answered["body"]> {
  await eventually(async () => expect((await read(id)).status).not.toBe("processing"));
  return read(id);
}

const memory = async (id: string) => (await caller.get(`/memories/${id}`)).body.data;
const listMemories = async () => (await caller.get("/memories?limit=100")).body.data;

describe("POST /sources/upload", () => {
  it("reads a text, keeps the file and offers it for download", async () => {
    const answer = await upload(TEXT, "log.txt", { title: "Log", org_id: "team", metadata: '{"project":"coast"}' });
    expect(answer).toMatchObject({ status: "active", chunks_created: 1, source: { title: "Log", org_id: "team" } });
    const chunk = await memory(answer.memory_ids[1]);
    expect(chunk).toMatchObject({ content: TEXT, metadata: { project: "coast", title: "Log", org_id: "team" } });
    const { file, download_url, download_expires_in } = await read(answer.source_id);
    expect(file).toEqual({ name: "log.txt", content_type: "text/plain", kind: "text", bytes: TEXT.length });
    expect(answer.source).toMatchObject({
      source_memory_id: answer.source_id,
      mime_type: "text/plain",
      bytes: TEXT.length,
      blob_key: expect.stringContaining("log.txt"),
      chunks_created: 1,
      memories_created: 2,
    });
    expect(download_expires_in).toBeGreaterThan(0);
    const response = await target.follow(download_url);
    expect([response.status, await response.text()]).toEqual([200, TEXT]);
  });

  it("recognizes the same file by its content, or by its name and origin", async () => {
    const { source_id } = await upload(TEXT, "log.txt");
    expect(await upload(TEXT, "copy.txt")).toMatchObject({ source_id, unchanged: true });
    const named = await upload(TEXT, "log.txt", { external_id: "log" });
    const changed = await upload(`${TEXT} More.`, "log.txt", { external_id: "log" });
    expect(changed).toMatchObject({ source_id: named.source_id, unchanged: false });
  });

  it("replaces the last file of the same name and title, if both uploads ask for it", async () => {
    const asked = { replaces_same_name: "true" };
    const first = await upload(TEXT, "log.txt", asked);
    const changed = await upload(`${TEXT} More.`, "log.txt", asked);
    expect(changed).toMatchObject({ source_id: first.source_id, unchanged: false, chunks_created: 1 });
    expect((await memory(changed.memory_ids[1])).content).toBe(`${TEXT} More.`);
    for (const [name, fields] of [
      ["other.txt", asked],
      ["log.txt", { ...asked, title: "Other" }],
      ["log.txt", {}],
    ] as const) {
      const { source_id } = await upload(`${TEXT} ${name} ${Object.keys(fields)}`, name, fields);
      expect(source_id).not.toBe(first.source_id);
    }
  });

  it("returns a chunk with its neighbours", async () => {
    const paragraphs = Array.from({ length: 120 }, (_, n) => `Entry ${n} of the log. ${TEXT} ${TEXT}`).join("\n\n");
    const { source_id, source } = await upload(paragraphs, "log.txt");
    const ids = source.chunk_memory_ids;
    expect(ids.length).toBeGreaterThan(5);
    const around = async (chunk: string, query = "") => {
      const { body } = await caller.get(`/sources/${source_id}?chunk=${chunk}${query}`);
      return body.chunks.map(({ id }: { id: string }) => id);
    };
    expect(await around(ids[2])).toEqual(ids.slice(1, 4));
    expect(await around(ids[0], "&neighbours=2")).toEqual(ids.slice(0, 3));
    expect(await around(ids.at(-1), "&neighbours=0")).toEqual(ids.slice(-1));
    const { body } = await caller.get(`/sources/${source_id}?chunk=${ids[2]}`);
    expect(body.chunks[1]).toMatchObject({ content: (await memory(ids[2])).content, metadata: { position: 2 } });
    const other = await upload(TEXT, "other.txt");
    for (const chunk of [other.memory_ids[1], source_id, `${ids[0]}9`]) {
      expect((await caller.get(`/sources/${source_id}?chunk=${chunk}`)).status).toBe(400);
    }
  });

  it("reads Markdown as it is", async () => {
    const markdown = `# The pier\n\n- one\n- two\n\n${TEXT}`;
    const { source, memory_ids } = await upload(markdown, "pier.md");
    expect(source).toMatchObject({ title: "pier.md", file: { kind: "markdown" } });
    expect((await memory(memory_ids[1])).content).toBe(markdown);
  });

  it("reads the text of HTML with its headings and lists", async () => {
    const html = `<!doctype html><html><head><title>The pier</title><script>alert(1)</script></head>
      <body><h1>Pier</h1><p>${TEXT}</p><ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr></table></body></html>`;
    const { source, memory_ids } = await upload(html, "pier.txt");
    expect(source).toMatchObject({ title: "The pier", file: { kind: "html", content_type: "text/html" } });
    const { content } = await memory(memory_ids[1]);
    expect(content).toContain(`# Pier\n\n${TEXT}\n\n- one\n- two`);
    expect(content).toContain("a | b");
    expect(content).not.toContain("alert");
  });

  it("reads a PDF in the background", async () => {
    const pdf = await pdfOf([TEXT, "The second page tells of Porto."], "Coast guide");
    const answer = await upload(pdf, "guide.bin", {}, "text/plain");
    expect(answer).toMatchObject({ status: "processing", source: { title: "guide.bin" } });
    const source = await untilRead(answer.source_id);
    expect(source).toMatchObject({
      status: "active",
      title: "Coast guide",
      chunks_created: 1,
      file: { kind: "pdf", content_type: "application/pdf", bytes: pdf.length, details: { pages: 2 } },
    });
    const { content } = await memory(source.chunk_memory_ids[0]);
    expect(content).toContain("Ada Lovelace keeps the lighthouse of Lisbon.");
    expect(content).toContain("The second page tells of Porto.");
    const downloaded = await (await target.follow(source.download_url)).arrayBuffer();
    expect(Buffer.from(downloaded).equals(pdf)).toBe(true);
  });

  it("describes an image and a recording by their headers, so that search finds them", async () => {
    const image = await upload(pngOf(640, 480), "pier.png", { metadata: '{"place":"Lisbon"}' });
    const reason = "it is an image, and text in images is read with the setting OCR alone, which is off";
    const state = { status: "active", extraction: { status: "no_text", reason } };
    expect(image).toMatchObject({ ...state, chunks_created: 0, memory_ids: [image.source_id], source: state });
    expect(image.source).not.toHaveProperty("error");
    const { sources } = (await caller.get("/sources")).body;
    for (const source of [await read(image.source_id), ...sources]) expect(source).toMatchObject(state);
    expect((await read(image.source_id)).file).toMatchObject({ kind: "image", details: { width: 640, height: 480 } });
    const { content } = await memory(image.source_id);
    for (const known of ["pier.png", "image/png", "640", "Lisbon"]) expect(content).toContain(known);
    const recording = await upload(wavOf(2), "waves.txt");
    expect((await read(recording.source_id)).file).toMatchObject({
      kind: "audio",
      content_type: "audio/wav",
      details: { duration_seconds: 2, sample_rate: 8000, channels: 1 },
    });
    await eventually(async () => {
      const { results } = (await caller.get("/search?q=pier.png%20image")).body.data;
      expect(results.map(({ id }: { id: string }) => id)).toContain(image.source_id);
    });
  });

  it("stores any other file as an attachment, described by name, type and metadata", async () => {
    const zip = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0]), Buffer.alloc(100)]);
    const { source, source_id } = await upload(zip, "backup.pdf", { title: "Old logs" });
    expect(source).toMatchObject({ status: "active", title: "Old logs", chunks_created: 0 });
    expect(source.extraction).toEqual({ status: "no_text", reason: "files of the type application/zip are not read" });
    expect(source.file).toMatchObject({ kind: "attachment", content_type: "application/zip", bytes: zip.length });
    expect((await memory(source_id)).content).toContain("backup.pdf");
    const response = await target.follow((await read(source_id)).download_url);
    expect(Buffer.from(await response.arrayBuffer()).equals(zip)).toBe(true);
  });

  it("never serves a file with the content type that a client declares", async () => {
    const script = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    const { source_id } = await upload("plain words", "page.html", {}, "text/html");
    const text = await target.follow((await read(source_id)).download_url);
    expect(text.headers.get("content-type")).toMatch(/^text\/plain/);
    await text.body?.cancel();
    const svg = await upload(script, "picture.png", {}, "image/png");
    expect((await read(svg.source_id)).file).toMatchObject({ kind: "attachment", content_type: "image/svg+xml" });
  });

  it.each([
    ["windows-1252", Buffer.from("Gr\xfc\xdfe vom Leuchtturm", "latin1"), "Grüße vom Leuchtturm"],
    ["UTF-16 with a mark", Buffer.from("\ufeffGrüße vom Leuchtturm", "utf16le"), "Grüße vom Leuchtturm"],
    ["UTF-8 with a mark", Buffer.from("\ufeffGrüße vom Leuchtturm"), "Grüße vom Leuchtturm"],
    ["bytes that are no UTF-8 after all", Buffer.from("Leuchtturm \xff\xfe\xfd", "latin1"), "Leuchtturm ÿþý"],
  ])("reads a text in %s", async (_what, bytes, text) => {
    const { memory_ids } = await upload(bytes, "gruss.txt");
    expect((await memory(memory_ids[1])).content).toBe(text);
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\windows\\system.ini", "system.ini"],
    ["/absolute/log.txt", "log.txt"],
    ["..", "file"],
    ["a/", "file"],
    ["Grüße 語.txt", "Grüße 語.txt"],
    ["white\u202etxt.exe", "whitetxt.exe"],
    [`${"x".repeat(300)}.txt`, "x".repeat(255)],
  ])("removes path parts from the file name %j", async (given, name) => {
    const { source_id, source } = await upload(`${TEXT} ${given}`, given);
    expect(source.file.name).toBe(name);
    const response = await target.follow((await read(source_id)).download_url);
    expect(await response.text()).toBe(`${TEXT} ${given}`.toWellFormed());
  });

  it.each([
    ["a zero-byte file", "", "empty.txt", {}, "file"],
    ["metadata that are not JSON", TEXT, "a.txt", { metadata: "{project: coast}" }, "metadata"],
    ["metadata that are no object", TEXT, "a.txt", { metadata: "[1]" }, "metadata"],
    ["metadata that are too long", TEXT, "a.txt", { metadata: JSON.stringify({ a: "x".repeat(17_000) }) }, "metadata"],
    ["an empty title", TEXT, "a.txt", { title: "" }, "title"],
  ])("refuses %s", async (_what, content, name, fields, field) => {
    const { status, body } = await send(content, name, fields as Record<string, string>);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields[0].field).toBe(field);
    expect((await caller.get("/sources")).body.sources).toEqual([]);
  });

  it("refuses a file over 4.5 MB and names the alternative, and accepts one just below", async () => {
    const { status, body } = await send("x ".repeat(2.3 * MEGABYTE), "long.txt");
    expect([status, body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(body.error?.message).toContain("/sources/upload-url");
    const zip = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.alloc(4.4 * MEGABYTE)]);
    const { status: read, extraction } = await untilRead((await upload(zip, "large.zip")).source_id);
    expect([read, extraction.status]).toEqual(["active", "no_text"]);
  });

  it("refuses a body that is not a form, and a form without a file", async () => {
    const plain = await caller.post("/sources/upload", { file: TEXT });
    expect([plain.status, plain.body.error?.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const form = new FormData();
    form.set("title", "x");
    expect((await caller.post("/sources/upload", form)).status).toBe(400);
  });

  it("returns the same answer to the same file with one Idempotency-Key, and refuses another file", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await caller.post("/sources/upload", formWith(TEXT, "a.txt"), { headers });
    const again = await caller.post("/sources/upload", formWith(TEXT, "a.txt"), { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await caller.post("/sources/upload", formWith(`${TEXT}!`, "a.txt"), { headers });
    expect(other.status).toBe(422);
  });
});

describe("an office file", () => {
  const fixture = (name: string) => readFileSync(new URL(`../fixtures/documents/${name}`, import.meta.url));

  it.each([
    ["handbook.docx", "document", {}, "needs two tugs"],
    ["slides.pptx", "presentation", { slide: 1, slide_end: 2 }, "| Pilot | 0471 |"],
    ["fees.ods", "spreadsheet", { sheet: 1 }, "| Salt pier, east | Ada Lovelace | 80.5 | 2023-11-30 |"],
    ["tides.ipynb", "notebook", { cell: 1, cell_end: 3 }, "print(max(heights))"],
    ["captions.srt", "subtitles", { cue: 1, cue_end: 2 }, "[00:01:05] Ada keeps"],
    ["fees.eml", "email", {}, "Größe zählt"],
  ])("such as %s is found by its content, with the place in the file", async (name, kind, place, said) => {
    const { status, source, memory_ids } = await upload(fixture(name), name);
    expect([status, source.file.kind]).toEqual(["active", kind]);
    const chunks = await Promise.all(memory_ids.slice(1).map(memory));
    const chunk = chunks.find(({ content }) => content.includes(said));
    expect(chunk.metadata).toMatchObject(place);
    expect(chunk.content).not.toContain("\f");
  });

  it("of source code is found with its lines", async () => {
    const code = `${"// The quay.\n".repeat(9)}\nfunction moor() {\n  return "${TEXT}";\n}\n`;
    const { source, memory_ids } = await upload(code, "quay.ts");
    expect(source.file.kind).toBe("code");
    expect((await memory(memory_ids[1])).metadata).toMatchObject({ line: 1, line_end: 13 });
  });
});

describe("a file that cannot be read", () => {
  it.each([
    ["that is broken", async () => Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog"), /broken/],
    ["cut in the middle", async () => (await pdfOf([TEXT])).subarray(0, 700), /broken/],
    ["that blows up to gigabytes of blanks", async () => pdfBomb(" ", 1_000_000_000), /too much (memory|time)/],
    ["that blows up to millions of instructions", async () => pdfBomb("q ", 400_000_000), /too much (memory|time)/],
  ])(
    "such as a PDF %s fails alone, with the reason, and can be downloaded and deleted",
    async (_what, make, reason) => {
      const pdf = await make();
      const { source_id } = await upload(pdf, "bad.pdf");
      const working = caller.post("/memories", { content: "The service goes on." });
      expect((await working).status).toBe(201);
      await expect
        .poll(async () => (await read(source_id)).status, { timeout: 150_000, interval: 200 })
        .not.toBe("processing");
      const source = await read(source_id);
      expect(source).toMatchObject({ status: "failed", title: "bad.pdf", chunks_created: 0, chunk_memory_ids: [] });
      expect(source).not.toHaveProperty("extraction");
      expect(source.error).toMatch(reason);
      const fetched = await (await target.follow(source.download_url)).arrayBuffer();
      expect(fetched.byteLength).toBe(pdf.length);
      expect((await caller.delete(`/sources/${source_id}`)).status).toBe(200);
      expect((await target.follow(source.download_url)).status).toBe(404);
    },
    200_000,
  );

  it("can be replaced by a readable one", async () => {
    const { source_id } = await upload(Buffer.from("%PDF-1.7 broken"), "bad.pdf", { external_id: "doc" });
    expect((await untilRead(source_id)).status).toBe("failed");
    const bad = (await read(source_id)).download_url;
    expect(await upload(TEXT, "good.txt", { external_id: "doc" })).toMatchObject({ source_id, status: "active" });
    const source = await read(source_id);
    expect([source.error, source.file.name]).toEqual([undefined, "good.txt"]);
    await eventually(async () => expect((await target.follow(bad)).status).toBe(404));
  });

  it("is kept without details if it is an image or a recording", async () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]);
    for (const [bytes, kind] of [
      [jpeg, "image"],
      [wavOf(1).subarray(0, 20), "audio"],
    ] as const) {
      const { status, source } = await upload(bytes, `broken.${kind}`);
      expect([status, source.extraction.status]).toEqual(["active", "no_text"]);
      expect(source.file).toMatchObject({ kind });
    }
  });

  it("leaves the former content of the source readable", async () => {
    const { source_id, memory_ids } = await upload(TEXT, "a.txt", { external_id: "doc" });
    await upload(Buffer.from("%PDF-1.7 broken"), "b.pdf", { external_id: "doc" });
    const source = await untilRead(source_id);
    expect(source).toMatchObject({ status: "failed", file: { name: "a.txt" }, chunks_created: 1 });
    expect((await memory(memory_ids[1])).content).toBe(TEXT);
    const response = await target.follow(source.download_url);
    expect(await response.text()).toBe(TEXT);
  });

  it.each([
    ["100,000 elements within elements", "<div>".repeat(100_000) + TEXT + "</div>".repeat(100_000)],
    ["100,000 lists within lists", `${"<ul><li>".repeat(100_000)}${TEXT}`],
    ["a table without an end", `${"<table><tr><td>".repeat(100_000)}${TEXT}`],
    ["elements that never end", `${"<b>".repeat(300_000)}${TEXT}`],
    ["brackets alone", `<p>${TEXT}</p>${"<".repeat(900_000)}`],
    ["a million attributes", `<p ${"a=b ".repeat(200_000)}>${TEXT}</p>`],
    ["comments within comments", `<p>${TEXT}</p>${"<!-- ".repeat(200_000)}`],
    ["a style that never ends", `<p>${TEXT}</p><style>${"a{".repeat(400_000)}`],
  ])("does not include HTML of %s, whose text is read", async (_what, body) => {
    const answer = await upload(`<!doctype html><html><body>${body}`, "deep.html");
    const source = await untilRead(answer.source_id);
    expect([source.status, source.error]).toEqual(["active", undefined]);
    const contents: string[] = [];
    for (const id of source.chunk_memory_ids) contents.push((await memory(id)).content);
    expect(contents.join("\n")).toContain(TEXT);
  });

  it("does not include a file without text, which is stored as an attachment", async () => {
    const page = "<html><body><img src=x></body></html>";
    const { source_id, ...answer } = await upload(page, "blank.html");
    const state = { status: "active", extraction: { status: "no_text", reason: "it holds no text" } };
    expect(answer).toMatchObject({ ...state, chunks_created: 0, source: state });
    expect(await upload(page, "blank.html")).toMatchObject({ source_id, unchanged: true, ...state });
    expect((await memory(source_id)).content).toContain("blank.html");
  });
});

describe("deleting an uploaded source", () => {
  it("deletes its file", async () => {
    const { source_id } = await upload(TEXT, "a.txt");
    const { download_url } = await read(source_id);
    await caller.delete(`/sources/${source_id}`);
    await eventually(async () => expect((await target.follow(download_url)).status).toBe(404));
  });

  it("deletes only the old file when the source is replaced", async () => {
    const { source_id } = await upload(TEXT, "a.txt", { external_id: "doc" });
    const old = (await read(source_id)).download_url;
    await upload(`${TEXT} More.`, "a.txt", { external_id: "doc" });
    await eventually(async () => expect((await target.follow(old)).status).toBe(404));
    const response = await target.follow((await read(source_id)).download_url);
    expect(await response.text()).toBe(`${TEXT} More.`);
  });
});

describe("POST /sources/upload-url", () => {
  const link = async (body: object): Promise<Answered["body"]> => {
    const answer = await caller.post("/sources/upload-url", body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const put = ({ upload_url, method, headers }: Answered["body"], body: string) =>
    target.follow(upload_url, { method, headers, body });

  it("returns a link; the uploaded file becomes the source once the upload is completed", async () => {
    const given = await link({
      filename: "folder/log.md",
      content_type: "text/markdown",
      bytes: TEXT.length,
      title: "Log",
      org_id: "team",
      metadata: { project: "coast" },
    });
    expect(given).toMatchObject({
      source_id: expect.stringMatching(/^src_/),
      status: "awaiting_upload",
      method: "PUT",
      headers: { "content-type": "text/markdown" },
      expires_in: 3600,
      complete_path: `/sources/${given.source_id}/complete`,
    });
    expect(await read(given.source_id)).toMatchObject({
      status: "awaiting_upload",
      memories_created: 0,
      chunk_memory_ids: [],
    });
    expect((await put(given, TEXT)).status).toBe(200);
    const completed = await caller.post(given.complete_path);
    expect([completed.status, completed.body.status]).toEqual([202, "processing"]);
    const source = await untilRead(given.source_id);
    expect(source).toMatchObject({
      status: "active",
      type: "upload",
      title: "Log",
      org_id: "team",
      metadata: { project: "coast" },
      file: { name: "log.md", kind: "markdown", bytes: TEXT.length },
    });
    expect((await memory(source.chunk_memory_ids[0])).content).toBe(TEXT);
    expect(await (await target.follow(source.download_url)).text()).toBe(TEXT);
  });

  it("cannot be completed before the upload, and can be completed twice", async () => {
    const given = await link({ filename: "log.txt" });
    const early = await caller.post(given.complete_path);
    expect([early.status, early.body.error?.code]).toEqual([409, "CONFLICT"]);
    await put(given, TEXT);
    expect((await caller.post(given.complete_path)).status).toBe(202);
    expect((await caller.post(given.complete_path)).status).toBe(202);
    await untilRead(given.source_id);
    const again = await caller.post(given.complete_path);
    expect(again.body).toMatchObject({ source_id: given.source_id, status: "active", unchanged: true });
    await eventually(async () => expect((await listMemories()).pagination.total).toBe(2));
  });

  it("replaces the content of a source by its name, and leaves it unchanged if it is the same", async () => {
    const first = await upload(TEXT, "log.txt", { external_id: "log" });
    const same = await link({ filename: "log.txt", external_id: "log" });
    expect(same).toMatchObject({ source_id: first.source_id, status: "active" });
    await put(same, TEXT);
    expect((await caller.post(same.complete_path)).body).toMatchObject({ unchanged: true, status: "active" });
    const other = await link({ filename: "log.txt", external_id: "log" });
    await put(other, `${TEXT} More.`);
    expect((await caller.post(other.complete_path)).body).toMatchObject({ unchanged: false, status: "processing" });
    const source = await untilRead(first.source_id);
    expect((await memory(source.chunk_memory_ids[0])).content).toBe(`${TEXT} More.`);
    await eventually(async () => expect((await listMemories()).pagination.total).toBe(2));
  });

  it("refuses an empty file, and accepts a later upload", async () => {
    const given = await link({ filename: "log.txt" });
    await put(given, "");
    const { status, body } = await caller.post(given.complete_path);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    await put(given, TEXT);
    expect((await caller.post(given.complete_path)).status).toBe(202);
  });

  it.each([
    ["no file name", {}],
    ["an empty file name", { filename: " " }],
    ["more bytes than are taken", { filename: "a", bytes: 1024 * MEGABYTE }],
    ["no bytes", { filename: "a", bytes: 0 }],
    ["metadata that are no object", { filename: "a", metadata: "x" }],
  ])("refuses %s", async (_what, body) => {
    const answer = await caller.post("/sources/upload-url", body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("is cancelled by deleting the source", async () => {
    const given = await link({ filename: "log.txt" });
    await put(given, TEXT);
    expect((await caller.delete(`/sources/${given.source_id}`)).status).toBe(200);
    expect((await caller.post(given.complete_path)).status).toBe(404);
  });

  it("cannot be completed by another organization", async () => {
    const given = await link({ filename: "log.txt" });
    const foreigner = await target.organization();
    expect((await foreigner.post(given.complete_path)).status).toBe(404);
  });
});
