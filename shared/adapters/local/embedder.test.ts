import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createLexicalEmbedder } from "../../domain/models/lexical-embedder.ts";
import { InferenceProcess } from "../../domain/models/onnx/inference-process.ts";
import { ModelFolderError } from "../../domain/models/onnx/model-folder.ts";
import { ModelProviderError } from "../../domain/models/remote-model.ts";
import { loadConfig } from "../../entry/config.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { formerEmbedders, openLocalEmbedder } from "./embedder.ts";

const config = (environment: Record<string, string> = {}) => loadConfig({ ...environment });

afterEach(() => vi.restoreAllMocks());

test("is the model in the repository", async () => {
  const { embedder, loaded, isLoading, close } = await openLocalEmbedder(config(), silentLogger);
  expect(embedder.id).toBe("onnx:multilingual-e5-small-q8:384:a9933dde");
  await loaded;
  expect(isLoading()).toBe(false);
  close();
});

test("is the lexical one, with a warning, if ONNX Runtime does not work", async () => {
  const failure = new ModelProviderError("Cannot find module 'onnxruntime_binding.node'", false);
  vi.spyOn(InferenceProcess.prototype, "run").mockRejectedValue(failure);
  const warn = vi.fn();
  const { embedder } = await openLocalEmbedder(config(), { ...silentLogger, warn });
  expect(embedder.isLexical).toBe(true);
  expect(warn).toHaveBeenCalledWith("EMBEDDER_UNUSABLE", { embedder: "onnx", instead: "lexical", error: failure });
});

test.each([
  ["stays, with a warning, if ONNX Runtime", new ModelProviderError("ended with SIGKILL", true), "resolves"],
  ["is refused if the model", new ModelFolderError("the model answered 2x6x384"), "rejects"],
])("%s fails after the files were verified", async (_, failure, outcome) => {
  vi.spyOn(InferenceProcess.prototype, "verified", "get").mockResolvedValue(undefined);
  const run = vi
    .spyOn(InferenceProcess.prototype, "run")
    .mockReturnValue(sleep(10).then(() => Promise.reject(failure)));
  const warn = vi.fn();
  const { embedder, loaded } = await openLocalEmbedder(config(), { ...silentLogger, warn });
  expect(embedder.isLexical).toBeUndefined();
  expect(
    await loaded.then(
      () => "resolves",
      () => "rejects",
    ),
  ).toBe(outcome);
  const warning = ["EMBEDDER_UNUSABLE", { embedder: "onnx", instead: "words", error: failure }];
  expect(warn.mock.calls).toEqual(outcome === "resolves" ? [warning] : []);
  expect(run).toHaveBeenCalledOnce();
});

test("is refused if its folder contains no valid model, or if it needs AWS", async () => {
  const missing = openLocalEmbedder(config({ EMBEDDING_MODEL_DIR: "/nowhere" }), silentLogger);
  await expect(missing).rejects.toThrow("The model folder /nowhere cannot be used: manifest.json cannot be read");
  await expect(openLocalEmbedder(config({ EMBEDDER: "bedrock" }), silentLogger)).rejects.toThrow("for AWS");
});

test("finds the embedder of an earlier start by its id if it can still be opened", async () => {
  const { find, close } = await formerEmbedders(config({ EMBEDDER: "openai" }));
  const onnx = "onnx:multilingual-e5-small-q8:384:a9933dde";
  const ids = [createLexicalEmbedder().id, onnx, "openai:text-embedding-3-large:3072"];
  expect(ids.map((id) => find(id)?.dimensions)).toEqual([384, 384, 3072]);
  for (const id of ["onnx:another:384:00000000", "openai:x", "undefined"]) expect(find(id)).toBeUndefined();
  const vectors = await find(onnx)?.embed(["tea"], { purpose: "query" });
  expect(vectors).toHaveLength(1);
  close();
});
