import { occurredMs } from "../../../kernel/event-time.ts";
import type { NeighbourRequest, Neighbours } from "../../../ports/search-index.ts";
import type { Database } from "../storage/sqlite.ts";
import { conditionOf } from "./scope.ts";
import type { Sources } from "./sources.ts";

/** The neighbours of documents in time, and of entities by mention. */
export function findNeighbours(database: Database, sources: Sources, request: NeighbourRequest): Neighbours {
  const { documents, reach, entities, maxMembers } = request;
  const { text, values } = conditionOf(request);
  const found = new Set<number>();
  const idsOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ doc, id }) => {
      found.add(Number(doc));
      return String(id);
    });

  const inTime = new Map(documents.map(({ id }): [string, string[]] => [id, []]));
  const positions = JSON.stringify(documents.map(positionOf));
  for (const sql of [sessionSql("<", "DESC", text), sessionSql(">", "ASC", text)]) {
    for (const [index, doc, id] of database.tuples(sql, positions, ...values, reach)) {
      found.add(Number(doc));
      inTime.get(documents[Number(index)]?.id ?? "")?.push(String(id));
    }
  }

  const naming = database.prepare(memberSql(text));
  const members = entities.map((entity): [string, string[]] => {
    const rows = naming.all(entity, ...values, maxMembers + 1);
    return [entity, rows.length > maxMembers ? [] : idsOf(rows)];
  });
  return { documents: [...sources.read(found).values()], inTime, members: new Map(members) };
}

function positionOf(document: NeighbourRequest["documents"][number]) {
  const { id, user_id = null, session_id = null } = document;
  return [user_id, session_id, occurredMs(document), id];
}

/** One statement for all positions is three times as fast as one each. Columns: index of the position, document, id. */
function sessionSql(comparison: "<" | ">", direction: "ASC" | "DESC", condition: string): string {
  return `
    SELECT asked.key, found.doc, found.id FROM json_each(?) asked CROSS JOIN documents found ON found.doc IN (
      SELECT d.doc FROM documents d
      WHERE d.user_id IS asked.value ->> 0 AND d.session_id IS asked.value ->> 1
        AND (d.occurred_ms, d.id) ${comparison} (asked.value ->> 2, asked.value ->> 3) AND ${condition}
      ORDER BY d.occurred_ms ${direction}, d.id ${direction} LIMIT ?)
    ORDER BY asked.key, found.occurred_ms, found.id`;
}

/** The mentions table comes first, so that the query stops at its limit. */
function memberSql(condition: string): string {
  return `
    SELECT d.doc, d.id FROM mentions m CROSS JOIN documents d ON d.doc = m.doc
    WHERE m.entity = ? AND ${condition} ORDER BY m.doc LIMIT ?`;
}
