import { type FieldProblem, ServiceError } from "../../../kernel/errors.ts";
import type { Scalar } from "../../../ports/json.ts";
import type { SearchCondition, SearchExpression, SearchFilters } from "../../../ports/search-index.ts";

/** Limits of one request: each condition is a clause of the engines' queries, which are limited. */
const MAX_CONDITIONS = 100;
const MAX_DEPTH = 10;
const MAX_VALUES = 500;
const MAX_TEXT_LENGTH = 1000;

type Kind = "text" | "date" | "metadata";

/** Filters by name with the document path of each. */
const FIELDS: ReadonlyMap<string, { path: string; kind: Kind }> = new Map([
  ["id", { path: "id", kind: "text" }],
  ["memory_ids", { path: "id", kind: "text" }],
  ["user_id", { path: "user_id", kind: "text" }],
  ["agent_id", { path: "agent_id", kind: "text" }],
  ["app_id", { path: "app_id", kind: "text" }],
  ["run_id", { path: "run_id", kind: "text" }],
  ["category", { path: "categories", kind: "text" }],
  ["categories", { path: "categories", kind: "text" }],
  ["type", { path: "type", kind: "text" }],
  // mem0 clients call the event time the creation time.
  ["created_at", { path: "occurred_at", kind: "date" }],
  ["timestamp", { path: "occurred_at", kind: "date" }],
  ["occurred_at", { path: "occurred_at", kind: "date" }],
  ["updated_at", { path: "updated_at", kind: "date" }],
  ["expiration_date", { path: "expire_at", kind: "date" }],
  ["metadata", { path: "metadata", kind: "metadata" }],
]);

/** Whether a name, in snake_case, is a filter. */
export function isFilter(name: string): boolean {
  return FIELDS.has(name);
}

const OPERATORS = ["eq", "ne", "in", "gt", "gte", "lt", "lte", "contains", "icontains"] as const;
type Operator = (typeof OPERATORS)[number];
/** Matches any value. */
export const ANY = "*";

/** The field of a condition, and its position in the request. */
interface Subject {
  path: string;
  kind: Exclude<Kind, "metadata">;
  position: string[];
}

/**
 * Parses filters of the compatibility interface: an object of fields and `AND`, `OR`, `NOT`, which must all hold; `NOT`
 * of several means that none holds. A value means equality, a list any of its values, `"*"` any value, null no value,
 * an object one or more operators. Names may be in either casing. Throws INVALID_FILTERS that names unknown parts.
 */
export function readFilters(filters: unknown, position = "filters"): SearchExpression {
  if (filters === undefined || filters === null) return { all: [] };
  const reader = new FilterReader();
  return reader.readGroup(filters, [position]);
}

/** Whether an object tests a value by operators: `{gt: 9}`. */
export function isTest(value: object): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => OPERATORS.some((known) => known === name));
}

/** Parses tests of metadata by dotted path. Throws INVALID_FILTERS. */
export function readTests(tests: [path: string, test: object][]): SearchExpression {
  const reader = new FilterReader();
  return allOf(tests.map(([path, test]) => reader.readMetadata(path, test, ["filters", "metadata", path])));
}

/** Names under which a memory is stored and found. */
export interface Names {
  user_id?: string | null | undefined;
  agent_id?: string | null | undefined;
  app_id?: string | null | undefined;
  run_id?: string | null | undefined;
}

/** Selects memories with all these names; `*` is any name. */
export function about({ user_id, agent_id, app_id, run_id }: Names): SearchExpression {
  const entries = Object.entries({ user_id, agent_id, app_id, run_id });
  return {
    all: entries.flatMap(([path, value]): SearchExpression[] => {
      if (value === undefined || value === null) return [];
      return [value === ANY ? { path, present: true } : { path, equals: [value] }];
    }),
  };
}

const SCOPES: ReadonlySet<string> = new Set(["user_id", "agent_id", "app_id", "run_id"]);

/** Whether an expression restricts all results to given users, agents, apps or runs, or requires any of them (`*`). */
export function namesScope(expression: SearchExpression): boolean {
  if ("all" in expression) return expression.all.some(namesScope);
  if ("any" in expression) return expression.any.length > 0 && expression.any.every(namesScope);
  return "path" in expression && SCOPES.has(expression.path);
}

/** The conjunction of the expressions, with conditions that record lists support separated. */
export function narrow(...expressions: SearchExpression[]): SearchFilters {
  const parts = allOf(expressions).all;
  const user = parts.find(isOfUsers);
  const rest = parts.filter((part) => part !== user);
  return { ...(user && { user_id: user.equals }), ...(rest.length > 0 && { where: { all: rest } }) };
}

/** The conjunction of expressions, with nested conjunctions flattened. */
export function allOf(expressions: SearchExpression[]): { all: SearchExpression[] } {
  return { all: expressions.flatMap((part) => ("all" in part ? allOf(part.all).all : [part])) };
}

function isOfUsers(part: SearchExpression): part is { path: string; equals: string[] } {
  if (!("path" in part) || part.path !== "user_id" || !("equals" in part)) return false;
  return part.equals.every((value) => typeof value === "string");
}

class FilterReader {
  #conditions = 0;

