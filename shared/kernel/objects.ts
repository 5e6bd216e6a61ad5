/** Whether a JSON value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Dotted names of the values that differ between two settings of the same shape, such as `settings.max_iterations`. */
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
