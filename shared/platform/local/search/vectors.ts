import { createHash } from "node:crypto";
import type { Database } from "../sqlite.ts";
import { bytesOf, parseSource, vectorOfBytes } from "./rows.ts";
import type { WrittenRow } from "./writes.ts";

/** A document that lacks a vector; `hash` tells whether its content still is what was read. */
export interface Unembedded {
  doc: number;
  hash: Uint8Array;
  content: string;
  /** That of another document of the same content. */
  vector: Float32Array | undefined;
}

/** SHA-256 by which documents of the same content are found. */
export function contentHash(content: string): Uint8Array {
  return createHash("sha256").update(content).digest();
}

/** Documents that lack a vector, those tried least often first. */
export function listUnembedded(database: Database, limit: number): Unembedded[] {
  return database.tuples(SELECT_UNEMBEDDED, limit).map(([doc, hash, source, vector]) => {
    return {
      doc: Number(doc),
      hash: hash as Uint8Array,
      content: parseSource(source).content,
      vector: vector instanceof Uint8Array ? vectorOfBytes(vector) : undefined,
    };
  });
}

/** Stores the vectors of those documents whose content has not changed since they were listed, in one transaction. */
export function storeVectors(database: Database, documents: Unembedded[], vectors: Float32Array[]): WrittenRow[] {
  return database.transaction(() =>
    documents.flatMap(({ doc, hash }, place) => {
      const vector = vectors[place] && bytesOf(vectors[place]);
      const isCurrent = database.prepare("SELECT 1 FROM contents WHERE doc = ? AND hash = ?").get(doc, hash);
      const isPending = database.prepare("SELECT 1 FROM unembedded WHERE doc = ?").get(doc);
      if (vector === undefined || !isCurrent || !isPending) return [];
      database.prepare("DELETE FROM unembedded WHERE doc = ?").run(doc);
      database.prepare("INSERT OR REPLACE INTO vectors (doc, vector) VALUES (?, ?)").run(doc, vector);
      return [{ doc, vector }];
    }),
  );
}

/** Puts documents that failed behind all others. */
export function postponeEmbedding(database: Database, documents: Pick<Unembedded, "doc">[]): void {
  const postpone = database.prepare("UPDATE unembedded SET attempts = attempts + 1 WHERE doc = ?");
  for (const { doc } of documents) postpone.run(doc);
}

/** Drops all vectors, which another embedder made; each document lacks one then. */
export function forgetVectors(database: Database, embedder: string): void {
  database.transaction(() => {
    database.prepare("DELETE FROM vectors").run();
    database.prepare("INSERT OR IGNORE INTO unembedded (doc) SELECT doc FROM documents").run();
    database.prepare("UPDATE settings SET value = ? WHERE name = 'embedder'").run(embedder);
  });
}

/** The vector that a document has of the content; it goes with the last of them. */
export function storedVector(database: Database, content: string): Uint8Array | undefined {
  const stored = database.prepare(SELECT_OF_CONTENT).get(contentHash(content));
  return stored?.vector instanceof Uint8Array ? stored.vector : undefined;
}

/** The first document of a content is embedded before the others, so it alone is asked. */
const OF_CONTENT = (hash: string) => `
  SELECT vector FROM vectors
  WHERE doc = (SELECT min(doc) FROM contents WHERE hash = ${hash}) AND doc NOT IN (SELECT doc FROM unembedded)`;

const SELECT_UNEMBEDDED = `
  SELECT u.doc, c.hash, s.source, (${OF_CONTENT("c.hash")}) AS vector
  FROM unembedded u JOIN contents c ON c.doc = u.doc JOIN sources s ON s.doc = u.doc
  ORDER BY u.attempts, u.doc LIMIT ?`;

const SELECT_OF_CONTENT = OF_CONTENT("?");
