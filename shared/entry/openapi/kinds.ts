import { ID_KINDS, type IdKind } from "../../kernel/ids.ts";

/** Kinds of resources by names that do not contain the kind itself. */
const OTHER_NAMES: Record<string, IdKind> = {
  memories: "memory",
  entities: "entity",
  dlq: "deadLetter",
  org: "organization",
  project: "organization",
  deliveries: "delivery",
  auth: "user",
  search: "memory",
  compatibility: "memory",
  compression: "memory",
  members: "agent",
};

/** The kind of resource that a schema, a field or a tag is named after: `api_keys` and `ApiKeyWithUse` are API keys. */
export function kindOf(name: string): IdKind | undefined {
  const letters = name.toLowerCase().replace(/[^a-z]/g, "");
  const named = Object.entries({ ...OTHER_NAMES, ...Object.fromEntries(ID_KINDS.map((kind) => [kind, kind])) });
  const found = named.filter(([each]) => letters.includes(each.toLowerCase()));
  return found.sort(([a], [b]) => b.length - a.length)[0]?.[1];
}

/** A table by single names; a key of rows may be several names with blanks between them. Throws if one occurs twice. */
export function byName<Value>(...tables: Readonly<Record<string, Value>>[]): Record<string, Value> {
  const entries = tables
    .flatMap((rows) => Object.entries(rows))
    .flatMap(([names, value]) => names.split(" ").map((name) => [name, value] as const));
  const table = Object.fromEntries(entries);
  if (Object.keys(table).length < entries.length) throw new Error("two rows have one name");
  return table;
}

/** The entry for the field of this owner, of this kind of resource, or of the name; the first that is acceptable. */
export function lookUp<Value>(
  table: Readonly<Record<string, Value>>,
  [owner, name]: [owner: string, name: string],
  kind: IdKind | undefined,
  isAcceptable: (value: Value) => boolean = () => true,
): Value | undefined {
  const keys = [`${owner}.${name}`, ...(kind ? [`${kind}.${name}`] : []), name];
  return keys.flatMap((key) => (Object.hasOwn(table, key) ? [table[key] as Value] : [])).find(isAcceptable);
}
