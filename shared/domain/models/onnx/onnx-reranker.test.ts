import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CrossEncoderChange, crossEncoderFolder } from "../../../../test/fixtures/cross-encoder.ts";
import { logistic } from "../../../kernel/math.ts";
import { ModelFolderError } from "./model-folder.ts";
import { createOnnxReranker, type OnnxRerankerOptions } from "./onnx-reranker.ts";

const LIMITS = { org: "org_1", timeoutMs: 10_000, signal: new AbortController().signal };

function open(change: CrossEncoderChange = {}, options: Partial<OnnxRerankerOptions> = {}) {
  const folder = crossEncoderFolder(change);
  const reranker = createOnnxReranker({ folder, timeoutMs: 1000, ...options });
  onTestFinished(reranker.close);
  return { ...reranker, folder };
}

describe("a cross-encoder", () => {
  it("returns the relevance of each text in order, from the text's tokens only", async () => {
    const { id, rerank } = open();
    expect(id).toBe("onnx:made-up");
    const relevances = await rerank("tea tea", ["stone", "Tea", "unheard of", "", "tea tea stone"], LIMITS);
    const expected = [logistic(-4), logistic(4), 0.5, 0, logistic(4)];
    for (const [index, relevance] of expected.entries()) expect(relevances[index]).toBeCloseTo(relevance, 5);
  });

  it("reads the windows of a long text that share the most tokens with the query", async () => {
    const { rerank } = open();
    const filler = "filler ".repeat(500);
    const [middle, nowhere] = await rerank("tea", [`${filler} tea ${filler}`, filler], LIMITS);
    expect(middle).toBeCloseTo(logistic(4), 5);
    expect(nowhere).toBe(0.5);
  });

  it("leaves half of its window to the text even if the query is long", async () => {
    const { rerank } = open();
    expect((await rerank("filler ".repeat(300), ["stone"], LIMITS))[0]).toBeCloseTo(logistic(-4), 5);
  });

  it("rejects aborted requests", async () => {
    const { rerank } = open();
    const late = rerank("tea", ["tea"], { ...LIMITS, signal: AbortSignal.abort(new Error("too late")) });
    await expect(late).rejects.toThrow("too late");
  });

  it("fails the text that hangs, and continues with another process", async () => {
    const child = path.join(crossEncoderFolder(), "child.mjs");
    writeFileSync(
      child,
      `process.on("message", ({ id, input: { text } }) => {
         if (text !== "hang") process.send({ kind: "result", id, result: 1 });
       });
       process.send({ kind: "ready" });`,
    );
    const { rerank } = open({}, { passTimeoutMs: 250, child: pathToFileURL(child) });
    await expect(rerank("tea", ["hang"], LIMITS)).rejects.toThrow("a pass takes too long");
    expect(await rerank("tea", ["tea"], LIMITS)).toEqual([1]);
  });
});

describe("its folder", () => {
  it.each([
    ["no manifest", { without: "manifest.json" }, "manifest.json cannot be read (ENOENT)"],
    ["no licence", { without: "LICENSE" }, "it holds no licence of the model"],
    ["a member of another kind of model", { manifest: { dimensions: 384 } }, "dimensions"],
    ["too small a window", { manifest: { max_tokens: 8 } }, "max_tokens"],
  ])("is refused at once with %s", (_case, change, problem) => {
    expect(() => open(change)).toThrow(problem);
    expect(() => open(change)).toThrow(ModelFolderError);
  });

  it.each([
    ["no model", { without: "model.onnx" }, "model.onnx cannot be read (ENOENT)"],
    ["no tokenizer", { without: "tokenizer.json" }, "tokenizer.json cannot be read (ENOENT)"],
    ["a model of more than one logit", { logits: 2 }, "not 1x1"],
    [
      "other checksums",
      { manifest: { sha256: { "model.onnx": "0".repeat(64), "tokenizer.json": "0".repeat(64) } } },
      "the SHA-256 of",
    ],
  ])("does not start with %s", async (_case, change, problem) => {
    const error = await open(change)
      .start()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelFolderError);
    expect(String(error)).toContain(problem);
  });
});
