import type { API } from "@opensearch-project/opensearch";
import { sha256 } from "../../kernel/digest.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import { textToIndex } from "../../kernel/text/text-to-index.ts";
import { indexTerms } from "../../language/words/keywords.ts";
import { RELEASE } from "../../ports/formats.ts";
import { facetsOf } from "../../ports/search-facets.ts";
import type { SearchDocument, SearchSource } from "../../ports/search-index.ts";

/** Primary shards if the deployment sets none: routing places an organization on one of them. */
const DEFAULT_SHARDS = 3;

/** Field names that queries use; responses contain the original document under `source`. */
export interface IndexedDocument {
  org: string;
  id: string;
  deleted: boolean;
  deleted_ms?: number;
  user_id?: string;
  category?: string;
  type?: string;
  session_id?: string;
  entity_ids?: string[];
  viewers?: { agent: string; until_ms?: number }[];
  created_ms?: number;
  /** Absent in documents of formats 1 and 2, whose event time is their creation. */
  occurred_ms?: number;
  updated_ms?: number;
  expire_ms?: number;
  facets?: string[];
  terms?: string;
  original_tokens?: number;
  compressed_tokens?: number;
  processing_ms?: number;
  /** The key for reusing a content's vector; absent in documents of formats 1 to 3. */
  content_hash?: string;
  /** The bytes of `embedding` in base64. */
  vector?: string;
  embedding?: number[];
  source?: SearchSource;
}

/** The documents' format; incremented with every change of `indexDefinition` or `toIndexed`. Without one, it is 1. */
export const INDEX_FORMAT = 6;

/** An index's document format, the release that set it, the embedder of its vectors, and its SEARCH_INDEX. */
export interface IndexMeta {
  format?: number;
  release?: string;
  embedder?: string;
  prefix?: string;
}

/** Settings and mapping of an index for vectors of this length. */
export function indexDefinition(dimensions: number, shards = DEFAULT_SHARDS): API.Indices_Create_RequestBody {
  return {
    settings: {
      index: {
        knn: true,
        number_of_shards: shards,
        auto_expand_replicas: "0-1",
        // Set explicitly, because a rarely searched index would otherwise stop refreshing.
        refresh_interval: "1s",
        // Removals are tombstones of this service; after their purge, the engine must not remember their versions.
        gc_deletes: "0s",
        // Without thresholds, the slow logs of the domain stay empty.
        search: { slowlog: { threshold: { query: { warn: "1s" }, fetch: { warn: "500ms" } } } },
        indexing: { slowlog: { threshold: { index: { warn: "1s" } } } },
      },
    },
    mappings: {
      _meta: { format: INDEX_FORMAT, release: RELEASE } satisfies IndexMeta,
      dynamic: "strict",
      _routing: { required: true },
      _source: { includes: ["source"] },
      properties: {
        org: { type: "keyword" },
        id: { type: "keyword" },
        deleted: { type: "boolean" },
        deleted_ms: { type: "long" },
        user_id: { type: "keyword" },
        category: { type: "keyword" },
        type: { type: "keyword" },
        session_id: { type: "keyword" },
        entity_ids: { type: "keyword" },
        // Nested, so that an agent and its expiry stay a pair.
        viewers: { type: "nested", properties: { agent: { type: "keyword" }, until_ms: { type: "long" } } },
        created_ms: { type: "long" },
        occurred_ms: { type: "long" },
        updated_ms: { type: "long" },
        expire_ms: { type: "long" },
        facets: { type: "keyword" },
        // Already analysed, so that both platforms agree on the terms.
        terms: { type: "text", analyzer: "whitespace" },
        original_tokens: { type: "long" },
        compressed_tokens: { type: "long" },
        processing_ms: { type: "double" },
        content_hash: { type: "keyword" },
        // OpenSearch returns a knn_vector field only if it is in the source.
        vector: { type: "binary", store: true },
        embedding: {
          type: "knn_vector",
          dimension: dimensions,
          // Without the encoder `sq`: its cosines in small segments are wrong by up to 1, and confidence depends on them.
          method: { name: "hnsw", space_type: "cosinesimil", engine: "lucene" },
        },
        source: { type: "object", enabled: false },
      },
    },
  };
}

export function toIndexed({ embedding, ...source }: SearchDocument): IndexedDocument {
  const { org, id, user_id, category, type, session_id, entity_ids } = source;
  const { original_tokens, compressed_tokens, processing_ms } = source;
  return {
    org,
    id,
    deleted: false,
    user_id,
    category,
    type,
    session_id,
    entity_ids,
    viewers: source.viewers?.map(({ agent, until }) => ({
      agent,
      until_ms: until === undefined ? undefined : Date.parse(until),
    })),
    created_ms: Date.parse(source.created_at),
    occurred_ms: occurredMs(source),
    updated_ms: Date.parse(source.updated_at),
    expire_ms: source.expire_at === undefined ? undefined : Date.parse(source.expire_at),
    facets: facetsOf(source),
    terms: indexTerms(textToIndex(source)).join(" "),
    original_tokens,
    compressed_tokens,
    processing_ms,
    ...(embedding !== undefined && {
      content_hash: sha256(textToIndex(source)),
      vector: Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString("base64"),
      embedding: Array.from(embedding),
    }),
    source,
  };
}
