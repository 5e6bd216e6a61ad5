import type { SQLInputValue } from "node:sqlite";
import type { Json } from "../../ports/json.ts";
import type { AttributeTest, AttributeTests } from "../../ports/record-store.ts";
import { joined, type Sql } from "./storage/sqlite.ts";

/**
 * The form of an attribute in its own column: strings and numbers unchanged, an absent attribute as NULL, anything else
 * as a BLOB of its JSON, which SQLite never treats as equal to a string or number.
 */
export function toColumn(value: Json | undefined): SQLInputValue {
  if (value === undefined) return null;
  return typeof value === "string" || typeof value === "number" ? value : Buffer.from(JSON.stringify(value));
}

/** The attribute value of a column written by `toColumn`. */
export function fromColumn(column: unknown): Json | undefined {
  if (column === null) return undefined;
  return column instanceof Uint8Array ? (JSON.parse(Buffer.from(column).toString()) as Json) : (column as Json);
}

/** An SQL expression for an attribute of the JSON object in `column`, in the form of `toColumn`. */
export function attributeOf(column: string, attribute: string): string {
  if (/["\\]/.test(attribute)) throw new TypeError(`cannot test the attribute ${JSON.stringify(attribute)}`);
  const path = `'$."${attribute.replaceAll("'", "''")}"'`;
  return `CASE WHEN json_type(${column}, ${path}) IN ('text', 'integer', 'real')
    THEN json_extract(${column}, ${path}) ELSE CAST(${column} -> ${path} AS BLOB) END`;
}

/** The tests as one SQL condition; `expressionOf` gives an attribute's expression. Throws on an empty object. */
export function compileTests(tests: AttributeTests, expressionOf: (attribute: string) => string): Sql {
  const compiled = Object.entries(tests).map(([attribute, test]) => compileTest(expressionOf(attribute), test));
  if (compiled.length === 0) throw new TypeError("a condition needs at least one attribute test");
  return joined(compiled, " AND ");
}

function compileTest(subject: string, test: AttributeTest): Sql {
  if (typeof test !== "object") return { text: `${subject} = ?`, values: [toColumn(test)] };
  if ("oneOf" in test) {
    return { text: `${subject} IN (${test.oneOf.map(() => "?").join()})`, values: test.oneOf.map(toColumn) };
  }
  if ("containsAny" in test) return compileContains(subject, test.containsAny);
  if ("not" in test) return { text: `${subject} IS NOT ?`, values: [toColumn(test.not)] };
  if ("absent" in test) return { text: `${subject} ${test.absent ? "IS NULL" : "IS NOT NULL"}`, values: [] };
  const bounds = joined(
    [
      ...compileBound(subject, "<", test.lessThan),
      ...compileBound(subject, "<=", test.atMost),
      ...compileBound(subject, ">", test.greaterThan),
      ...compileBound(subject, ">=", test.atLeast),
    ],
    " AND ",
  );
  if (bounds.text === "") throw new TypeError("an ordering test needs at least one bound");
  return test.orAbsent ? { text: `(${subject} IS NULL OR (${bounds.text}))`, values: bounds.values } : bounds;
}

function compileContains(subject: string, values: string[]): Sql {
  const parts = values.map((): string => `instr(${subject}, ?) > 0`).join(" OR ") || "FALSE";
  const json = `CAST(${subject} AS TEXT)`;
  const members = `SELECT value FROM json_each(${json}) WHERE json_type(${json}) = 'array' AND type = 'text'`;
  return {
    text: `CASE typeof(${subject}) WHEN 'text' THEN ${parts}
      WHEN 'blob' THEN EXISTS (${members} INTERSECT SELECT value FROM json_each(?)) ELSE FALSE END`,
    values: [...values, JSON.stringify(values)],
  };
}

/** SQLite orders every number before every string, so a bound must also require the subject's type. */
function compileBound(subject: string, operator: string, bound: string | number | undefined): Sql[] {
  if (bound === undefined) return [];
  const types = typeof bound === "string" ? "'text'" : "'integer', 'real'";
  return [{ text: `typeof(${subject}) IN (${types}) AND ${subject} ${operator} ?`, values: [bound] }];
}
