/**
 * Names that JSON allows in nested objects but DynamoDB or its SDK does not: the empty name is refused, `constructor`
 * makes the SDK treat the object as a class instance, `__proto__` is lost. They are stored with a trailing NUL; to stay
 * reversible, such names that already end in NULs get one more.
 */
const RESERVED = /^(?:|__proto__|constructor)\0*$/;
const ESCAPED = /^(?:|__proto__|constructor)\0+$/;

/** Marks an item that a restore wrote, until the next write; internal to the store, like the escapes. */
export const RESTORED_MARK = "~restored";

/** The version of an item's form; absent on items of releases without versions. Internal to the store. */
export const FORMAT_MARK = "~format";

/** The record of a table item: with its original attribute names and without the marks. */
export function fromTable<Item extends object>(item: Item): Item {
  type Marked = Item & { [RESTORED_MARK]?: unknown; [FORMAT_MARK]?: unknown };
  const { [RESTORED_MARK]: _restored, [FORMAT_MARK]: _format, ...record } = unescapeNames(item) as Marked;
  return record as unknown as Item;
}

export function escapeNames<Value>(value: Value): Value {
  return renamed(value, (name) => (RESERVED.test(name) ? `${name}\0` : name));
}

export function unescapeNames<Value>(value: Value): Value {
  return renamed(value, (name) => (ESCAPED.test(name) ? name.slice(0, -1) : name));
}

/** Copies plain JSON with renamed keys; no type declares any of the escaped names, so the type stays the same. */
function renamed<Value>(value: Value, rename: (name: string) => string): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => renamed(member, rename)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), renamed(member, rename)]),
  ) as Value;
}
