/** A value of a JSON text: where it is, and what is in it. */
interface Span {
  start: number;
  end: number;
  /** The members of an object or the items of a list, by what identifies them. */
  entries?: Map<string, Entry>;
}

interface Entry {
  /** Where its key begins, or the item itself. */
  start: number;
  value: Span;
}

/** Replaces the text between two positions. */
type Replacement = [start: number, end: number, text: string];

/**
 * Returns a JSON text in which a value was changed. What did not change keeps its form: members and items that are new come
 * last, spaced as those before them.
 */
export function changedText(text: string, value: unknown): string {
  const unit = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  if (text.trim() === "") return `${JSON.stringify(value, null, unit)}\n`;
  const replacements = replacementsIn(text, spanAt(text, skipped(text, 0)), value, unit);
  let [changed, from] = ["", 0];
  for (const [start, end, inserted] of replacements.sort((one, other) => one[0] - other[0] || one[1] - other[1])) {
    changed += text.slice(from, start) + inserted;
    from = end;
  }
  changed += text.slice(from);
  return isTextOf(changed, value) ? changed : `${JSON.stringify(value, null, unit)}\n`;
}

/** Keys that occur twice give replacements that overlap, after which the text may be no JSON. */
function isTextOf(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function replacementsIn(text: string, span: Span, value: unknown, unit: string): Replacement[] {
  const old: unknown = JSON.parse(text.slice(span.start, span.end));
  if (JSON.stringify(old) === JSON.stringify(value)) return [];
  const wanted = entriesOf(value);
  const kept = [...(span.entries ?? [])].filter(([key]) => wanted?.has(key));
  const added = [...(wanted ?? [])].filter(([key]) => !span.entries?.has(key));
  const order = [...kept, ...added].map(([key]) => key);
  if (!span.entries || !wanted || Array.isArray(old) !== Array.isArray(value) || !isEqual(order, [...wanted.keys()])) {
    const indent = text.slice(span.start, span.end).includes("\n") ? indentAt(text, span.start) : undefined;
    return [[span.start, span.end, written(text, value, indent, unit)]];
  }
  return [
    ...kept.flatMap(([key, entry]) => replacementsIn(text, entry.value, wanted.get(key), unit)),
    ...removals(span, [...span.entries.values()], new Set(kept.map(([, entry]) => entry))),
    ...additions(text, span, kept.at(-1)?.[1], added, { unit, isList: Array.isArray(value) }),
  ];
}

function isEqual(one: string[], other: string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A value on lines that begin with an indent, or on one line without it. */
function written(text: string, value: unknown, indent: string | undefined, unit: string): string {
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", `${newlineOf(text)}${indent}`);
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The indent of the line in which a position is. */
function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position) + 1;
  return text.slice(start, Math.min(skipped(text, start), position));
}

/** Removes entries, each with the comma beside it. */
function removals(span: Span, entries: Entry[], kept: Set<Entry>): Replacement[] {
  if (kept.size === 0) return entries.length > 0 ? [[span.start + 1, span.end - 1, ""]] : [];
  const first = entries.findIndex((entry) => kept.has(entry));
  const [head] = entries;
  const next = entries[first];
  const leading: Replacement[] = first > 0 && head && next ? [[head.start, next.start, ""]] : [];
  const rest = entries.slice(first + 1).flatMap((entry, index): Replacement[] => {
    const before = entries[first + index];
    return kept.has(entry) || !before ? [] : [[before.value.end, entry.value.end, ""]];
  });
  return [...leading, ...rest];
}

function additions(
  text: string,
  span: Span,
  last: Entry | undefined,
  added: [key: string, value: unknown][],
  { unit, isList }: { unit: string; isList: boolean },
): Replacement[] {
  if (added.length === 0) return [];
  const outer = indentAt(text, span.start);
  const space = last ? spaceBefore(text, last.start) : `${newlineOf(text)}${outer}${unit}`;
  const [, indent] = /\n([ \t]*)$/.exec(space) ?? [];
  const texts = added.map(
    ([key, value]) => (isList ? "" : `${JSON.stringify(key)}: `) + written(text, value, indent, unit),
  );
  const inserted = space + texts.join(`,${space}`);
  if (last) return [[last.value.end, last.value.end, `,${inserted}`]];
  return [[span.end - 1, span.end - 1, `${inserted}${newlineOf(text)}${outer}`]];
}

/** Members by their names, items by their values and how often they occurred before. */
function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const names = new Names();
    return new Map(value.map((item) => [names.of(JSON.stringify(item)), item]));
  }
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}

class Names {
  readonly #counts = new Map<string, number>();

  of(text: string): string {
    const count = this.#counts.get(text) ?? 0;
    this.#counts.set(text, count + 1);
    return `${count} ${text}`;
  }
}

/** Reads the value at a position of a valid JSON text. */
function spanAt(text: string, start: number): Span {
  const closing = text[start] === "{" ? "}" : "]";
  if (!"{[".includes(text[start] ?? "")) return { start, end: scalarEnd(text, start) };
  const entries = new Map<string, Entry>();
  const names = new Names();
  let at = skipped(text, start + 1);
  while (text[at] !== closing) {
    const keyEnd = closing === "}" ? scalarEnd(text, at) : at;
    const value = spanAt(text, closing === "}" ? skipped(text, skipped(text, keyEnd) + 1) : at);
    const key = JSON.parse(text.slice(at, closing === "}" ? keyEnd : value.end));
    entries.set(closing === "}" ? key : names.of(JSON.stringify(key)), { start: at, value });
    at = skipped(text, value.end);
    if (text[at] === ",") at = skipped(text, at + 1);
  }
  return { start, end: at + 1, entries };
}

/** The end of a string, a number or a word. */
function scalarEnd(text: string, start: number): number {
  const scalar = /"(?:[^"\\]|\\[\s\S])*"|[^\s,:\]}]+/y;
  scalar.lastIndex = start;
  scalar.test(text);
  return scalar.lastIndex;
}

function spaceBefore(text: string, end: number): string {
  let start = end;
  while (/\s/.test(text[start - 1] ?? "")) start -= 1;
  return text.slice(start, end);
}

function skipped(text: string, start: number): number {
  const space = /\s*/y;
  space.lastIndex = start;
  space.test(text);
  return space.lastIndex;
}
