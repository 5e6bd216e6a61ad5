import { mkdtempSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Memory } from "mem0ai/oss";
import type { Embedder } from "../../../shared/ports/embedder.ts";

/** Keeps mem0 from sending telemetry and notices, and from writing to the home folder. */
process.env.MEM0_TELEMETRY = "false";
process.env.MEM0_DIR = mkdtempSync(path.join(tmpdir(), "mem0-"));

const SQLITE = new URL("better-sqlite3.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "better-sqlite3" ? { url: SQLITE, shortCircuit: true } : next(specifier, context),
});

/** Opens mem0's library with its in-memory vector store, our embedder, and a model that returns its input text. */
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
  // mem0 only allows configuring a model by name, so the model that it created is replaced.
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

/** Returns the number of memories created from a text. */
export type Add = (text: string, config: Parameters<Memory["add"]>[1]) => Promise<number>;
