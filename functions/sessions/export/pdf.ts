import PDFDocument from "pdfkit";
import type { SessionMessage } from "../../../shared/domain/sessions/session.ts";
import { normalized } from "../../../shared/kernel/strings.ts";
import type { FontStyle } from "./font-files.ts";
import type { Face } from "./fonts.ts";
import { factsOf, labelsOf, type Transcript, titleOf, tooLongForPdf } from "./transcript.ts";
import { type Line, setParagraph } from "./typeset.ts";

/** All lengths are in points on ISO A4. */
const MARGIN = { left: 56, right: 56, top: 64, bottom: 64 };
const LABEL_WIDTH = 72;
const HEADER_TOP = 36;
const FOOTER_ABOVE_END = 40;
const CODE_PADDING = 6;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LINE_END = /\r\n|[\n\r\u2028\u2029\v\f]/;
const TAB = "    ";
/** Height of letters above the baseline, as a share of the font size. */
const ASCENT = 0.85;
/** The text is already laid out; an empty feature list keeps pdfkit from laying it out word by word. */
const LAID_OUT: PDFKit.Mixins.TextOptions = { lineBreak: false, baseline: "alphabetic", features: [] };

/** A text style. `leading` is the distance between lines. */
interface TextStyle {
  font: FontStyle;
  size: number;
  leading: number;
  color: string;
  background?: string;
}

const STYLES = {
  title: { font: "bold", size: 18, leading: 25, color: "#14181d" },
  label: { font: "text", size: 8.5, leading: 13, color: "#5c6670" },
  fact: { font: "text", size: 8.5, leading: 13, color: "#14181d" },
  role: { font: "bold", size: 9.5, leading: 15, color: "#0b57c2" },
  body: { font: "text", size: 10, leading: 15, color: "#14181d" },
  code: { font: "code", size: 8.5, leading: 12.5, color: "#14181d", background: "#f1f3f5" },
  note: { font: "code", size: 7.5, leading: 11, color: "#5c6670" },
  margin: { font: "text", size: 8, leading: 11, color: "#5c6670" },
} as const satisfies Record<string, TextStyle>;

const ROLE_COLORS = { user: "#0b57c2", assistant: "#0a6b3d", system: "#7a4a00" } as const;
const RULE_COLOR = "#d8dde3";

/**
 * The transcript as a PDF: paginated, with page headers and numbers, in open fonts embedded as subsets. A character
 * without a font is shown by its code point. Throws PAYLOAD_TOO_LARGE at the deadline (of `performance.now()`).
 */
export async function renderPdf(transcript: Transcript, deadline: number): Promise<Buffer> {
  const sheet = new Sheet(transcript);
  sheet.write(titleOf(transcript.session), STYLES.title);
  sheet.skip(4);
  for (const [name, value] of factsOf(transcript)) sheet.writeFact(name, value);
  for await (const batch of transcript.messages) {
    for (const message of batch) {
      if (performance.now() > deadline) throw tooLongForPdf(transcript.session);
      writeMessage(sheet, message, transcript.includeMetadata);
    }
  }
  return sheet.finish(titleOf(transcript.session));
}

function writeMessage(sheet: Sheet, message: SessionMessage, includeMetadata: boolean): void {
  const { heading, note } = labelsOf(message);
  sheet.rule();
  sheet.keepTogether(STYLES.role.leading + STYLES.body.leading);
  sheet.write(heading, { ...STYLES.role, color: ROLE_COLORS[message.role] });
  for (const { text, isCode } of blocksOf(message.content)) {
    if (isCode) sheet.skip(CODE_PADDING);
    sheet.write(text, isCode ? STYLES.code : STYLES.body);
    if (isCode) sheet.skip(CODE_PADDING);
  }
  if (includeMetadata) sheet.write(note, STYLES.note);
}

interface Block {
  text: string;
  isCode: boolean;
}

/** Splits a text at fences of Markdown code (CommonMark, 4.5); an open fence extends to the end. */
export function blocksOf(content: string): Block[] {
  const blocks: { lines: string[]; isCode: boolean }[] = [];
  let fence: string | undefined;
  for (const line of content.split(LINE_END)) {
    const mark = FENCE.exec(line)?.[1];
    const isEnd = mark !== undefined && fence !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (mark !== undefined && (fence === undefined || isEnd)) {
      fence = fence === undefined ? mark : undefined;
      blocks.push({ lines: [], isCode: fence !== undefined });
      continue;
    }
    if (blocks.length === 0) blocks.push({ lines: [], isCode: false });
    blocks.at(-1)?.lines.push(line);
  }
  const texts = blocks.map(({ lines, isCode }) => ({ text: lines.join("\n"), isCode }));
  return texts.map(trimmed).filter(({ text, isCode }) => isCode || text !== "");
}

/** Removes the blank lines around code, which has its own spacing. */
function trimmed({ text, isCode }: Block): Block {
  if (isCode) return { text, isCode };
  const blanks = text.slice(0, text.length - text.trimStart().length);
  return { text: text.slice(blanks.lastIndexOf("\n") + 1).trimEnd(), isCode };
}

