import { fromCursor, toCursor } from "../../ports/cursor.ts";
import { FACETS } from "../../ports/facets.ts";
import type { AttributeTests, IndexName, RecordPosition, RecordQuery } from "../../ports/record-store.ts";
import { attributeOf, compileTests } from "./attribute-tests.ts";
import { joined, type Sql } from "./storage/sqlite.ts";

type Access = IndexName | "records";

/** Columns that order records: `partition`, then `order`, which is unique within the partition. */
interface AccessPath {
  sqlIndex: string;
  partition: string;
  order: [sort: string, ...ties: string[]];
}

const ACCESS_PATHS: Record<Access, AccessPath> = {
  records: { sqlIndex: "records_key", partition: "pk", order: ["sk"] },
  gsi1: { sqlIndex: "records_gsi1", partition: "gsi1pk", order: ["gsi1sk", "pk", "sk"] },
  gsi2: { sqlIndex: "records_gsi2", partition: "gsi2pk", order: ["gsi2sk", "pk", "sk"] },
  gsi3: { sqlIndex: "records_gsi3", partition: "gsi3pk", order: ["gsi3sk", "pk", "sk"] },
};

/** The attributes of gsi3: its own keys, the record's, and the facets. */
export const NARROW_COLUMNS: readonly string[] = ["pk", "sk", "gsi3pk", "gsi3sk", ...FACETS];

/** Attributes with their own column, so that tests need not parse the item. */
export const COLUMNS: readonly string[] = [
  ...["pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "gsi3pk", "gsi3sk"],
  ...FACETS,
  "ttl",
];

/** True for rows that have not expired by the placeholder's value, in epoch seconds. */
export const LIVE = "(ttl IS NULL OR ttl > ?)";

/** The rows of a query: FROM and WHERE. `now` is in epoch seconds. */
export function compileSelection(query: Omit<RecordQuery, "limit">, now: number): Sql {
  const path = pathOf(query);
  const conditions: Sql[] = [
    { text: `${path.partition} = ? AND ${path.order[0]} IS NOT NULL`, values: [query.pk] },
    { text: LIVE, values: [now] },
    ...compileRange(query, path),
  ];
  if (query.where !== undefined) conditions.push(compileWhere(query.where, query.index));
  const { text, values } = joined(conditions, " AND ");
  return { text: `FROM records INDEXED BY ${path.sqlIndex} WHERE ${text}`, values };
}

export function orderOf(query: Pick<RecordQuery, "index" | "descending">): string {
  const direction = query.descending ? "DESC" : "ASC";
  return pathOf(query)
    .order.map((column) => `${column} ${direction}`)
    .join(", ");
}

/** An opaque cursor at a row. */
export function cursorAt(query: Pick<RecordQuery, "index">, row: Record<string, unknown>): string {
  return toCursor(pathOf(query).order.map((column) => row[column]));
}

/** An opaque cursor after an item with these keys. */
export function cursorAfter(query: Pick<RecordQuery, "index">, { sort, ...key }: RecordPosition): string {
  const [column] = pathOf(query).order;
  return cursorAt(query, { ...key, [column]: sort });
}

/** Tests of a record's attributes as SQL over the table's columns. */
export function compileWhere(tests: AttributeTests, index?: IndexName): Sql {
  return compileTests(tests, (attribute) => {
    if (index === "gsi3") return NARROW_COLUMNS.includes(attribute) ? attribute : "NULL";
    return COLUMNS.includes(attribute) ? attribute : attributeOf("item", attribute);
  });
}

function pathOf({ index }: Pick<RecordQuery, "index">): AccessPath {
  return ACCESS_PATHS[index ?? "records"];
}

/**
 * The bounds of the sort key. A cursor replaces the bound that it has passed: with both, SQLite might use the weaker
 * one and read every earlier page again.
 */
function compileRange(query: Omit<RecordQuery, "limit">, path: AccessPath): Sql[] {
  const [sort] = path.order;
  const { lower, upper } = boundsOf(query.sk);
  const cursor = query.after === undefined ? undefined : positionOf(query.after, path);
  const isPast = (bound: Buffer | undefined, sign: 1 | -1) =>
    cursor !== undefined && (bound === undefined || sign * Buffer.compare(Buffer.from(cursor[0]), bound) >= 0);
  const range: Sql[] = [];
  const replacesLower = !query.descending && isPast(lower, 1);
  const replacesUpper = query.descending === true && isPast(upper?.bytes, -1);
  if (lower !== undefined && !replacesLower) range.push({ text: `${sort} >= CAST(? AS TEXT)`, values: [lower] });
  if (upper !== undefined && !replacesUpper) {
    range.push({ text: `${sort} ${upper.operator} CAST(? AS TEXT)`, values: [upper.bytes] });
  }
  if (cursor !== undefined) {
    const placeholders = cursor.map(() => "?").join();
    const operator = query.descending ? "<" : ">";
    range.push({ text: `(${path.order.join()}) ${operator} (${placeholders})`, values: cursor });
  }
  return range;
}

interface Bounds {
  lower?: Buffer;
  upper?: { operator: "<" | "<="; bytes: Buffer };
}

/** Bounds in bytes, because the successor of a prefix need not be valid text. */
function boundsOf(sk: RecordQuery["sk"]): Bounds {
  if (sk === undefined) return {};
  if (!("beginsWith" in sk)) {
    return {
      lower: sk.atLeast === undefined ? undefined : Buffer.from(sk.atLeast),
      upper: sk.atMost === undefined ? undefined : { operator: "<=", bytes: Buffer.from(sk.atMost) },
    };
  }
  if (sk.beginsWith === "") return {};
  const lower = Buffer.from(sk.beginsWith);
  const bytes = Buffer.from(lower);
  // The last byte of UTF-8 text is at most 0xBF, so incrementing it never overflows.
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + 1;
  return { lower, upper: { operator: "<", bytes } };
}

function positionOf(cursor: string, path: AccessPath): [string, ...string[]] {
  const position = fromCursor(cursor);
  if (!isPosition(position, path.order.length)) throw new RangeError("the cursor is not one of this query's");
  return position;
}

function isPosition(value: unknown, length: number): value is [string, ...string[]] {
  return Array.isArray(value) && value.length === length && value.every((part) => typeof part === "string");
}
