import fc from "fast-check";
import { timestamp } from "../../shared/kernel/clock.ts";
import { occurredMs } from "../../shared/kernel/event-time.ts";
import type { Json } from "../../shared/ports/json.ts";
import type {
  SearchCondition,
  SearchDocument,
  SearchExpression,
  SearchFilters,
} from "../../shared/ports/search-index.ts";

export type SampleDocument = Pick<
  SearchDocument,
  "org" | "id" | "content" | "metadata" | "entity_ids" | "created_at" | "updated_at"
> &
  Partial<Pick<SearchDocument, "occurred_at" | "user_id" | "category" | "categories" | "type" | "labels">>;

const COUNT = 30;
/** UTC offsets of event times; other documents have only their creation time. */
const OFFSETS = ["+13:45", "-05:00", "Z"];
const USERS = ["ann", "bob", "ann-2", undefined];
const CATEGORIES = ["work", "home life", "work/travel"];
const TYPES = ["fact", "note"];
const ENTITIES = ["ent_1", "ent_2"];

/** Returns documents whose fields vary independently. All mention tea, so either kind of search finds all. */
export function sampleDocuments(org: string): SampleDocument[] {
  return Array.from({ length: COUNT }, (_, number) => {
    const day = new Date(Date.UTC(2024, 0, 1 + number)).toISOString();
    const user = USERS[number % USERS.length];
    return {
      org,
      ...(number % 3 === 2 ? {} : { occurred_at: occurredAt(number) }),
      id: `doc_${String(number).padStart(2, "0")}`,
      content: `tea number ${number}`,
      created_at: day,
      updated_at: day,
      category: CATEGORIES[number % CATEGORIES.length]!,
      ...(number % 5 === 1 ? { categories: [CATEGORIES[number % CATEGORIES.length]!, "Größe *?"] } : {}),
      type: TYPES[number % TYPES.length]!,
      ...(number % 4 === 3
        ? {}
        : { labels: { agent: `agent ${number % 2}`, ...(number % 3 === 0 && { app: "App" }) } }),
      ...(user === undefined ? {} : { user_id: user }),
      entity_ids: ENTITIES.filter((_, place) => number % (place + 2) === 0),
      metadata: {
        colour: number % 5 === 0 ? "red" : "blue",
        flag: number % 3 === 0,
        number: number % 7 === 0 ? "1" : number % 4,
        amount: (number - 15) * 2.5,
        tags: number % 2 === 0 ? ["a", "b"] : ["b", "c"],
        place: { city: number % 6 === 0 ? "Oslo" : "Rome" },
        people: [{ name: number % 4 === 0 ? "Bo" : "Cy" }, { name: "Di" }],
      },
    };
  });
}

/** Returns times before and after the creation, unordered, some of them the same instant in different offsets. */
function occurredAt(number: number): string {
  const day = String(10 + (number % 4)).padStart(2, "0");
  return `${number % 2 === 0 ? 2023 : 2025}-06-${day}T23:30:00.000${OFFSETS[number % OFFSETS.length]}`;
}

/** Filters with values that occur in the samples and with some that do not. */
export function filtersOf(samples: SampleDocument[]): fc.Arbitrary<SearchFilters> {
  const some = (values: string[]) => fc.subarray([...values, "nowhere"], { maxLength: 3 });
  const date = fc.constantFrom(...samples.map(({ created_at }) => created_at));
  const moment = fc.constantFrom(...samples.map((sample) => timestamp(occurredMs(sample))));
  const metadata = fc.constantFrom<NonNullable<SearchFilters["metadata"]>>(
    { colour: "red" },
    { flag: true },
    { number: 1 },
    { number: "1" },
    { tags: "c" },
    { "place.city": "Rome" },
    { "people.name": "Bo" },
    { colour: "blue", tags: "a" },
  );
  const fields = {
    ids: fc.subarray(samples.map(({ id }) => id)),
    entity_ids: some(ENTITIES),
    user_id: some(["ann", "bob", "ann-2"]),
    category: some(CATEGORIES),
    type: some(TYPES),
    created_after: date,
    created_before: date,
    occurred_after: moment,
    occurred_before: moment,
    metadata,
    where: expressions,
  } satisfies Record<keyof SearchFilters, fc.Arbitrary<unknown>>;
  return fc.record(fields, { requiredKeys: [] });
}