/** Pages that are filled from top to bottom. */
class Sheet {
  readonly #document: PDFKit.PDFDocument;
  readonly #parts: Buffer[] = [];
  readonly #finished: Promise<void>;
  readonly #registered = new Set<string>();
  #y = MARGIN.top;

  constructor({ session, exportedAt }: Transcript) {
    const now = new Date(exportedAt);
    this.#document = new PDFDocument({
      size: "A4",
      // Page breaks are explicit.
      margin: 0,
      // No viewer font: all fonts are embedded.
      font: "",
      fontLayoutCache: false,
      bufferPages: true,
      autoFirstPage: false,
      info: { Title: titleOf(session), Creator: "Memory Service", CreationDate: now, ModDate: now },
    });
    this.#document.on("data", (part: Buffer) => this.#parts.push(part));
    this.#finished = new Promise((resolve, reject) => {
      this.#document.on("end", resolve);
      this.#document.on("error", reject);
    });
    this.#document.addPage();
  }

  /** Writes text of any length across the page or part of it. */
  write(text: string, style: TextStyle, indent = 0): void {
    const padding = style.background === undefined ? 0 : CODE_PADDING;
    const left = MARGIN.left + indent + padding;
    const width = this.#right() - padding - left;
    for (const paragraph of text.split(LINE_END)) {
      const shown = normalized(paragraph, "NFC").replaceAll("\t", TAB);
      for (const line of setParagraph(shown, style.font, width / style.size)) {
        this.keepTogether(style.leading);
        if (style.background !== undefined)
          this.#fill(left - padding, width + 2 * padding, style.leading, style.background);
        this.#draw(line, style, line.isRightToLeft ? left + width - line.width * style.size : left, this.#y);
        this.#y += style.leading;
      }
    }
  }

  /** Writes a name in the margin column with its value beside it. */
  writeFact(name: string, value: string): void {
    this.keepTogether(STYLES.fact.leading);
    const top = this.#y;
    const pages = this.#pages();
    this.write(name, STYLES.label);
    if (this.#pages() === pages) this.#y = top;
    this.write(value, STYLES.fact, LABEL_WIDTH);
  }

  skip(height: number): void {
    this.#y += height;
  }

  /** Starts a new page unless this much height is left. */
  keepTogether(height: number): void {
    if (this.#y + height <= this.#document.page.height - MARGIN.bottom) return;
    this.#document.addPage();
    this.#y = MARGIN.top;
  }

  /** Draws a line across the page with spacing. */
  rule(): void {
    this.skip(8);
    this.keepTogether(1);
    this.#document.moveTo(MARGIN.left, this.#y).lineTo(this.#right(), this.#y).lineWidth(0.5).stroke(RULE_COLOR);
    this.skip(7);
  }

  /** Adds headers and page numbers; nothing can be written afterwards. */
  async finish(title: string): Promise<Buffer> {
    const count = this.#pages();
    const width = this.#right() - MARGIN.left;
    for (let page = 0; page < count; page++) {
      this.#document.switchToPage(page);
      if (page > 0) this.#writeLine(title.split(LINE_END)[0] ?? "", HEADER_TOP, width);
      const bottom = this.#document.page.height - FOOTER_ABOVE_END;
      this.#writeLine(`Page ${page + 1} of ${count}`, bottom, width);
    }
    this.#document.end();
    await this.#finished;
    return Buffer.concat(this.#parts);
  }

  /** Writes as much of a text as fits on one line. */
  #writeLine(text: string, top: number, maxWidth: number): void {
    const style = STYLES.margin;
    const layOut = (part: string) => setParagraph(normalized(part, "NFC"), style.font, maxWidth / style.size - 1);
    const [line, ...rest] = layOut(text);
    const [ellipsis] = layOut("…");
    if (line === undefined || ellipsis === undefined) return;
    const runs = rest.length === 0 ? line.runs : [...line.runs, ...ellipsis.runs];
    this.#draw({ ...line, runs }, style, MARGIN.left, top);
  }

  #draw({ runs }: Line, { size, leading, color }: TextStyle, left: number, top: number): void {
    const baseline = top + (leading - size) / 2 + size * ASCENT;
    let x = left;
    this.#document.fillColor(color).fontSize(size);
    for (const { text, face, width } of runs) {
      this.#document.font(this.#nameOf(face));
      this.#document.text(text, x, baseline, LAID_OUT);
      x += width * size;
    }
  }

  /** Registers a face as a font of the document at first use. */
  #nameOf(face: Face): string {
    if (!this.#registered.has(face.name)) this.#document.registerFont(face.name, asSource(face));
    this.#registered.add(face.name);
    return face.name;
  }

  #fill(x: number, width: number, height: number, color: string): void {
    this.#document.rect(x, this.#y, width, height).fill(color);
  }

  #right(): number {
    return this.#document.page.width - MARGIN.right;
  }

  #pages(): number {
    return this.#document.bufferedPageRange().count;
  }
}

/** pdfkit also accepts an opened font, which its types omit. */
function asSource({ font }: Face): PDFKit.Mixins.PDFFontSource {
  return font as unknown as Buffer;
}
