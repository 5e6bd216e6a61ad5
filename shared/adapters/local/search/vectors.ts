import { createHash } from "node:crypto";
import { textToIndex } from "../../../kernel/text/text-to-index.ts";
import type { Database } from "../storage/sqlite.ts";
import type { ScoredRows } from "../vectors/matrix.ts";
import { bytesOf, dotProduct, vectorOfBytes } from "../vectors/quantized.ts";
import { computedTable } from "./model-change.ts";
import { parseSource } from "./rows.ts";
import type { WrittenRow } from "./writes.ts";

/** A document without a vector; `hash` tells whether its content is unchanged. */
export interface Unembedded {
  doc: number;
  hash: Uint8Array;
  content: string;
  /** The vector of another document with the same content. */
  vector: Float32Array | undefined;
}

/** SHA-256 for finding documents with the same content. */
export function contentHash(content: string): Uint8Array {
  return createHash("sha256").update(content).digest();
}

/** Documents without a vector: those with the fewest attempts first, then the short ones. */
export function listUnembedded(database: Database, limit: number): Unembedded[] {
  return database.tuples(SELECT_UNEMBEDDED, limit).map(([doc, hash, source]) => {
    const content = textToIndex(parseSource(source));
    return { doc: Number(doc), hash: hash as Uint8Array, content, vector: currentVector(database, content) };
  });
}

/** Stores vectors of documents with unchanged content, all or none of them; returns those visible to searches. */
export function storeVectors(database: Database, documents: Unembedded[], vectors: Float32Array[]): WrittenRow[] {
  const table = computedTable(database);
  const store = () =>
    documents.flatMap(({ doc, hash }, index) => {
      const vector = vectors[index] && bytesOf(vectors[index]);
      const isCurrent = database.get("SELECT 1 FROM contents WHERE doc = ? AND hash = ?", doc, hash);
      const isPending = database.get("SELECT 1 FROM unembedded WHERE doc = ?", doc);
      if (vector === undefined || !isCurrent || !isPending) return [];
      database.run("DELETE FROM unembedded WHERE doc = ?", doc);
      database.run(`INSERT OR REPLACE INTO ${table} (doc, vector) VALUES (?, ?)`, doc, vector);
      return [{ doc, vector }];
    });
  const written = database.groupedTransaction(store, documents.length);
  return table === "vectors" ? written : [];
}

/** Dot products of the query with the vectors of those documents that have one. */
export function scoreStored(database: Database, docs: number[], query: Float32Array): ScoredRows {
  const rows = database.tuples(VECTORS_OF, JSON.stringify(docs));
  const products = rows.map(([, bytes]) => dotProduct(query, bytes as Uint8Array));
  return { keys: rows.map(([doc]) => Number(doc)), scores: Float32Array.from(products) };
}

/** Moves failed documents to the end of the list. */
export function postponeEmbedding(database: Database, documents: Pick<Unembedded, "doc">[]): void {
  const postpone = database.prepare("UPDATE unembedded SET attempts = attempts + 1 WHERE doc = ?");
  for (const { doc } of documents) postpone.run(doc);
}

/** Drops all vectors of another embedder; every document then lacks one. */
export function forgetVectors(database: Database, embedder: string): void {
  database.transaction(() => {
    database.run("DELETE FROM vectors");
    database.run("INSERT OR IGNORE INTO unembedded (doc) SELECT doc FROM documents");
    database.run("UPDATE settings SET value = ? WHERE name = 'embedder'", embedder);
  });
}

/** The vectors stored for a content, found through any document with it; deleted with the last such document. */
export interface StoredVectors {
  /** The vector that searches compare. */
  vectors: Uint8Array | undefined;
  /** The next model's vector during a model change. */
  next_vectors: Uint8Array | undefined;
  /** Whether no vector of the content remains to be computed. */
  isCurrent: boolean;
}

/** The first document of a content is embedded before the others, so only that one is read. */
export function storedVectors(database: Database, content: string): StoredVectors {
  const doc = database.get("SELECT min(doc) AS doc FROM contents WHERE hash = ?", contentHash(content))?.doc;
  if (doc == null) return { vectors: undefined, next_vectors: undefined, isCurrent: false };
  const read = (table: "vectors" | "next_vectors") => {
    const vector = database.get(`SELECT vector FROM ${table} WHERE doc = ?`, doc)?.vector;
    return vector instanceof Uint8Array ? vector : undefined;
  };
  const isPending = database.get("SELECT 1 FROM unembedded WHERE doc = ?", doc) !== undefined;
  return { vectors: read("vectors"), next_vectors: read("next_vectors"), isCurrent: !isPending };
}

/** The current embedder's vector of the content. */
export function currentVector(database: Database, content: string): Float32Array | undefined {
  const { isCurrent, ...stored } = storedVectors(database, content);
  const bytes = stored[computedTable(database)];
  return isCurrent && bytes ? vectorOfBytes(bytes) : undefined;
}

const VECTORS_OF = "SELECT doc, vector FROM vectors WHERE doc IN (SELECT value FROM json_each(?))";

const SELECT_UNEMBEDDED = `
  SELECT u.doc, c.hash, s.source FROM unembedded u JOIN contents c ON c.doc = u.doc JOIN sources s ON s.doc = u.doc
  ORDER BY u.attempts, u.is_long, u.doc LIMIT ?`;
