/** How the lines of a text are read: headings, tables and fences of Markdown, or the indentation of source code. */
export type Syntax = "markdown" | "code";

interface Heading {
  level: number;
  text: string;
}

/** A line of source code that encloses those after it that are indented further. */
interface Scope {
  indent: number;
  text: string;
  parent: Scope | undefined;
}

/** What encloses a place of a text. */
interface Enclosing {
  headings: readonly Heading[];
  /** The header row of the table, with the line below it. */
  table: string | undefined;
  /** The opening line of the fence. */
  fence: string | undefined;
  scope: Scope | undefined;
}

/** Where a place of a text is; lines count from 1, page breaks from 0. */
export interface Position extends Enclosing {
  line: number;
  breaks: number;
}

interface EndedLine extends Position {
  end: number;
}

/** Longer lines are no headings, no table headers and no scopes. */
const MAX_LINE_LENGTH = 600;
const MAX_HEADING_LENGTH = 120;
const MAX_SCOPE_LENGTH = 120;
const HEADING = /^(?<marks>#{1,6})[ \t]+(?<text>\S.*)$/;
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})/;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
/** Brackets alone: they open or close what another line names. */
const BRACKETS = /^[\s{}()[\];,]*$/;
const PAGE_BREAK = "\f";
const NOTHING: Enclosing = { headings: [], table: undefined, fence: undefined, scope: undefined };

/**
 * Follows the lines of a text that comes in parts, and answers what encloses a place of it. Only lines that end before the
 * place count, so the answer is the same however the text comes. Linear in time.
 */
export class Structure {
  readonly syntax: Syntax;
  /** Lines that ended, from the last one before what may still be asked for. */
  #lines: EndedLine[] = [{ ...NOTHING, end: 0, line: 1, breaks: 0 }];
  /** The beginning of the line that has not ended, and its whole length. */
  #open = "";
  #openLength = 0;
  #taken = 0;
  #previous = "";

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  /** Takes the next part of the text. */
  take(part: string): void {
    for (let start = 0; start < part.length; ) {
      const newline = part.indexOf("\n", start);
      const end = newline < 0 ? part.length : newline + 1;
      const room = MAX_LINE_LENGTH + 1 - this.#open.length;
      if (room > 0) this.#open += part.slice(start, Math.min(end, start + room));
      this.#openLength += end - start;
      this.#taken += end - start;
      if (newline >= 0) this.#endLine();
      start = end;
    }
  }

  /** What encloses a place, by the lines that end before it. */
  at(place: number): Position {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle]?.end ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return this.#lines[low] as EndedLine;
  }

  /** Drops what only earlier places need. */
  forget(place: number): void {
    const kept = this.#lines.findLastIndex(({ end }) => end <= place);
    if (kept > 0) this.#lines = this.#lines.slice(kept);
  }

  #endLine(): void {
    const before = this.#lines.at(-1) as EndedLine;
    const isLong = this.#openLength > MAX_LINE_LENGTH;
    const text = isLong ? "" : this.#open.trimEnd();
    const isBreak = !isLong && text === "" && this.#open.includes(PAGE_BREAK);
    const enclosing = this.syntax === "code" ? enclosedByCode(before, text) : this.#enclosedByMarkdown(before, text);
    this.#lines.push({
      ...enclosing,
      end: this.#taken,
      line: before.line + 1,
      breaks: before.breaks + (isBreak ? 1 : 0),
    });
    this.#previous = text;
    this.#open = "";
    this.#openLength = 0;
  }

  #enclosedByMarkdown({ headings, table, fence }: Enclosing, text: string): Enclosing {
    const scope = undefined;
    const mark = FENCE.exec(text)?.groups?.mark;
    if (fence !== undefined)
      return { headings, table: undefined, fence: closes(fence, text) ? undefined : fence, scope };
    if (mark !== undefined) return { headings, table: undefined, fence: text, scope };
    const heading = headingOf(text);
    if (heading) return { headings: [...outer(headings, heading), heading], table: undefined, fence, scope };
    if (TABLE_RULE.test(text) && this.#previous.startsWith("|")) {
      return { headings, table: `${this.#previous}\n${text}`, fence, scope };
    }
    return { headings, table: text.startsWith("|") ? table : undefined, fence, scope };
  }
}

function enclosedByCode(before: Enclosing, text: string): Enclosing {
  if (BRACKETS.test(text)) return before;
  const indent = indentOf(text);
  const scope = { indent, text: text.slice(0, MAX_SCOPE_LENGTH), parent: outerScope(before.scope, indent) };
  return { ...before, scope };
}

function outerScope(scope: Scope | undefined, indent: number): Scope | undefined {
  let outer = scope;
  while (outer && outer.indent >= indent) outer = outer.parent;
  return outer;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function headingOf(line: string): Heading | undefined {
  const { marks, text } = HEADING.exec(line)?.groups ?? {};
  if (marks === undefined || text === undefined) return undefined;
  return { level: marks.length, text: text.slice(0, MAX_HEADING_LENGTH).trim() };
}

function outer(headings: readonly Heading[], { level }: Heading): Heading[] {
  return headings.filter((each) => each.level < level);
}

function closes(fence: string, line: string): boolean {
  const open = FENCE.exec(fence)?.groups?.mark ?? "";
  const mark = FENCE.exec(line)?.groups?.mark;
  return line.trim() === mark && mark.startsWith(open);
}

/** What a part of a text needs around it to be understood alone. */
export interface Surroundings {
  /** Titles of the sections that it is in, outermost first. */
  headings: string[];
  /** Lines to repeat before it, the most important last: path of headings, enclosing code, table header or fence. */
  before: string[];
}

/** The surroundings of a part of a text; `body` is its first line at least, which is indented by so many characters. */
export function surroundingsOf(place: Position, body: string, indent: number): Surroundings {
  const first = body.split("\n", 1)[0] ?? "";
  const own = place.fence === undefined ? headingOf(first) : undefined;
  const headings = (own ? outer(place.headings, own) : place.headings).map(({ text }) => text);
  const path = headings.length === 0 ? [] : [`${headings.join(" > ")}\n\n`];
  const scopes: string[] = [];
  for (let scope = outerScope(place.scope, indent); scope; scope = scope.parent) scopes.unshift(scope.text);
  const code = scopes.length === 0 ? [] : [`${scopes.join("\n")}\n`];
  const isInTable = place.table !== undefined && first.startsWith("|");
  const isInFence = place.fence !== undefined && !closes(place.fence, first);
  const repeated = isInFence ? [`${place.fence}\n`] : isInTable ? [`${place.table}\n`] : [];
  return { headings, before: [...path, ...code, ...repeated] };
}

/** The line that closes the fence which is open at the end of a part of a text; undefined where none is. */
export function closingLine({ fence }: Position, body: string): string | undefined {
  let open = fence;
  for (const line of body.split("\n")) {
    if (open !== undefined && closes(open, line)) open = undefined;
    else if (open === undefined && FENCE.test(line)) open = line;
  }
  return FENCE.exec(open ?? "")?.groups?.mark;
}

/** Whether a text begins with a heading, or, in source code, with a line that nothing encloses. */
export function beginsSection({ fence }: Position, syntax: Syntax, text: string): boolean {
  if (syntax === "code") return /^[^\s{}()[\];,]/.test(text);
  return fence === undefined && /^\s*#{1,6}\s/.test(text);
}