/** One condition of each kind on fields, labels, lists and metadata, with values that occur and some that do not. */
export const CONDITIONS: SearchCondition[] = [
  { path: "id", equals: ["doc_03", "doc_99"] },
  { path: "user_id", equals: ["ann"] },
  { path: "user_id", present: true },
  { path: "user_id", contains: "nn-" },
  { path: "agent_id", equals: ["agent 1"] },
  { path: "app_id", present: true },
  { path: "app_id", contains: "aPP", anyCase: true },
  { path: "app_id", contains: "aPP" },
  { path: "run_id", present: true },
  { path: "category", equals: ["work", "home life"] },
  { path: "categories", contains: "GRÖSSE", anyCase: true },
  { path: "categories", contains: "größe", anyCase: true },
  { path: "categories", contains: "e *?" },
  { path: "categories", contains: "e ?*" },
  { path: "categories", equals: ["Größe *?", "work"] },
  { path: "type", lessThan: "note" },
  { path: "created_at", atLeast: "2024-01-10T00:00:00.000Z", lessThan: "2024-01-12T00:00:00.000Z" },
  { path: "updated_at", greaterThan: "2024-01-10T00:00:00.000Z" },
  { path: "occurred_at", atMost: "2023-12-31T00:00:00.000Z" },
  { path: "occurred_at", atLeast: "2024-01-01T00:00:00.000Z", lessThan: "2024-02-01T00:00:00.000Z" },
  { path: "occurred_at", equals: ["2024-01-03T00:00:00.000Z"] },
  { path: "expire_at", present: true },
  { path: "metadata.colour", equals: ["red"] },
  { path: "metadata.colour", contains: "" },
  { path: "metadata.colour", atMost: "blue" },
  { path: "metadata.amount", greaterThan: -5 },
  { path: "metadata.amount", atLeast: 0, atMost: 0 },
  { path: "metadata.amount", lessThan: -2.5 },
  { path: "metadata.amount", greaterThan: "0" },
  { path: "metadata.number", atLeast: 1 },
  { path: "metadata.number", atLeast: "1" },
  { path: "metadata.number", equals: [1] },
  { path: "metadata.flag", equals: [true] },
  { path: "metadata.tags", equals: ["c"] },
  { path: "metadata.tags", greaterThan: "b" },
  { path: "metadata.place.city", contains: "SL", anyCase: true },
  { path: "metadata.people.name", equals: ["Bo"] },
  { path: "metadata.place", present: true },
  { path: "metadata.absent", present: true },
];

const expressions: fc.Arbitrary<SearchExpression> = fc.letrec<{ expression: SearchExpression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...CONDITIONS),
    fc.record({ all: fc.array(tie("expression"), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie("expression"), { maxLength: 3 }) }),
    fc.record({ not: tie("expression") }),
  ),
})).expression;

function meets(expression: SearchExpression, document: SampleDocument): boolean {
  if ("all" in expression) return expression.all.every((part) => meets(part, document));
  if ("any" in expression) return expression.any.some((part) => meets(part, document));
  if ("not" in expression) return !meets(expression.not, document);
  return valuesOf(document, expression.path).some((value) => passes(expression, value));
}

function valuesOf(document: SampleDocument, path: string): Json[] {
  const { labels = {}, categories = document.category === undefined ? [] : [document.category] } = document;
  const occurred_at = timestamp(occurredMs(document));
  const view = { ...document, occurred_at, categories, agent_id: labels.agent, app_id: labels.app, run_id: labels.run };
  const found = valuesAt(view as unknown as Json, path.split("."));
  return found.filter((value) => value !== null && typeof value !== "object");
}

function passes(condition: SearchCondition, value: Json): boolean {
  if ("equals" in condition) return condition.equals.some((wanted) => wanted === value);
  if ("present" in condition) return true;
  if ("contains" in condition) {
    if (typeof value !== "string") return false;
    const { contains, anyCase } = condition;
    return anyCase ? value.toLowerCase().includes(contains.toLowerCase()) : value.includes(contains);
  }
  const { atLeast, greaterThan, atMost, lessThan } = condition;
  const compares = (bound: string | number | undefined, holds: (order: number) => boolean) =>
    bound === undefined || (typeof bound === typeof value && holds(orderOf(value as string | number, bound)));
  return (
    compares(atLeast, (order) => order >= 0) &&
    compares(greaterThan, (order) => order > 0) &&
    compares(atMost, (order) => order <= 0) &&
    compares(lessThan, (order) => order < 0)
  );
}

function orderOf(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
}

/** A simple reference implementation of the filters. */
export function matches(filters: SearchFilters, document: SampleDocument): boolean {
  const among = (values: string[] | undefined, value: string | undefined) =>
    values === undefined || (value !== undefined && values.includes(value));
  return (
    among(filters.ids, document.id) &&
    (filters.entity_ids === undefined || filters.entity_ids.some((entity) => document.entity_ids.includes(entity))) &&
    among(filters.user_id, document.user_id) &&
    among(filters.category, document.category) &&
    among(filters.type, document.type) &&
    (filters.created_after === undefined || document.created_at >= filters.created_after) &&
    (filters.created_before === undefined || document.created_at <= filters.created_before) &&
    (filters.occurred_after === undefined || occurredMs(document) >= Date.parse(filters.occurred_after)) &&
    (filters.occurred_before === undefined || occurredMs(document) <= Date.parse(filters.occurred_before)) &&
    Object.entries(filters.metadata ?? {}).every(([path, value]) =>
      valuesAt(document.metadata, path.split(".")).includes(value),
    ) &&
    (filters.where === undefined || meets(filters.where, document))
  );
}

function valuesAt(value: Json, path: string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((member) => valuesAt(member, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (value === null || typeof value !== "object") return [];
  const member = value[name];
  return member === undefined ? [] : valuesAt(member, rest);
}
