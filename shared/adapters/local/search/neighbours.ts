import { occurredMs } from "../../../kernel/event-time.ts";
import type { NeighbourRequest, Neighbours, SearchSource } from "../../../ports/search-index.ts";
import type { Database } from "../storage/sqlite.ts";
import type { CachedRows } from "./cached-rows.ts";
import { conditionOf } from "./scope.ts";
import type { Moment, Timelines } from "./timelines.ts";

type Position = NeighbourRequest["documents"][number];

/** What an index knows of the request's documents without a query. */
interface Known {
  sources: CachedRows<SearchSource>;
  timelines: Timelines;
  /** Whether a document is in the scope; undefined if only a query can tell. */
  passes: ((doc: number) => boolean) | undefined;
}

/** The neighbours of documents in time, and of entities by mention. */
export function findNeighbours(
  database: Database,
  { sources, timelines, passes }: Known,
  request: NeighbourRequest,
): Neighbours {
  const { documents, reach, entities, maxMembers } = request;
  const { text, values } = conditionOf(request);
  const found = new Set<number>();
  const idsOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ doc, id }) => {
      found.add(Number(doc));
      return String(id);
    });

  const inTime = new Map(documents.map(({ id }): [string, string[]] => [id, []]));
  const asked: Position[] = [];
  for (const document of documents) {
    const near = passes && nearestIn(timelines.of(sessionOf(document)), document, { reach, passes });
    if (near === undefined) asked.push(document);
    for (const { doc, id } of near ?? []) {
      found.add(doc);
      inTime.get(document.id)?.push(id);
    }
  }
  const positions = JSON.stringify(asked.map(positionOf));
  for (const sql of asked.length === 0 ? [] : [sessionSql("<", "DESC", text), sessionSql(">", "ASC", text)]) {
    for (const [index, doc, id] of database.tuples(sql, positions, ...values, reach)) {
      found.add(Number(doc));
      inTime.get(asked[Number(index)]?.id ?? "")?.push(String(id));
    }
  }

  const naming = database.prepare(memberSql(text));
  const members = entities.map((entity): [string, string[]] => {
    const rows = naming.all(entity, ...values, maxMembers + 1);
    return [entity, rows.length > maxMembers ? [] : idsOf(rows)];
  });
  return { documents: [...sources.read(found).values()], inTime, members: new Map(members) };
}

/** The nearest documents of the scope before and after one in its session; undefined if the session is too long. */
function nearestIn(
  moments: Moment[] | undefined,
  document: Position,
  { reach, passes }: { reach: number; passes: (doc: number) => boolean },
): Moment[] | undefined {
  if (moments === undefined) return undefined;
  const at = occurredMs(document);
  const isBefore = (moment: Moment) => moment.at < at || (moment.at === at && moment.id < document.id);
  const start = moments.findIndex((moment) => !isBefore(moment));
  const before: Moment[] = [];
  for (let index = (start < 0 ? moments.length : start) - 1; index >= 0 && before.length < reach; index--) {
    const moment = moments[index];
    if (moment !== undefined && passes(moment.doc)) before.unshift(moment);
  }
  const after: Moment[] = [];
  for (let index = start; index >= 0 && index < moments.length && after.length < reach; index++) {
    const moment = moments[index];
    if (moment !== undefined && moment.id !== document.id && passes(moment.doc)) after.push(moment);
  }
  return [...before, ...after];
}

function sessionOf({ user_id, session_id }: Position): [string | null, string | null] {
  return [user_id ?? null, session_id ?? null];
}

function positionOf(document: Position) {
  return [...sessionOf(document), occurredMs(document), document.id];
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
