import { FALLBACK, supportedEncoding } from "./charset.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { TableRows } from "./table-rows.ts";
import { UnreadableError } from "./unreadable.ts";

/** Maximum group depth; deeper groups are merged with their parent. */
const MAX_DEPTH = 200;
/** A control word with its number, a control symbol, a hexadecimal byte, a group's start or end, or text. */
const TOKEN =
  /\\(?<word>[a-z]{1,32})(?<value>-?\d{1,10})? ?|\\'(?<hex>[0-9a-f]{2})|\\(?<symbol>[^a-z])|(?<group>[{}])|[\r\n]+|(?<text>[^\\{}\r\n]+)/giu;
/** Groups whose text is not document text. */
const SKIPPED = new Set(
  "fonttbl colortbl info pict header headerl headerr headerf footer footerl footerr footerf object themedata datastore listtable listoverridetable revtbl rsidtbl generator xmlnstbl fldinst pgdsctbl filetbl bkmkstart bkmkend pntext listtext private".split(
    " ",
  ),
);
const CHARACTERS: { readonly [word: string]: string } = {
  line: "\n",
  tab: " ",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
};
const SYMBOLS: { readonly [symbol: string]: string } = { "~": " ", _: "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n" };
const HEADING_NAME = /^heading (?<level>[1-9])$/i;
const DEFAULT_CODE_PAGE = 1252;

interface Group {
  isSkipped: boolean;
  isStyles: boolean;
  /** Number of fallback characters after a Unicode character. */
  fallback: number;
}

/** Returns the text of a Rich Text document with headings, lists and tables. Throws UnreadableError if invalid. */
export function readRtf(bytes: Uint8Array): MarkdownWriter {
  const text = new TextDecoder("latin1").decode(bytes);
  if (!text.startsWith("{\\rtf")) throw new UnreadableError("it is not a valid RTF file");
  const walker = new RtfWalker();
  for (const { groups = {} } of text.matchAll(TOKEN)) walker.take(groups);
  return walker.finish();
}

class RtfWalker {
  readonly #writer = new MarkdownWriter();
  #group: Group = { isSkipped: false, isStyles: false, fallback: 1 };
  /** The groups around the current one, outermost first. */
  readonly #outer: Group[] = [];
  /** Number of open groups beyond the maximum depth. */
  #tooDeep = 0;
  #decoder = decoderOf(DEFAULT_CODE_PAGE);
  #bytes: number[] = [];
  /** Number of fallback characters that are still to be skipped. */
  #toSkip = 0;
  /** Whether the next token is the first of its group. */
  #isFirst = true;
  #paragraph = "";
  #isItem = false;
  #depth = 0;
  #level: number | undefined;
  #style = 0;
  #styleName = "";
  /** Heading levels by style number. */
  readonly #levels = new Map<number, number>();
  #inTable = false;
  #table: TableRows | undefined;
  #hasRow = false;

  take({ word, value, hex, symbol, group, text }: { [name: string]: string | undefined }): void {
    if (hex === undefined) this.#decodeBytes();
    if (group === "{") this.#open();
    else if (group === "}") this.#close();
    else if (word !== undefined) this.#control(word, value === undefined ? undefined : Number(value));
    else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
    else if (symbol === "*") this.#group.isSkipped ||= this.#isFirst;
    else if (symbol !== undefined) this.#add(SYMBOLS[symbol] ?? "");
    else if (text !== undefined) this.#addPlain(text);
    this.#isFirst = group === "{";
  }

  finish(): MarkdownWriter {
    this.#decodeBytes();
    this.#endParagraph();
    this.#endTable();
    return this.#writer;
  }

