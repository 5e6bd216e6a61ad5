/** Dotted names of the values that differ between two settings of the same shape, such as `settings.max_iterations`. */
export function changedNames(before: unknown, after: unknown, name = ""): string[] {
  if (!isObject(before) || !isObject(after)) return Object.is(before, after) ? [] : [name];
  const members = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...members].flatMap((member) =>
    changedNames(before[member], after[member], name === "" ? member : `${name}.${member}`),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
