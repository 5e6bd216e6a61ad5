import type { SQLInputValue } from "node:sqlite";
import { occurredMs } from "../../../kernel/event-time.ts";
import type { NeighbourRequest, Neighbours } from "../../ports.ts";
import type { Database } from "../sqlite.ts";
import { readSources } from "./rows.ts";
import { conditionOf } from "./scope.ts";

/** The neighbours of documents in time and of entities by mention. */
export function findNeighbours(database: Database, request: NeighbourRequest): Neighbours {
  const { documents, reach, entities, mostMembers } = request;
  const { text, values } = conditionOf(request);
  const found = new Set<number>();
  const idsOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ doc, id }) => {
      found.add(Number(doc));
      return String(id);
    });

  const earlier = database.prepare(sessionSql("<", "DESC", text));
  const later = database.prepare(sessionSql(">", "ASC", text));
  const inTime = documents.map((document): [string, string[]] => {
    const { id, user_id, session_id } = document;
    const place: SQLInputValue[] = [user_id ?? null, session_id ?? null, occurredMs(document), id];
    const before = earlier.all(...place, ...values, reach).reverse();
    return [id, idsOf([...before, ...later.all(...place, ...values, reach)])];
  });

  const naming = database.prepare(memberSql(text));
  const members = entities.map((entity): [string, string[]] => {
    const rows = naming.all(entity, ...values, mostMembers + 1);
    return [entity, rows.length > mostMembers ? [] : idsOf(rows)];
  });
  const sources = readSources(database, found);
  return { documents: [...sources.values()], inTime: new Map(inTime), members: new Map(members) };
}

function sessionSql(comparison: "<" | ">", direction: "ASC" | "DESC", condition: string): string {
  return `
    SELECT d.doc, d.id FROM documents d
    WHERE d.user_id IS ? AND d.session_id IS ? AND (d.occurred_ms, d.id) ${comparison} (?, ?) AND ${condition}
    ORDER BY d.occurred_ms ${direction}, d.id ${direction} LIMIT ?`;
}

/** The mentions lead, so that the query stops at its limit. */
function memberSql(condition: string): string {
  return `
    SELECT d.doc, d.id FROM mentions m CROSS JOIN documents d ON d.doc = m.doc
    WHERE m.entity = ? AND ${condition} ORDER BY m.doc LIMIT ?`;
}
