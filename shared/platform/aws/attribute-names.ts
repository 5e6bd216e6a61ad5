/**
 * Names that JSON allows in nested objects and DynamoDB or its SDK does not: the empty one is refused, `constructor` makes
 * the SDK take the object for an instance of a class, `__proto__` is lost. They are stored with a NUL at their end, and to
 * stay reversible each such name that ends in NULs with one NUL more.
 */
const UNFIT = /^(?:|__proto__|constructor)\0*$/;
const ESCAPED = /^(?:|__proto__|constructor)\0+$/;

/** On an item that a home was restored with, until it is written anew; the store's own, like the escapes. */
export const RESTORED_MARK = "~restored";

/** The version of an item's form; absent on items of releases that numbered nothing. The store's own as well. */
export const FORMAT_MARK = "~format";

/** An item of the table as the record that was stored. */
export function fromTable<Item extends object>(item: Item): Item {
  type Marked = Item & { [RESTORED_MARK]?: unknown; [FORMAT_MARK]?: unknown };
  const { [RESTORED_MARK]: _restored, [FORMAT_MARK]: _format, ...record } = unescapeNames(item) as Marked;
  return record as unknown as Item;
}

export function escapeNames<Value>(value: Value): Value {
  return renamed(value, (name) => (UNFIT.test(name) ? `${name}\0` : name));
}

export function unescapeNames<Value>(value: Value): Value {
  return renamed(value, (name) => (ESCAPED.test(name) ? name.slice(0, -1) : name));
}

/** Copies plain JSON, of which a type names no attribute that is unfit: hence the same type. */
function renamed<Value>(value: Value, rename: (name: string) => string): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => renamed(member, rename)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), renamed(member, rename)]),
  ) as Value;
}
