import fc from "fast-check";
import type { Json, SearchDocument, SearchFilters } from "../../shared/platform/ports.ts";

export type SampleDocument = Pick<
  SearchDocument,
  "org" | "id" | "content" | "metadata" | "entity_ids" | "created_at" | "updated_at"
> &
  Partial<Pick<SearchDocument, "user_id" | "category" | "type">>;

const COUNT = 30;
const USERS = ["ann", "bob", "ann-2", undefined];
const CATEGORIES = ["work", "home life", "work/travel"];
const TYPES = ["fact", "note"];
const ENTITIES = ["ent_1", "ent_2"];

/** Documents whose fields vary independently; all speak of tea, so all are hits of either query. */
export function sampleDocuments(org: string): SampleDocument[] {
  return Array.from({ length: COUNT }, (_, number) => {
    const day = new Date(Date.UTC(2024, 0, 1 + number)).toISOString();
    const user = USERS[number % USERS.length];
    return {
      org,
      id: `doc_${String(number).padStart(2, "0")}`,
      content: `tea number ${number}`,
      created_at: day,
      updated_at: day,
      category: CATEGORIES[number % CATEGORIES.length]!,
      type: TYPES[number % TYPES.length]!,
      ...(user === undefined ? {} : { user_id: user }),
      entity_ids: ENTITIES.filter((_, place) => number % (place + 2) === 0),
      metadata: {
        colour: number % 5 === 0 ? "red" : "blue",
        flag: number % 3 === 0,
        number: number % 7 === 0 ? "1" : number % 4,
        tags: number % 2 === 0 ? ["a", "b"] : ["b", "c"],
        place: { city: number % 6 === 0 ? "Oslo" : "Rome" },
        people: [{ name: number % 4 === 0 ? "Bo" : "Cy" }, { name: "Di" }],
      },
    };
  });
}

/** Filters made of values that occur in the samples and of some that do not. */
export function filtersOf(samples: SampleDocument[]): fc.Arbitrary<SearchFilters> {
  const some = (values: string[]) => fc.subarray([...values, "nowhere"], { maxLength: 3 });
  const date = fc.constantFrom(...samples.map(({ created_at }) => created_at));
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
    metadata,
  };
  return fc.record(fields, { requiredKeys: [] });
}

/** What the filters mean, told plainly. */
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
    Object.entries(filters.metadata ?? {}).every(([path, value]) =>
      valuesAt(document.metadata, path.split(".")).includes(value),
    )
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