  readGroup(group: unknown, position: string[]): SearchExpression {
    if (position.length > MAX_DEPTH * 2) throw problem(position, `at most ${MAX_DEPTH} levels deep`);
    const members = entriesOf(group, position);
    return allOf(members.map(([name, value]) => this.#readMember(name, value, [...position, name])));
  }

  #readMember(name: string, value: unknown, position: string[]): SearchExpression {
    if (name === "AND") return allOf(this.#readList(value, position));
    if (name === "OR") return { any: this.#readList(value, position) };
    if (name === "NOT") return { not: { any: this.#readList(value, position) } };
    const field = FIELDS.get(name) ?? FIELDS.get(toSnakeCase(name));
    if (!field) throw problem(position, `is no filter; use AND, OR, NOT or one of ${[...FIELDS.keys()].join(", ")}`);
    const { path, kind } = field;
    if (kind !== "metadata") return this.#readValue({ path, kind, position }, value);
    const values = entriesOf(value, position);
    return allOf(values.map(([key, wanted]) => this.readMetadata(key, wanted, [...position, key])));
  }

  readMetadata(key: string, wanted: unknown, position: string[]): SearchExpression {
    return this.#readValue({ path: `metadata.${key}`, kind: "text", position }, wanted);
  }

  #readList(value: unknown, position: string[]): SearchExpression[] {
    const groups = Array.isArray(value) ? value : [value];
    return groups.map((group, index) => this.readGroup(group, [...position, String(index)]));
  }

  #readValue(subject: Subject, value: unknown): SearchExpression {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const operations = entriesOf(value, subject.position);
      if (operations.length === 0) throw problem(subject.position, `name an operator: ${OPERATORS.join(", ")}`);
      return allOf(
        operations.map(([name, operand]) => {
          const position = [...subject.position, name];
          return this.#readOperation({ ...subject, position }, toOperator(name, position), operand);
        }),
      );
    }
    return this.#readOperation(subject, Array.isArray(value) ? "in" : "eq", value);
  }

  #readOperation(subject: Subject, operator: Operator, operand: unknown): SearchExpression {
    this.#conditions += 1;
    if (this.#conditions > MAX_CONDITIONS) throw problem(subject.position, `at most ${MAX_CONDITIONS} conditions`);
    if (operator === "ne") return { not: this.#readOperation(subject, "eq", operand) };
    if (operator === "eq") return equality(subject, operand);
    if (operator === "in") return membership(subject, operand);
    if (operator === "contains" || operator === "icontains") return containment(subject, operator, operand);
    return comparison(subject, operator, operand);
  }
}

function equality(subject: Subject, operand: unknown): SearchExpression {
  const { path } = subject;
  if (operand === ANY) return { path, present: true };
  if (operand === null) return { not: { path, present: true } };
  if (subject.kind === "text") return { path, equals: [scalar(subject, operand)] };
  const { start, end } = readDate(subject, operand);
  return { path, atLeast: start, atMost: end };
}

function membership(subject: Subject, operand: unknown): SearchExpression {
  const { path, position, kind } = subject;
  if (!Array.isArray(operand) || operand.length === 0 || operand.length > MAX_VALUES) {
    throw problem(position, `takes a list of 1 to ${MAX_VALUES} values`);
  }
  if (kind === "text") return { path, equals: operand.map((value) => scalar(subject, value)) };
  return { any: operand.map((value) => equality(subject, value)) };
}

function containment({ path, kind, position }: Subject, operator: Operator, operand: unknown): SearchExpression {
  if (kind === "date") throw problem(position, "dates cannot be searched; compare them by eq, gt, gte, lt or lte");
  if (typeof operand !== "string" || operand === "" || operand.length > MAX_TEXT_LENGTH) {
    throw problem(position, `takes a text of 1 to ${MAX_TEXT_LENGTH} characters`);
  }
  return { path, contains: operand.toWellFormed(), ...(operator === "icontains" && { anyCase: true as const }) };
}

/** A day means the whole day: `gt` starts after it, `lte` ends with it. */
function comparison(subject: Subject, operator: Operator, operand: unknown): SearchCondition {
  const { path, kind, position } = subject;
  const { start, end } = kind === "date" ? readDate(subject, operand) : { start: operand, end: operand };
  const isComparable = [start, end].every((bound) => typeof bound === "string" || typeof bound === "number");
  if (!isComparable) throw problem(position, "takes a number or a text");
  const [low, high] = [start, end] as (string | number)[];
  if (operator === "gt") return { path, greaterThan: high };
  if (operator === "gte") return { path, atLeast: low };
  return operator === "lt" ? { path, lessThan: low } : { path, atMost: high };
}

function scalar({ position }: Subject, value: unknown): Scalar {
  if (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) return value.toWellFormed();
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw problem(position, `must be a number, true, false or a text of at most ${MAX_TEXT_LENGTH} characters`);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** First and last moment of a date: a day or an instant, in UTC by default. Numbers are epoch seconds. */
function readDate({ position }: Subject, value: unknown): { start: string; end: string } {
  const text = typeof value === "string" && WITHOUT_ZONE.test(value) ? `${value}Z` : value;
  const date =
    typeof text === "number" ? new Date(text * 1000) : new Date(typeof text === "string" ? text : Number.NaN);
  if (Number.isNaN(date.getTime()))
    throw problem(position, "use ISO 8601, such as 2026-01-31T12:00:00Z, or epoch seconds");
  const start = date.toISOString();
  const isDay = typeof value === "string" && DAY.test(value);
  return { start, end: isDay ? `${value}T23:59:59.999Z` : start };
}

function toOperator(name: string, position: string[]): Operator {
  const operator = OPERATORS.find((known) => known === name);
  if (operator) return operator;
  throw problem(
    position,
    `is no operator; use one of ${OPERATORS.join(", ")}, and dots for what is nested in metadata`,
  );
}

function entriesOf(value: unknown, position: string[]): [string, unknown][] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw problem(position, "must be an object");
}

/** Clients send names in either casing. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function problem(position: string[], message: string): ServiceError {
  const field: FieldProblem = { field: position.join("."), problem: message };
  return new ServiceError("INVALID_FILTERS", `The filters are not valid. ${field.field}: ${message}`, {
    fields: [field],
  });
}
