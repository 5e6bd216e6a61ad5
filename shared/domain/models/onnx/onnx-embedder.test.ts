import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { MODEL, modelWith } from "../../../../test/fixtures/model-folder.ts";
import { sha256 } from "../../../kernel/digest.ts";
import { ModelFolderError } from "./model-folder.ts";
import { createInProcessEmbedder, createOnnxEmbedder, type OnnxEmbedder } from "./onnx-embedder.ts";

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, position) => sum + component * (b[position] ?? 0), 0);
}

describe("the model that ships", () => {
  const embedder = createOnnxEmbedder({ folder: MODEL });
  const passages = (...texts: string[]) => embedder.embed(texts, { purpose: "passage" });

  afterAll(() => embedder.close());

  it("is named after model, dimensions and weights", () => {
    expect(embedder).toMatchObject({ id: "onnx:multilingual-e5-small-q8:384:a9933dde", dimensions: 384 });
  });

  it("places an answer in another language nearer than another topic with common words", async () => {
    const [question] = await embedder.embed(["Where does my brother live?"], { purpose: "query" });
    const [answer, other] = await passages("Mein Bruder wohnt in Graz.", "My brother likes tea.");
    expect(dot(question!, answer!)).toBeGreaterThan(dot(question!, other!));
  });

  it("computes the same vectors within this process", async () => {
    const inside = createInProcessEmbedder(MODEL);
    const texts = ["tea", "the museum in Oslo", ""];
    expect(inside).toMatchObject({ id: embedder.id, dimensions: 384, background: embedder.background });
    expect(await inside.embed(texts, { purpose: "passage" })).toEqual(await passages(...texts));
  });

  it("returns one unit vector per text, in order, the same alone and among others", async () => {
    const texts = ["tea", "the museum in Oslo", "", "🎂", "a b\0c"];
    const together = await passages(...texts);
    for (const vector of together) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    for (const [position, text] of texts.entries()) expect((await passages(text))[0]).toEqual(together[position]);
    expect(together[2]?.[0]).toBe(1);
  });

  it("returns the same vectors of texts of any length alone and in batches", async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `${i} ${"a walk along the river ".repeat(i % 9)}`);
    const together = await passages(...texts);
    for (const [position, text] of texts.entries()) {
      if (position % 7 === 0) expect(dot((await passages(text))[0]!, together[position]!)).toBeCloseTo(1, 5);
    }
  });

  it("reads long texts to their end", async () => {
    const filler = "The weather was fine and nothing happened. ".repeat(80);
    const [plain, ending, topic] = await passages(filler, `${filler}${"The cat is ill. ".repeat(60)}`, "an ill cat");
    expect(dot(ending!, topic!)).toBeGreaterThan(dot(plain!, topic!) + embedder.background!.deviation);
  });

  it("answers a query while it reads a long passage", async () => {
    const order: string[] = [];
    const long = passages("nothing happened ".repeat(1_000)).then(() => order.push("passage"));
    await embedder.embed(["tea"], { purpose: "query" }).then(() => order.push("query"));
    await long;
    expect(order).toEqual(["query", "passage"]);
  });

  it("answers a query before passages that wait", async () => {
    const order: string[] = [];
    const batch = passages(...Array.from({ length: 40 }, (_, i) => `passage number ${i}`));
    const query = embedder.embed(["query"], { purpose: "query" });
    await Promise.all([batch.then(() => order.push("passages")), query.then(() => order.push("query"))]);
    expect(order).toEqual(["query", "passages"]);
  });

  it("rejects aborted requests", async () => {
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

/** Returns the id of the process that runs the model, found by its command line. */
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
  const load = async (opened: OnnxEmbedder) => (await opened.start()).loaded;

  const defaults = createOnnxEmbedder({ folder: MODEL });

  afterEach(() => embedder?.close());
  afterAll(() => defaults.close());

  it.each([
    ["of pooling by the first token", { pooling: "cls" }],
    ["without prefixes", { prefixes: { query: "", passage: "" } }],
    ["of short windows", { max_tokens: 16 }],
  ])("%s computes other vectors", async (_case, change) => {
    const text = "The museum in Oslo opens at nine, except on Mondays, when it stays closed for cleaning and repair.";
    const [vector] = await open(modelWith(change)).embed([text], { purpose: "query" });
    const [other] = await defaults.embed([text], { purpose: "query" });
    expect(dot(vector!, other!)).toBeLessThan(0.999);
  });

  it("reads every window of a text", async () => {
    const sentences: string[] = Array(12).fill("Nothing happened today again.");
    const { embed } = open(modelWith({ max_tokens: 8 }));
    const texts = [sentences, ...sentences.map((_, index) => sentences.with(index, "A purple cat sings."))];
    const passages = texts.map((text) => text.join(" "));
    const [plain, ...others] = await embed(passages, { purpose: "passage" });
    expect(others.filter((vector) => dot(vector, plain!) > 0.9999)).toEqual([]);
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

  it("without a licence is refused when it is opened", () => {
    const folder = modelWith({});
    rmSync(path.join(folder, "LICENSE"));
    expect(() => createOnnxEmbedder({ folder })).toThrow("it holds no licence of the model");
  });

  it.each(["model.onnx", "tokenizer.json"])("with another %s than the manifest's does not start", async (name) => {
    const folder = modelWith({});
    replaceFile(folder, name, "{}");
    const broken = open(folder);
    for (const _attempt of [1, 2]) await expect(broken.start()).rejects.toThrow(`the SHA-256 of ${name} is`);
  });

  it.each(["model.onnx", "tokenizer.json"])(
    "whose %s is invalid despite a matching checksum is not loaded",
    async (name) => {
      const manifest = JSON.parse(readFileSync(path.join(MODEL, "manifest.json"), "utf8"));
      const folder = modelWith({ sha256: { ...manifest.sha256, [name]: sha256("{}") } });
      replaceFile(folder, name, "{}");
      await expect(load(open(folder))).rejects.toBeInstanceOf(ModelFolderError);
    },
  );

  it("whose model returns vectors of another length is not loaded", async () => {
    const loading = load(open(modelWith({ dimensions: 256 })));
    await expect(loading).rejects.toThrow("the model answered 2x6x384, not 2x6x256");
  });
});

function replaceFile(folder: string, name: string, content: string): void {
  rmSync(path.join(folder, name));
  writeFileSync(path.join(folder, name), content);
}

describe("a child that is slow to load", () => {
  /** Verifies at once, and is loaded at a signal. */
  const CHILD = `
    process.on("SIGUSR2", () => process.send({ kind: "ready" }));
    process.on("message", ({ id }) => process.send({ kind: "result", id, result: [] }));
    process.send({ kind: "verified" });`;

  it("starts as soon as it has verified the model, and is loading until it says so", async () => {
    const folder = modelWith({});
    const child = path.join(folder, "inference-child.mjs");
    writeFileSync(child, CHILD);
    const embedder = createOnnxEmbedder({ folder, child: pathToFileURL(child) });
    onTestFinished(embedder.close);
    expect(embedder.isLoading()).toBe(false);
    const { loaded } = await embedder.start();
    expect(embedder.isLoading()).toBe(true);
    process.kill(childOf(), "SIGUSR2");
    await loaded;
    expect(embedder.isLoading()).toBe(false);
  });
});

describe("a child that hangs", () => {
  /** Answers every text except "hang", and processes "long" in ten passes of 50 ms each. */
  const CHILD = `
    const answer = (id) => process.send({ kind: "result", id, result: [new Float32Array(384)] });
    process.on("message", ({ id, input: { texts: [text] } }) => {
      if (text === "hang") return;
      if (text !== "long") return answer(id);
      let passes = 0;
      const reading = setInterval(() => {
        if (++passes === 10) { clearInterval(reading); answer(id); }
        else process.send({ kind: "progress", id });
      }, 50);
    });
    process.send({ kind: "ready" });`;

  it("fails the text that hangs, and no other", async () => {
    const folder = modelWith({});
    const child = path.join(folder, "child.mjs");
    writeFileSync(child, CHILD);
    const embedder = createOnnxEmbedder({ folder, passTimeoutMs: 250, child: pathToFileURL(child) });
    const passage = (text: string) => embedder.embed([text], { purpose: "passage" });
    await expect(passage("long")).resolves.toHaveLength(1);
    const hanging = expect(passage("hang")).rejects.toThrow("a pass takes too long");
    await expect(embedder.embed(["tea"], { purpose: "query" })).resolves.toHaveLength(1);
    await expect(passage("tea")).resolves.toHaveLength(1);
    await hanging;
    embedder.close();
  });
});
