import type { Embedder, SearchDocument, SearchIndex, SearchSource } from "../platform/ports.ts";

/** What makes vectors, and where those that were made are. */
interface Embedding {
  embedder: Pick<Embedder, "embed">;
  search: Pick<SearchIndex, "embedsLater" | "vectorsOf">;
}

/**
 * The documents with the vectors of their contents, unless the index computes these itself later. A content is embedded
 * once, and not at all where the organization has a document of it.
 */
export async function embedDocuments(
  { embedder, search }: Embedding,
  sources: SearchSource[],
): Promise<SearchDocument[]> {
  if (search.embedsLater || sources.length === 0) return sources;
  const stored = await search.vectorsOf(sources);
  const known = new Map(sources.map(({ content }, place) => [content, stored[place]]));
  const contents = [...known].flatMap(([content, vector]) => (vector === undefined ? [content] : []));
  if (contents.length > 0) {
    const vectors = await embedder.embed(contents, { purpose: "passage" });
    for (const [place, content] of contents.entries()) known.set(content, vectors[place]);
  }
  return sources.map((source) => ({ ...source, embedding: known.get(source.content) }));
}
