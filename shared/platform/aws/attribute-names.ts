/**
 * DynamoDB refuses the empty name that JSON allows in nested objects. It is stored as one NUL, and to stay reversible
 * every name of NULs alone as one NUL more.
 */
const NULS_OR_NOTHING = /^\0*$/;
const NULS = /^\0+$/;

export function escapeNames<Value>(value: Value): Value {
  return renamed(value, (name) => (NULS_OR_NOTHING.test(name) ? `${name}\0` : name));
}

export function unescapeNames<Value>(value: Value): Value {
  return renamed(value, (name) => (NULS.test(name) ? name.slice(1) : name));
}

/** Copies plain JSON, of which a type names no attribute that is empty or of NULs: hence the same type. */
function renamed<Value>(value: Value, rename: (name: string) => string): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => renamed(member, rename)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), renamed(member, rename)]),
  ) as Value;
}
