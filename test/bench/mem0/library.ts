import { mkdtempSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Memory } from "mem0ai/oss";
import type { Embedder } from "../../../shared/platform/ports.ts";

/** Nothing of mem0 leaves the process, neither telemetry nor notices; and it notes nothing in the home folder. */
process.env.MEM0_TELEMETRY = "false";
process.env.MEM0_DIR = mkdtempSync(path.join(tmpdir(), "mem0-"));

const SQLITE = new URL("better-sqlite3.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "better-sqlite3" ? { url: SQLITE, shortCircuit: true } : next(specifier, context),
});

/** mem0's library with its vector store in memory, our embedder, and a model whose whole answer is the text it is given. */
export async function openMem0(embedder: Embedder): Promise<{ memory: Memory; add: Add }> {
  const mem0 = await import("mem0ai/oss");
  const vectors = async (texts: string[]) =>
    (await embedder.embed(texts, { purpose: "passage" })).map((vector) => Array.from(vector));
  const memory = new mem0.Memory({
    embedder: {
      provider: "langchain",
      config: { model: { embedQuery: async (text: string) => (await vectors([text]))[0], embedDocuments: vectors } },
    },
    vectorStore: { provider: "memory", config: { dbPath: ":memory:", dimension: embedder.dimensions } },
    llm: { provider: "openai", config: { apiKey: "none", baseURL: "http://127.0.0.1:9" } },
    historyStore: { provider: "memory", config: {} },
  });
  let told = "";
  const generateResponse = async () => JSON.stringify({ memory: [{ id: "0", text: told }] });
  // The model is no part of what mem0 lets be configured but by name, so the one it made is replaced.
  if (!Reflect.set(memory, "llm", { generateResponse })) throw new Error("mem0 did not take the model");
  return {
    memory,
    add: async (text, config) => {
      told = text;
      const { results } = await memory.add(text, config);
      return results.length;
    },
  };
}

/** Answers how many memories came of a text. */
export type Add = (text: string, config: Parameters<Memory["add"]>[1]) => Promise<number>;
