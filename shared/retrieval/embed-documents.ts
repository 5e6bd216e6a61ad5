import type { Ports, SearchDocument, SearchSource } from "../platform/ports.ts";

/** The documents with the vectors of their contents, unless the index computes these itself later. */
export async function embedDocuments(
  { embedder, search }: Pick<Ports, "embedder" | "search">,
  sources: SearchSource[],
): Promise<SearchDocument[]> {
  if (search.embedsLater || sources.length === 0) return sources;
  const embeddings = await embedder.embed(
    sources.map(({ content }) => content),
    { purpose: "passage" },
  );
  return sources.map((source, place) => ({ ...source, embedding: embeddings[place] }));
}
