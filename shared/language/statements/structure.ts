import { setOf, trimmedEnd } from "../../kernel/strings.ts";
import { ENTITY_TYPES, type EntityType } from "./schemas.ts";
import { readLabel } from "./speakers.ts";
import { MAIL_FIELD, MIN_MAIL_FIELDS } from "./voice/lexicon.ts";

/** A part of a text that is read as a unit: a paragraph, a list item, a table row, or a name with a value. */
export interface Block {
  /** Undefined without a named speaker. */
  speaker: string | undefined;
  text: string;
  /** Prose is split into sentences; a line is kept whole. */
  kind: "prose" | "line";
  /** The speaker is that of the paragraph before: nothing in this one names a speaker. */
  isCarried?: true;
}

/** A name from the form of a text: a mail's author, the subject of a table row. */
export interface NamedInForm {
  name: string;
  type: EntityType;
}

/** Maximum characters of short list items that form one statement. */
const MAX_LIST_CHARACTERS = 300;
const MAX_SHORT_ITEM_WORDS = 6;
/** A label that occurs this often is a speaker. */
const MIN_TURNS = 2;
const MAX_SIGNATURE_WORDS = 4;
const MAX_ATTRIBUTION_LENGTH = 250;

const MAIL_FROM = /^from\s*:/i;
const MAIL_PERSON = /^(?:from|to|cc|bcc)\s*:\s*(.*)$/i;
const FORWARDED = /^\s*(?:-{3,10} ?(?:original|forwarded) message ?-{3,10}|begin forwarded message:)\s*$/i;
const QUOTED = /^\s*>+\s?/;
const CLOSING =
  /^\s*(?:best|best wishes|kind regards|best regards|warm regards|regards|cheers|thanks|many thanks|thank you|sincerely|yours(?: sincerely| truly)?|love|xoxo|sent from my .{0,30}|--)[,.!]?\s*$/i;
