import { textToIndex } from "../../kernel/text/text-to-index.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { SearchDocument, SearchIndex, SearchSource } from "../../ports/search-index.ts";

/** The embedder, and the index with the vectors that exist already. */
interface Embedding {
  embedder: Pick<Embedder, "embed">;
  search: Pick<SearchIndex, "embedsLater" | "vectorsOf">;
}

/**
 * Returns the documents with the vectors of their texts, unless the index computes the vectors later. Each text
 * is embedded once, or not at all if the organization has a document with it.
 */
export async function embedDocuments(
  { embedder, search }: Embedding,
  sources: SearchSource[],
): Promise<SearchDocument[]> {
  if (search.embedsLater || sources.length === 0) return sources;
  const stored = await search.vectorsOf(sources.map((source) => ({ org: source.org, content: textToIndex(source) })));
  const vectorByContent = new Map(sources.map((source, index) => [textToIndex(source), stored[index]]));
  const contents = [...vectorByContent].flatMap(([content, vector]) => (vector === undefined ? [content] : []));
  if (contents.length > 0) {
    const vectors = await embedder.embed(contents, { purpose: "passage" });
    for (const [index, content] of contents.entries()) vectorByContent.set(content, vectors[index]);
  }
  return sources.map((source) => ({ ...source, embedding: vectorByContent.get(textToIndex(source)) }));
}
