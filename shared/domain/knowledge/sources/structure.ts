/** How the lines of a text are parsed: headings, tables and fences of Markdown, or the indentation of source code. */
export type Syntax = "markdown" | "code";

interface Heading {
  level: number;
  text: string;
}

/** A line of source code that encloses the following lines with a larger indentation. */
interface Scope {
  indent: number;
  text: string;
  parent: Scope | undefined;
}

/** The parts of a document that enclose a position in its text. */
interface Enclosing {
  headings: readonly Heading[];
  /** The header row of the table, with the line below it. */
  table: string | undefined;
  /** The opening line of the fence. */
  fence: string | undefined;
  scope: Scope | undefined;
}

/** A position in a text with its enclosing parts; lines count from 1, page breaks from 0. */
export interface Position extends Enclosing {
  line: number;
  breaks: number;
}

interface EndedLine extends Position {
  end: number;
}

/** Longer lines are not headings, table headers or scopes. */
const MAX_LINE_LENGTH = 600;
const MAX_HEADING_LENGTH = 120;
const MAX_SCOPE_LENGTH = 120;
const HEADING = /^(?<marks>#{1,6})[ \t]+(?<text>\S.*)$/;
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})/;
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
/** Lines with only brackets: they open or close a block that another line names. */
const BRACKETS = /^[\s{}()[\];,]*$/;
const PAGE_BREAK = "\f";
const TOP_LEVEL: Enclosing = { headings: [], table: undefined, fence: undefined, scope: undefined };

/**
 * Tracks the structure of a streamed text and returns the parts that enclose a position. Only lines that end before the
 * position count, so the result does not depend on how the text is split. Linear time.
 */
export class Structure {
  readonly syntax: Syntax;
  /** Complete lines, starting with the last one before any position that may still be requested. */
  #lines: EndedLine[] = [{ ...TOP_LEVEL, end: 0, line: 1, breaks: 0 }];
  /** The beginning of the incomplete line, and the whole length of that line. */
  #open = "";
  #openLength = 0;
  #taken = 0;
  #previous = "";

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  /** Adds the next part of the text. */
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

  /** Returns the parts that enclose a position, according to the lines that end before it. */
  at(offset: number): Position {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lines[middle]?.end ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#lines[low] as EndedLine;
  }

  /** Drops lines that only earlier positions need. */
  forget(offset: number): void {
    const kept = this.#lines.findLastIndex(({ end }) => end <= offset);
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
  const indent = text.length - text.trimStart().length;
  const scope = { indent, text: text.slice(0, MAX_SCOPE_LENGTH), parent: outerScope(before.scope, indent) };
  return { ...before, scope };
}

function outerScope(scope: Scope | undefined, indent: number): Scope | undefined {
  let outer = scope;
  while (outer && outer.indent >= indent) outer = outer.parent;
  return outer;
}

function headingOf(line: string): Heading | undefined {
  const { marks, text } = HEADING.exec(line)?.groups ?? {};
  if (marks === undefined || text === undefined) return undefined;
  return { level: marks.length, text: text.slice(0, MAX_HEADING_LENGTH).trim() };
}

function outer(headings: readonly Heading[], { level }: Heading): Heading[] {
  return headings.filter((heading) => heading.level < level);
}

function closes(fence: string, line: string): boolean {
  const open = FENCE.exec(fence)?.groups?.mark ?? "";
  const mark = FENCE.exec(line)?.groups?.mark;
  return line.trim() === mark && mark.startsWith(open);
}

/** The context without which a part of a text cannot be understood. */
export interface Surroundings {
  /** Titles of the enclosing sections, outermost first. */
  headings: string[];
  /** Lines to repeat before it, the most important last: path of headings, enclosing code, table header or fence. */
  before: string[];
}

/** Returns the surroundings of a part of a text. `body` has at least its first line, `indent` is that line's indent. */
export function surroundingsOf(position: Position, body: string, indent: number): Surroundings {
  const first = body.split("\n", 1)[0] ?? "";
  const own = position.fence === undefined ? headingOf(first) : undefined;
  const headings = (own ? outer(position.headings, own) : position.headings).map(({ text }) => text);
  const path = headings.length === 0 ? [] : [`${headings.join(" > ")}\n\n`];
  const scopes: string[] = [];
  for (let scope = outerScope(position.scope, indent); scope; scope = scope.parent) scopes.unshift(scope.text);
  const code = scopes.length === 0 ? [] : [`${scopes.join("\n")}\n`];
  const isInTable = position.table !== undefined && first.startsWith("|");
  const isInFence = position.fence !== undefined && !closes(position.fence, first);
  const repeated = isInFence ? [`${position.fence}\n`] : isInTable ? [`${position.table}\n`] : [];
  return { headings, before: [...path, ...code, ...repeated] };
}

/** Returns the line that closes the fence that is open at the end of a part of a text, or undefined if none is open. */
export function closingLine({ fence }: Position, body: string): string | undefined {
  let open = fence;
  for (const line of body.split("\n")) {
    if (open !== undefined && closes(open, line)) open = undefined;
    else if (open === undefined && FENCE.test(line)) open = line;
  }
  return FENCE.exec(open ?? "")?.groups?.mark;
}

/** Whether a text begins with a heading or, in source code, with a top-level line. */
export function beginsSection({ fence }: Position, syntax: Syntax, text: string): boolean {
  if (syntax === "code") return /^[^\s{}()[\];,]/.test(text);
  return fence === undefined && /^\s*#{1,6}\s/.test(text);
}