const HEADING = /^\s*#{1,6}\s+(.*)$/;
const ITEM = /^\s*(?:[-*•–+]|\d{1,3}[.)]|\(?[a-z]\))\s+(?:\[([ xX])\]\s+)?(?=\S)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:+-]+$/;
const SENTENCE_END = /[.!?…。！？:;]["'”’)\]]{0,3}$/u;
/** Line ends that only occur within a sentence. */
const OPEN_END = /(?:,|\s(?:a|an|the|of|in|on|at|to|for|from|with|by|and|or|but|is|are|my|our|your|his|her|their))$/i;
const LOWER_START = /^\s*[\p{Ll}\d(]/u;
const CONVERSATIONAL = /\b(?:i|i'm|i've|i'll|me|my|we|our|us|you|your)\b|\?/i;

/**
 * Reads a text line by line into blocks with speakers: lists, tables, mail headers, quotations. `isPerson` recognizes
 * names, `writer` is the known author. Linear time.
 */
export function readBlocks(
  content: string,
  isPerson: (name: string) => boolean,
  writer?: string,
): { blocks: Block[]; names: NamedInForm[] } {
  const lines = content.split(/\r?\n/);
  const speakers = speakerLabels(lines, isPerson, writer);
  const reader = new BlockReader();
  for (let index = 0; index < lines.length; index++) {
    const turn = readLabel(lines[index] ?? "");
    if (turn?.isRole) {
      reader.beginTurn(turn.speaker);
      lines[index] = turn.rest;
    }
    const headers = countHeaders(lines, index);
    if (headers >= MIN_MAIL_FIELDS) {
      reader.beginMail(lines.slice(index, index + headers));
      index += headers - 1;
    } else reader.read(lines[index] ?? "", speakers);
  }
  return reader.end();
}

function countHeaders(lines: string[], index: number): number {
  let count = 0;
  while (MAIL_FIELD.test(lines[index + count] ?? "")) count++;
  return count;
}

/**
 * Returns the labels of speakers: "Caroline: I went …" is a turn; "Dose: 5 mg" is a note, and so is a single
 * "Caroline: ill" by a known author. A label is a speaker if it recurs, or if its text says "I" or "you" or asks.
 */
function speakerLabels(lines: string[], isPerson: (name: string) => boolean, writer: string | undefined) {
  const counts = new Map<string, number>();
  const labels = lines.flatMap((line) => readLabel(line) ?? []);
  const mayBeDialogue = writer === undefined || labels.length > 1;
  for (const label of labels) {
    const speaks = label.isRole || CONVERSATIONAL.test(label.rest) || (mayBeDialogue && isPerson(label.speaker));
    const weight = speaks ? MIN_TURNS : 1;
    counts.set(label.speaker, (counts.get(label.speaker) ?? 0) + weight);
  }
  return new Set([...counts].flatMap(([speaker, count]) => (count >= MIN_TURNS ? [speaker] : [])));
}

class BlockReader {
  readonly #blocks: Block[] = [];
  readonly #names: NamedInForm[] = [];
  #speaker: string | undefined;
  /** Whether a blank line is between the name of the speaker and what follows. */
  #isCarried = false;
  /** The author of the mail around a quotation. */
  #writer: string | undefined;
  #heading = "";
  #paragraph: string[] = [];
  #items: string[] = [];
  #rows: string[] = [];
  /** Whether a mail's closing line was read, so that short lines are its signature. */
  #isClosed = false;

  /** Starts a turn of a transcript and ends the one before. */
  beginTurn(speaker: string): void {
    this.#changeSpeaker(speaker);
    this.#writer = undefined;
  }

  beginMail(headers: string[]): void {
    this.#flush();
    const people = headers.flatMap((line) => peopleOf(line).map((name) => ({ name, line })));
    for (const { name } of people) this.#names.push({ name, type: "person" });
    this.#writer = people.find(({ line }) => MAIL_FROM.test(line))?.name;
    this.#speaker = this.#writer;
    this.#isClosed = false;
    this.#isCarried = false;
  }

  read(line: string, speakers: ReadonlySet<string>): void {
    const writer = quotedWriter(line);
    if (writer !== undefined || FORWARDED.test(line)) {
      this.#changeSpeaker(writer);
      return;
    }
    const text = line.replace(QUOTED, "");
    if (text === line && this.#writer !== undefined && this.#speaker !== this.#writer)
      this.#changeSpeaker(this.#writer);
    if (TABLE_ROW.test(text)) {
      if (this.#rows.length === 0) this.#flush();
      this.#rows.push(text);
      return;
    }
    this.#endTable();
    const label = readLabel(text);
    if (text.trim() === "") {
      this.#flush();
      this.#isCarried = true;
    } else if (this.#writer !== undefined && CLOSING.test(text)) {
      this.#flush();
      this.#isClosed = true;
    } else if (label !== undefined && speakers.has(label.speaker)) {
      this.#changeSpeaker(label.speaker);
      this.#readLine(label.rest, false);
    } else this.#readLine(text, label !== undefined);
  }

  end() {
    this.#endTable();
    this.#flush();
    return { blocks: this.#blocks, names: this.#names };
  }

  #changeSpeaker(name: string | undefined): void {
    this.#endTable();
    this.#flush();
    this.#speaker = name;
    this.#heading = "";
    this.#isClosed = false;
    this.#isCarried = false;
  }

  #readLine(text: string, isNote: boolean): void {
    const heading = HEADING.exec(text)?.[1];
    if (heading !== undefined) {
      this.#flush();
      this.#heading = heading.trim();
    } else if (ITEM.test(text)) {
      if (this.#paragraph.length > 0) this.#startList(this.#paragraph.join(" "));
      this.#items.push(text.replace(ITEM, (_match, box) => (box === undefined || box === " " ? "" : "done: ")).trim());
    } else if (this.#isClosed && isNameLike(text)) return;
    else if (isNote || this.#isBroken(text)) {
      this.#flush();
      this.#paragraph.push(text.trim());
    } else {
      if (this.#items.length > 0) this.#flush();
      this.#paragraph.push(text.trim());
    }
  }

  /** A line continues the preceding one only if that was broken within a sentence. */
  #isBroken(text: string): boolean {
    const before = this.#paragraph.at(-1);
    if (before === undefined) return false;
    return !isContinuedBy(before, text);
  }

  /** A paragraph right before a list becomes the list's heading, unless it is a complete sentence. */
  #startList(lead: string): void {
    this.#paragraph = [];
    if (lead.endsWith(":") || !SENTENCE_END.test(lead)) this.#heading = trimmedEnd(lead, /[\s:]/);
    else this.#add(lead, "prose");
  }

  #flush(): void {
    this.#add(this.#paragraph.join(" "), "prose");
    this.#paragraph = [];
    if (this.#items.length > 0) {
      this.#addList();
      this.#items = [];
      this.#heading = "";
    }
  }

  #addList(): void {
    const lead = this.#heading === "" ? "" : `${this.#heading}: `;
    const isShort = (item: string) => item.split(/\s+/).length <= MAX_SHORT_ITEM_WORDS;
    if (!this.#items.every(isShort)) {
      for (const item of this.#items) this.#add(lead + item, "line");
      return;
    }
    let joined = "";
    for (const item of this.#items) {
      if (joined !== "" && joined.length + item.length > MAX_LIST_CHARACTERS) {
        this.#add(lead + joined, "line");
        joined = "";
      }
      joined = joined === "" ? item : `${joined}, ${item}`;
    }
    this.#add(lead + joined, "line");
  }

  /** Adds the rows of a table. If a separator line follows the first row, that row names the columns. */
  #endTable(): void {
    const [first = "", rule = "", ...others] = this.#rows;
    const hasHeader = TABLE_RULE.test(rule);
    const columns = hasHeader ? cellsOf(first) : [];
    for (const row of hasHeader ? others : this.#rows) this.#addRow(cellsOf(row), columns);
    this.#rows = [];
  }

  #addRow(cells: string[], columns: string[]): void {
    const parts = cells.flatMap((cell, index) => {
      const column = columns[index] ?? "";
      return cell === "" ? [] : [column === "" ? cell : `${column}: ${cell}`];
    });
    if (parts.length > 0) this.#add(parts.join(", "), "line");
    const [subject = ""] = cells;
    const type = ENTITY_TYPES.find((candidate) => COLUMNS[candidate]?.has(columns[0]?.toLowerCase() ?? ""));
    if (type !== undefined && /^\p{Lu}/u.test(subject)) this.#names.push({ name: subject, type });
  }

  #add(text: string, kind: Block["kind"]): void {
    if (text.trim() === "") return;
    const isCarried = this.#isCarried && this.#speaker !== undefined;
    this.#blocks.push({ speaker: this.#speaker, text, kind, ...(isCarried && { isCarried }) });
  }
}

/** Whether a line below a closing is part of a signature. */
function isNameLike(line: string): boolean {
  return line.trim().split(/\s+/).length <= MAX_SIGNATURE_WORDS && !SENTENCE_END.test(line);
}

/** The entity type of a table's first column by its heading. */
const COLUMNS: { readonly [type in EntityType]?: ReadonlySet<string> } = {
  person: setOf("name person who owner"),
  place: setOf("city place location country venue"),
  organization: setOf("company organization team vendor"),
  product: setOf("drug medicine medication product item book title app device"),
};

/** Returns the people in a header line: "To: Luis Ortega <luis@example.org>, Eva". A mere address is none. */
function peopleOf(header: string): string[] {
  const listed = MAIL_PERSON.exec(header)?.[1] ?? "";
  return listed.split(/[,;]/).flatMap((entry) => {
    const [name = ""] = entry.replaceAll('"', "").split("<");
    return /^\s*\p{Lu}/u.test(name) && !name.includes("@") ? [name.trim()] : [];
  });
}

/** Returns the author in a line like "On Monday, Ivo Brandt <ivo@example.org> wrote:"; undefined for other lines. */
function quotedWriter(line: string): string | undefined {
  if (line.length > MAX_ATTRIBUTION_LENGTH) return undefined;
  const said = line.trim().replace(/^[>\s]+/, "");
  if (!/^on\s/i.test(said) || !said.endsWith("wrote:")) return undefined;
  const words = said
    .slice(0, -"wrote:".length)
    .replace(/<[^<>]*>/g, "")
    .trim()
    .split(/\s+/);
  const start = words.findLastIndex((word) => !/^\p{Lu}[\p{L}'’-]*\.?$/u.test(word)) + 1;
  return words.slice(start).join(" ") || undefined;
}

function cellsOf(row: string): string[] {
  const cells = row.trim().slice(1, -1).split("|");
  return cells.map((cell) => cell.trim());
}

/** A line of an object or a list in JSON, and indented code. */
const DATA_LINE = /^\s*[[{](?:\s*$|\s*["'{[\d])|^(?:\t| {4})\s*\S/;

/** Whether a line belongs to a list, a table, a quotation, data or code, which are kept whole. */
export function isStructuredLine(line: string): boolean {
  return ITEM.test(line) || TABLE_ROW.test(line) || QUOTED.test(line) || DATA_LINE.test(line);
}

export function isListItem(line: string): boolean {
  return ITEM.test(line);
}

/** Whether a line was broken within a sentence that the next one continues. */
export function isContinuedBy(line: string, next: string): boolean {
  return !SENTENCE_END.test(line) && (LOWER_START.test(next) || OPEN_END.test(line));
}
