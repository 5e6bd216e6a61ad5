/** Maximum length of compared names, and maximum number of known names, which limit the cost. */
const MAX_NAME_LENGTH = 64;
const MAX_KNOWN = 100;
/** Maximum share of the longer name that may differ. */
const MAX_DIFFERENCE = 0.4;

/**
 * Returns the known name that `name` most likely means, or undefined. Ignores case and separators; two names are close
 * if one starts or ends with the other, such as `user` and `user_id`. Known names may be paths: the last part counts.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const wanted = normalized(name);
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known.slice(0, MAX_KNOWN)) {
    const distance = distanceBetween(wanted, normalized(candidate.slice(candidate.lastIndexOf(".") + 1)));
    if (distance !== undefined && (best === undefined || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best?.name;
}

function normalized(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Returns the edit distance between two names; undefined if they are not close. */
function distanceBetween(a: string, b: string): number | undefined {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (shorter.length === 0) return undefined;
  const isPart = shorter.length > 1 && (longer.startsWith(shorter) || longer.endsWith(shorter));
  if (isPart) return longer.length - shorter.length;
  const max = Math.max(1, Math.floor(longer.length * MAX_DIFFERENCE));
  if (longer.length - shorter.length > max) return undefined;
  const distance = editDistance(shorter, longer);
  return distance <= max && distance < longer.length ? distance : undefined;
}

/** Levenshtein distance, computed row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: a.length + 1 }, (_, index) => index);
  for (let line = 1; line <= b.length; line++) {
    const next = [line];
    for (let column = 1; column <= a.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (a[column - 1] === b[line - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[a.length] ?? 0;
}
