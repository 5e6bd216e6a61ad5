import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createOnnxEmbedder, type OnnxEmbedder } from "./onnx-embedder.ts";

const MODEL = fileURLToPath(new URL("../../../models/all-minilm-l6-v2", import.meta.url));

const folders: string[] = [];

/** A copy of the model's folder, its manifest changed. */
function modelWith(change: object): string {
  const folder = mkdtempSync(path.join(tmpdir(), "model-"));
  folders.push(folder);
  for (const name of ["model.onnx", "tokenizer.json"]) symlinkSync(path.join(MODEL, name), path.join(folder, name));
  const manifest = JSON.parse(readFileSync(path.join(MODEL, "manifest.json"), "utf8"));
  writeFileSync(path.join(folder, "manifest.json"), JSON.stringify({ ...manifest, ...change }));
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, place) => sum + component * (b[place] ?? 0), 0);
}

describe("the model that ships", () => {
  const embedder = createOnnxEmbedder({ folder: MODEL });
  const passages = (...texts: string[]) => embedder.embed(texts, { purpose: "passage" });

  afterAll(() => embedder.close());

  it("is named after model, dimensions and weights", () => {
    expect(embedder).toMatchObject({ id: "onnx:all-minilm-l6-v2-q:384:afdb6f1a", dimensions: 384 });
  });

  it("puts a paraphrase without a common word nearer than another matter with common ones", async () => {
    const [query, paraphrase, other] = await passages(
      "What does my physician advise?",
      "The doctor told her to sleep more.",
      "What does my bicycle cost?",
    );
    expect(dot(query!, paraphrase!)).toBeGreaterThan(dot(query!, other!));
  });

  it("answers one unit-length vector a text, in order, the same alone and among others", async () => {
    const texts = ["tea", "the museum in Oslo", "", "🎂", "a b\0c"];
    const together = await passages(...texts);
    for (const vector of together) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    for (const [place, text] of texts.entries()) expect((await passages(text))[0]).toEqual(together[place]);
    expect(together[2]?.[0]).toBe(1);
  });

  it("reads long texts to their end, at a bounded cost", async () => {
    const filler = "The weather was fine and nothing happened. ".repeat(400);
    const [plain, ending, topic] = await passages(filler, `${filler}${"The cat is ill. ".repeat(300)}`, "an ill cat");
    expect(dot(ending!, topic!)).toBeGreaterThan(dot(plain!, topic!) + 0.1);
    const started = performance.now();
    await passages("word ".repeat(20_000));
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it("answers a query before passages that wait", async () => {
    const order: string[] = [];
    const batch = passages(...Array.from({ length: 40 }, (_, i) => `passage number ${i}`));
    const noted = [
      batch.then(() => order.push("passages")),
      embedder.embed(["query"], { purpose: "query" }).then(() => order.push("query")),
    ];
    await Promise.all(noted);
    expect(order).toEqual(["query", "passages"]);
  });

  it("gives up what is aborted", async () => {
    const controller = new AbortController();
    const hanging = embedder.embed(["a", "b", "c"], { purpose: "passage", signal: controller.signal });
    controller.abort(new Error("too late"));
    await expect(hanging).rejects.toThrow("too late");
    const { signal } = controller;
    await expect(embedder.embed(["a"], { purpose: "query", signal })).rejects.toThrow("too late");
    expect(await passages("a")).toHaveLength(1);
  });

  it("starts another process after one has died", async () => {
    const before = await passages("tea");
    process.kill(childOf(), "SIGKILL");
    await expect.poll(() => passages("tea").catch(() => undefined), { timeout: 20_000 }).toEqual(before);
  });
});

/** The process that runs the model, by its command line. */
function childOf(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").map(Number);
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("inference-child"));
  if (found === undefined) throw new Error("no process runs the model");
  return found;
}

describe("a model folder", () => {
  let embedder: OnnxEmbedder | undefined;
  const open = (folder: string) => {
    embedder = createOnnxEmbedder({ folder });
    return embedder;
  };

  afterEach(() => embedder?.close());

  it.each([
    ["of pooling by the first token", { pooling: "cls" }],
    ["with prefixes", { prefixes: { query: "query: ", passage: "passage: " } }],
    ["of short windows", { max_tokens: 16 }],
  ])("%s makes other vectors", async (_case, change) => {
    const text = "The museum in Oslo opens at nine, except on Mondays, when it stays closed for cleaning and repair.";
    const [vector] = await open(modelWith(change)).embed([text], { purpose: "query" });
    const usual = createOnnxEmbedder({ folder: MODEL });
    const [other] = await usual.embed([text], { purpose: "query" });
    usual.close();
    expect(dot(vector!, other!)).toBeLessThan(0.999);
  });

  it.each([
    ["no dimensions", { dimensions: undefined }, "dimensions"],
    ["an unknown member", { pool: "mean" }, "pool"],
    ["a checksum of another form", { sha256: { "model.onnx": "abc", "tokenizer.json": "abc" } }, "SHA-256 in hex"],
    ["a name that cannot name an index", { name: "../x" }, "name"],
  ])("with a manifest of %s is refused when it is opened", (_case, change, problem) => {
    expect(() => createOnnxEmbedder({ folder: modelWith(change) })).toThrow(problem);
  });

  it("without a manifest is refused when it is opened", () => {
    expect(() => createOnnxEmbedder({ folder: tmpdir() })).toThrow("manifest.json cannot be read (ENOENT)");
  });

  it("with other weights than the manifest's is not used", async () => {
    const folder = modelWith({});
    rmSync(path.join(folder, "tokenizer.json"));
    cpSync(path.join(MODEL, "manifest.json"), path.join(folder, "tokenizer.json"));
    const broken = open(folder);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(broken.embed(["a"], { purpose: "query" })).rejects.toThrow("the SHA-256 of tokenizer.json is");
    }
  });

  it("whose model makes vectors of another length is not used", async () => {
    const embedding = open(modelWith({ dimensions: 256 })).embed(["a"], { purpose: "query" });
    await expect(embedding).rejects.toThrow("the model answered 1x3x384, not 1x3x256");
  });
});
