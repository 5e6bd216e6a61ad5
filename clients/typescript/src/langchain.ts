import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { MemoryClient } from "./client.ts";
import { neutralized } from "./prompt.ts";

export interface MemoryRetrieverOptions extends BaseRetrieverInput {
  client: Pick<MemoryClient, "search">;
  /** The user whose memories are searched; by default, all memories that the key may read. */
  userId?: string;
  /** Maximum number of documents; the default is that of GET /search/config. */
  limit?: number;
}

/**
 * A LangChain retriever: returns the memories that match a query as documents, best first, with their scores as
 * metadata. Their texts are rendered for prompts.
 */
export class MemoryRetriever extends BaseRetriever {
  lc_namespace = ["memory_service"];
  readonly #options: MemoryRetrieverOptions;

  constructor(options: MemoryRetrieverOptions) {
    super(options);
    this.#options = options;
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { client, userId, limit } = this.#options;
    const filters = userId === undefined ? {} : { user_id: userId };
    const { results } = await client.search(query, { filters, options: limit === undefined ? {} : { limit } });
    return results.map(({ id, content = "", score, occurred_at, metadata }) => {
      return new Document({ id, pageContent: neutralized(content), metadata: { ...metadata, score, occurred_at } });
    });
  }
}