  #open(): void {
    if (this.#outer.length >= MAX_DEPTH) {
      this.#tooDeep++;
      return;
    }
    this.#outer.push(this.#group);
    this.#group = { ...this.#group };
  }

  #close(): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    const { isStyles } = this.#group;
    this.#group = this.#outer.pop() ?? this.#group;
    if (isStyles) this.#endStyle();
  }

  #endStyle(): void {
    const level = HEADING_NAME.exec(this.#styleName.replaceAll(";", "").trim())?.groups?.level;
    if (level !== undefined) this.#levels.set(this.#style, Number(level));
    this.#styleName = "";
    this.#style = 0;
  }

  #control(word: string, value: number | undefined): void {
    if (this.#isFirst && SKIPPED.has(word)) this.#group.isSkipped = true;
    else if (this.#isFirst && word === "stylesheet") this.#group.isStyles = true;
    else if (this.#group.isStyles) this.#style = word === "s" ? (value ?? 0) : this.#style;
    else if (word === "ansicpg") this.#decoder = decoderOf(value ?? DEFAULT_CODE_PAGE);
    else if (word === "uc") this.#group.fallback = Math.min(10, Math.max(0, value ?? 1));
    else if (word === "u") this.#addUnicode(value ?? 0);
    else if (Object.hasOwn(CHARACTERS, word)) this.#add(CHARACTERS[word] ?? "");
    else if (!this.#group.isSkipped && Object.hasOwn(this.#formats, word)) this.#formats[word]?.(value ?? 0);
  }

  readonly #formats: { readonly [word: string]: ((value: number) => void) | undefined } = {
    par: () => this.#endParagraph(),
    sect: () => this.#endParagraph(),
    page: () => this.#endParagraph(),
    pard: () => {
      this.#isItem = false;
      this.#depth = 0;
      this.#level = undefined;
      this.#inTable = false;
    },
    s: (style) => {
      this.#level = this.#levels.get(style);
    },
    outlinelevel: (level) => {
      if (level < 9) this.#level = level + 1;
    },
    ls: (list) => {
      this.#isItem = list > 0;
    },
    ilvl: (depth) => {
      this.#depth = Math.min(9, Math.max(0, depth));
    },
    intbl: () => {
      this.#inTable = true;
    },
    cell: () => this.#endCell(),
    row: () => {
      this.#hasRow = false;
    },
  };

  #endCell(): void {
    this.#table ??= new TableRows();
    if (!this.#hasRow) this.#table.openRow();
    this.#hasRow = true;
    this.#table.addText(this.#paragraph);
    this.#paragraph = "";
    this.#table.endCell();
  }

  #endTable(): void {
    if (this.#table) this.#writer.table(this.#table.rows);
    this.#table = undefined;
    this.#hasRow = false;
  }

  #endParagraph(): void {
    const text = this.#paragraph;
    this.#paragraph = "";
    if (this.#inTable) {
      this.#paragraph = `${text} `;
      return;
    }
    this.#endTable();
    if (this.#level !== undefined) this.#writer.heading(this.#level, text);
    else if (this.#isItem) this.#writer.item(this.#depth, text);
    else this.#writer.paragraph(text);
  }

  #add(text: string): void {
    if (this.#group.isSkipped) return;
    if (this.#group.isStyles) this.#styleName += text;
    else this.#paragraph += text;
  }

  #addPlain(text: string): void {
    const skipped = Math.min(this.#toSkip, text.length);
    this.#toSkip -= skipped;
    this.#add(text.slice(skipped));
  }

  #addUnicode(value: number): void {
    this.#add(String.fromCharCode(value < 0 ? value + 0x1_00_00 : value));
    this.#toSkip = this.#group.fallback;
  }

  /** Collects a byte, because several bytes may form one character. */
  #byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip--;
    else this.#bytes.push(byte);
  }

  #decodeBytes(): void {
    if (this.#bytes.length === 0) return;
    this.#add(this.#decoder.decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
  }
}

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> {
  const label = codePage === 65_001 ? "utf-8" : codePage === 932 ? "shift_jis" : `windows-${codePage}`;
  return new TextDecoder(supportedEncoding(label) ?? FALLBACK);
}
