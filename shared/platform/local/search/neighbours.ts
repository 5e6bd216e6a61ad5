import type { SQLInputValue } from "node:sqlite";
import type { NeighbourRequest, Neighbours, SearchSource } from "../../ports.ts";
import type { Database } from "../sqlite.ts";
import { parseSource } from "./rows.ts";
import { conditionOf } from "./scope.ts";

/** The neighbours of documents in time and of entities by mention. */
export function findNeighbours(database: Database, request: NeighbourRequest): Neighbours {
  const { documents, reach, entities, mostMembers } = request;
  const condition = conditionOf(request);
  const found = new Map<number, SearchSource>();
  const source = database.prepare("SELECT source FROM sources WHERE doc = ?");
  const idsOf = (rows: Record<string, unknown>[]) =>
    rows.map((row) => {
      const doc = Number(row.doc);
      const document = found.get(doc) ?? parseSource(source.get(doc)?.source);
      found.set(doc, document);
      return document.id;
    });

  const earlier = database.prepare(sessionSql("<", "DESC", condition.text));
  const later = database.prepare(sessionSql(">", "ASC", condition.text));
  const inTime = new Map<string, string[]>();
  for (const { id, user_id, session_id, created_at } of documents) {
    const place: SQLInputValue[] = [user_id ?? null, session_id ?? null, Date.parse(created_at), id];
    const before = idsOf(earlier.all(...place, ...condition.values, reach)).reverse();
    const after = idsOf(later.all(...place, ...condition.values, reach));
    inTime.set(id, [...before, ...after]);
  }

  const naming = database.prepare(memberSql(condition.text));
  const members = new Map<string, string[]>();
  for (const entity of entities) {
    const rows = naming.all(entity, ...condition.values, mostMembers + 1);
    members.set(entity, rows.length > mostMembers ? [] : idsOf(rows));
  }
  return { documents: [...found.values()], inTime, members };
}

function sessionSql(comparison: "<" | ">", direction: "ASC" | "DESC", condition: string): string {
  return `
    SELECT d.doc FROM documents d
    WHERE d.user_id IS ? AND d.session_id IS ? AND (d.created_ms, d.id) ${comparison} (?, ?) AND ${condition}
    ORDER BY d.created_ms ${direction}, d.id ${direction} LIMIT ?`;
}

/** The mentions lead, so that the query stops at its limit. */
function memberSql(condition: string): string {
  return `
    SELECT d.doc FROM mentions m CROSS JOIN documents d ON d.doc = m.doc
    WHERE m.entity = ? AND ${condition} ORDER BY m.doc LIMIT ?`;
}
