import { expect, test } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import type { Ports } from "../../ports/ports.ts";
import { embedDocuments } from "./embed-documents.ts";

/** Returns an index with vectors for these contents, and an embedder that records what it embeds. */
function portsWith(stored: Record<string, number>) {
  const embedded: string[] = [];
  const search = {
    vectorsOf: async (contents: { content: string }[]) =>
      contents.map(({ content }) => (content in stored ? Float32Array.of(stored[content] ?? 0) : undefined)),
  };
  const embedder = {
    embed: async (texts: string[]) => {
      embedded.push(...texts);
      return texts.map(({ length }) => Float32Array.of(length));
    },
  };
  return { ports: { search, embedder } as unknown as Ports, embedded };
}

test("embeds contents without a vector, each once", async () => {
  const { ports, embedded } = portsWith({ tea: 7 });
  const contents = ["tea", "coffee", "coffee", "tea", "rain"];
  const sources = contents.map((content, position) => ({
    ...BLANK_DOCUMENT,
    org: "org_1",
    id: `mem_${position}`,
    content,
  }));
  const documents = await embedDocuments(ports, sources);
  expect(embedded).toEqual(["coffee", "rain"]);
  expect(documents.map(({ embedding }) => embedding?.[0])).toEqual([7, 6, 6, 7, 4]);
});

test("does not call the embedder if every content has a vector", async () => {
  const { ports, embedded } = portsWith({ tea: 7 });
  await embedDocuments(ports, [{ ...BLANK_DOCUMENT, org: "org_1", id: "mem_1", content: "tea" }]);
  expect(embedded).toEqual([]);
});
