import type { StatementSync } from "node:sqlite";
import { facetsOf } from "../../../ports/search-facets.ts";
import type { SearchSource } from "../../../ports/search-index.ts";

/** A connection, or a database that caches its statements. */
interface Preparing {
  prepare(text: string): StatementSync;
}

/** Derived rows for finding a document: its facets, the entities that it mentions, and its viewers. */
export function derivedRows(database: Preparing): { insert(doc: number, source: SearchSource): void } {
  const insertFacet = database.prepare("INSERT INTO facets (term, doc) VALUES (?, ?)");
  const insertMention = database.prepare("INSERT INTO mentions (entity, doc) VALUES (?, ?)");
  const insertViewer = database.prepare("INSERT INTO viewers (agent, doc, until_ms) VALUES (?, ?, ?)");
  return {
    insert(doc, source) {
      for (const term of facetsOf(source)) insertFacet.run(term, doc);
      for (const entity of new Set(source.entity_ids)) insertMention.run(entity, doc);
      for (const { agent, until } of source.viewers ?? []) {
        insertViewer.run(agent, doc, until === undefined ? null : Date.parse(until));
      }
    },
  };
}
