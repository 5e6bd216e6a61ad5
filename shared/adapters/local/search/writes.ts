import { textToIndex } from "../../../kernel/text/text-to-index.ts";
import { indexTerms } from "../../../language/words/keywords.ts";
import { facetsOf } from "../../../ports/search-facets.ts";
import type { SearchDocument } from "../../../ports/search-index.ts";
import type { Database } from "../storage/sqlite.ts";
import { bytesOf } from "../vectors/quantized.ts";
import { derivedRows } from "./derived-rows.ts";
import { computedTable } from "./model-change.ts";
import { columnsOf, parseSource, sourceText } from "./rows.ts";
import { countTerms, uncountTerms } from "./terms.ts";
import { contentHash, type StoredVectors, storedVectors } from "./vectors.ts";

/** Longer contents wait for the vectors of shorter ones: a message is not delayed by the passages of an upload. */
const LONG = 500;

/** A deleted document with the version of its removal. */
export interface Removal {
  id: string;
  version: number;
}

/** `sequence` is that of the newest record change. */
export type IndexWrite = { sequence: number } & ({ upsert: SearchDocument[] } | { remove: Removal[]; now: number });

/** A document number that a write added or removed; vectors in memory follow it. */
export interface WrittenRow {
  doc: number;
  vector?: Uint8Array;
}

/**
 * Runs writes as one that counts as a commit and stores the sequence of the records. It is committed later with others,
 * before their changes are deleted, and not flushed: an index that lost commits is behind its mark in the records, and
 * catches up at the next start.
 */
function countedTransaction(
  database: Database,
  { sequence, size }: { sequence: number; size: number },
  write: () => WrittenRow[],
): WrittenRow[] {
  return database.groupedTransaction(() => {
    const rows = write();
    database.run(COUNT_COMMIT);
    database.run("UPDATE settings SET value = ? WHERE name = 'sequence'", String(sequence));
    return rows;
  }, size);
}

/**
 * In one transaction, stores documents, except those with a newer stored version or a removal not older than theirs, or
 * deletes those whose version is not above the removal's and leaves tombstones.
 */
export function performWrite(database: Database, write: IndexWrite): WrittenRow[] {
  const { sequence } = write;
  if ("remove" in write) {
    const { remove, now } = write;
    return countedTransaction(database, { sequence, size: remove.length }, () =>
      remove.flatMap((removal) => removeDocument(database, removal, now) ?? []),
    );
  }
  return countedTransaction(database, { sequence, size: write.upsert.length }, () => {
    const uncounted: string[] = [];
    const rows = write.upsert.flatMap((document) => upsertDocument(database, document, uncounted) ?? []);
    countTerms(database, uncounted);
    return rows;
  });
}

/** Deletes tombstones older than `before` (epoch milliseconds); returns their number. */
export function purgeRemovals(database: Database, before: number): number {
  return Number(database.run("DELETE FROM removals WHERE removed_ms < ?", before).changes);
}

/** `uncounted` collects the index terms of documents that are not counted yet. */
function upsertDocument(database: Database, document: SearchDocument, uncounted: string[]): WrittenRow | undefined {
  const removal = database.get("SELECT version FROM removals WHERE id = ?", document.id);
  if (removal !== undefined && Number(removal.version) >= document.version) return undefined;
  const existing = database.get(SELECT_ROW, document.id);
  if (existing !== undefined && Number(existing.version) >= document.version) return undefined;
  if (removal !== undefined) database.run("DELETE FROM removals WHERE id = ?", document.id);
  const stored = storedVectors(database, textToIndex(document));
  if (existing !== undefined) {
    // The replaced document may be among those that are not counted yet.
    countTerms(database, uncounted.splice(0));
    deleteRow(database, Number(existing.doc));
  }
  const indexed = indexTerms(textToIndex(document)).join(" ");
  uncounted.push(indexed);
  return insertRow(database, { document, indexed, stored }, existing === undefined ? null : Number(existing.doc));
}

interface NewRow {
  document: SearchDocument;
  /** The index terms of the document, separated by spaces. */
  indexed: string;
  stored: StoredVectors;
}

/**
 * `number` is the row's number, or null for a new row; a vector sent with the document takes precedence over a stored
 * one. The terms are counted separately.
 */
function insertRow(database: Database, { document, indexed, stored }: NewRow, number: number | null): WrittenRow {
  const columns = { doc: number, ...columnsOf(document) };
  const names = Object.keys(columns);
  const insert = `INSERT INTO documents (${names.join(", ")}) VALUES (:${names.join(", :")})`;
  const doc = Number(database.prepare(insert).run(columns).lastInsertRowid);
  database.run("INSERT INTO sources (doc, source) VALUES (?, ?)", doc, sourceText(document));
  database.run("INSERT INTO contents (doc, hash) VALUES (?, ?)", doc, contentHash(textToIndex(document)));
  const sent = document.embedding && { [computedTable(database)]: bytesOf(document.embedding) };
  const { isCurrent, ...vectors } = { ...stored, ...sent };
  for (const [table, vector] of Object.entries(vectors)) {
    if (vector) database.run(`INSERT INTO ${table} (doc, vector) VALUES (?, ?)`, doc, vector);
  }
  const isLong = document.content.length > LONG ? 1 : 0;
  if (!isCurrent && !sent) database.run("INSERT INTO unembedded (doc, is_long) VALUES (?, ?)", doc, isLong);
  database.run("INSERT INTO words (rowid, terms) VALUES (?, ?)", doc, indexed);
  derivedRows(database).insert(doc, document);
  return { doc, vector: vectors.vectors };
}

function removeDocument(database: Database, { id, version }: Removal, now: number): WrittenRow | undefined {
  const existing = database.get(SELECT_ROW, id);
  if (existing !== undefined && Number(existing.version) > version) return undefined;
  database.run(UPSERT_REMOVAL, id, version, now);
  if (existing === undefined) return undefined;
  const doc = Number(existing.doc);
  deleteRow(database, doc);
  return { doc };
}

function deleteRow(database: Database, doc: number): void {
  const stored = parseSource(database.get("SELECT source FROM sources WHERE doc = ?", doc)?.source);
  const deleteFacet = database.prepare("DELETE FROM facets WHERE term = ? AND doc = ?");
  for (const term of facetsOf(stored)) deleteFacet.run(term, doc);
  const deleteMention = database.prepare("DELETE FROM mentions WHERE entity = ? AND doc = ?");
  for (const entity of stored.entity_ids) deleteMention.run(entity, doc);
  const deleteViewer = database.prepare("DELETE FROM viewers WHERE agent = ? AND doc = ?");
  for (const { agent } of stored.viewers ?? []) deleteViewer.run(agent, doc);
  for (const table of ["sources", "contents", "vectors", "next_vectors", "unembedded", "documents"]) {
    database.run(`DELETE FROM ${table} WHERE doc = ?`, doc);
  }
  uncountTerms(database, doc);
  database.run("DELETE FROM words WHERE rowid = ?", doc);
}

const COUNT_COMMIT = "UPDATE settings SET value = CAST(value AS INTEGER) + 1 WHERE name = 'commits'";

const SELECT_ROW = "SELECT doc, version FROM documents WHERE id = ?";

const UPSERT_REMOVAL = `
  INSERT INTO removals (id, version, removed_ms) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, removed_ms = excluded.removed_ms
  WHERE excluded.version > version`;
