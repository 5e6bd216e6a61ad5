/** Whether a JSON value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value has more than `most` members at all depths; counts no further. */
export function hasMoreMembers(value: unknown, most: number): boolean {
  const pending = [value];
  let left = most;
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isNested(next)) continue;
    for (const name in next) {
      if (left-- === 0) return true;
      pending.push(next[name]);
    }
  }
  return false;
}

/** Returns an object with these fields of another one. */
export function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Value, Name>;
}

/** Freezes a JSON value at all depths, so that its readers can share it. */
export function deepFrozen<Value>(value: Value): Value {
  if (isNested(value)) {
    for (const name in value) deepFrozen(value[name]);
    Object.freeze(value);
  }
  return value;
}

/** Returns the value of a JSON text; undefined for invalid JSON, because the parser's message would quote the text. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Applies a JSON Merge Patch (RFC 7396): objects merge member by member, null removes a member, others replace it. */
export function mergePatch<Target extends object>(target: Target, patch: object): Target {
  const merged = new Map<string, unknown>(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const known = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(isObject(known) ? known : {}, value) : value);
  }
  // Object.fromEntries creates own properties even for names such as `__proto__`.
  return Object.fromEntries(merged) as Target;
}

/** Returns the dotted names of values that differ between two settings, such as `settings.max_iterations`. */
export function changedNames(before: unknown, after: unknown, name = ""): string[] {
  if (!isNested(before) || !isNested(after)) return Object.is(before, after) ? [] : [name];
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].flatMap((member) =>
    changedNames(before[member], after[member], name === "" ? member : `${name}.${member}`),
  );
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
