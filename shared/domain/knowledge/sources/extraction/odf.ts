import type { Archive } from "./archive.ts";
import { linkedTo } from "./links.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { endTable, TableRows } from "./table-rows.ts";
import { type Attributes, attribute, readXml } from "./xml.ts";

/** Elements that are not document text: tracked changes, descriptions and sequences. */
const SKIPPED = "tracked-changes sequence-decls forms table-of-content settings dde-source".split(" ");
const MAX_BLANKS = 100;
/** Embedded objects: charts with their titles and the table of their values. */
const CHART = /^Object \d{1,4}\/content\.xml$/;

/** The text of an OpenDocument text, presentation or sheet with headings, lists and tables. Throws UnreadableError. */
export async function readOdf(archive: Archive): Promise<MarkdownWriter> {
  const walker = new OdfWalker();
  walker.walk(await archive.require("content.xml"));
  for (const name of archive.names.filter((name) => CHART.test(name))) {
    const chart = new OdfWalker();
    chart.walk(await archive.require(name));
    walker.writer.markdown(chart.writer.text);
  }
  return walker.writer;
}

class OdfWalker {
  readonly writer = new MarkdownWriter();
  readonly #tables: TableRows[] = [];
  /** Open paragraphs: a note or a frame contains paragraphs within one. */
  readonly #blocks: { text: string; level: number | undefined }[] = [];
  #lists = 0;
  #slide: { isTitled: boolean; isTitle: boolean } | undefined;
  #isNote = false;
  #isSpreadsheet = false;
  #repeated = 1;
  /** The open comment, and those that follow the open paragraph or cell. */
  #comment: { author: string; text: string } | undefined;
  #comments: string[] = [];
  readonly #targets: string[] = [];

  walk(bytes: Uint8Array): void {
    const openCell = (attributes: Attributes) => {
      this.#repeated = Number(attribute(attributes, "number-columns-repeated")) || 1;
    };
    const endCell = () => {
      for (const comment of this.#comments.splice(0)) this.#tables.at(-1)?.addText(`(${comment})`);
      this.#tables.at(-1)?.endCell({ repeated: this.#repeated });
    };
    const openAbout = () => {
      if (this.#comment) this.#blocks.push({ text: "", level: undefined });
    };
    const closeAbout = () => (this.#comment ? this.#blocks.pop()?.text.trim() : undefined);
    readXml(bytes, {
      skipped: SKIPPED,
      open: {
        h: (attributes) => this.#blocks.push({ text: "", level: Number(attribute(attributes, "outline-level")) || 1 }),
        p: () => this.#blocks.push({ text: "", level: undefined }),
        s: (attributes) => this.#add(" ".repeat(Math.min(MAX_BLANKS, Number(attribute(attributes, "c")) || 1))),
        tab: () => this.#add(" "),
        "line-break": () => this.#add("\n"),
        list: () => {
          this.#lists++;
        },
        annotation: () => {
          this.#comment = { author: "", text: "" };
        },
        creator: openAbout,
        date: openAbout,
        a: (attributes) => this.#targets.push(attribute(attributes, "href") ?? ""),
        page: () => this.#beginSlide(),
        frame: (attributes) => {
          if (this.#slide) this.#slide.isTitle = attribute(attributes, "class") === "title" && !this.#isNote;
        },
        notes: () => {
          this.#isNote = true;
        },
        spreadsheet: () => {
          this.#isSpreadsheet = true;
        },
        table: (attributes) => this.#openTable(attribute(attributes, "name") ?? ""),
        "table-row": () => this.#tables.at(-1)?.openRow(),
        "table-cell": openCell,
        "covered-table-cell": openCell,
      },
      close: {
        h: () => this.#endBlock(),
        p: () => this.#endBlock(),
        creator: () => {
          const author = closeAbout();
          if (this.#comment) this.#comment.author = author ?? "";
        },
        date: closeAbout,
        annotation: () => this.#endComment(),
        a: () => this.#add(linkedTo(this.#targets.pop())),
        list: () => {
          this.#lists--;
        },
        notes: () => {
          this.#isNote = false;
        },
        frame: () => {
          if (this.#slide) this.#slide.isTitle = false;
        },
        table: () => endTable(this.#tables, this.writer),
        "table-cell": endCell,
        "covered-table-cell": endCell,
      },
      text: (text) => this.#add(text),
    });
  }

  #add(text: string): void {
    const block = this.#blocks.at(-1);
    if (block) block.text += text;
  }

  #beginSlide(): void {
    this.#slide = { isTitled: false, isTitle: false };
    this.writer.pageBreak();
  }

  #endBlock(): void {
    const block = this.#blocks.pop();
    if (!block || block.text.trim() === "") return;
    if (this.#comment) {
      this.#comment.text += ` ${block.text}`;
      return;
    }
    this.#write(block);
    const isOutermost = this.#blocks.length === 0 && this.#tables.length === 0;
    for (const comment of isOutermost ? this.#comments.splice(0) : []) this.writer.paragraph(comment);
  }

  #endComment(): void {
    const { author, text } = this.#comment ?? { author: "", text: "" };
    this.#comment = undefined;
    if (text.trim() !== "") this.#comments.push(`Comment${author === "" ? "" : ` by ${author}`}: ${text.trim()}`);
  }

  #write(block: { text: string; level: number | undefined }): void {
    const table = this.#tables.at(-1);
    if (table) table.addText(block.text);
    else if (this.#isNote) this.writer.paragraph(`Notes: ${block.text}`);
    else if (this.#slide && this.#isTitleOf(this.#slide)) this.#writeTitle(this.#slide, block.text);
    else if (block.level !== undefined) this.writer.heading(block.level, block.text);
    else if (this.#lists > 0) this.writer.item(this.#lists - 1, block.text);
    else this.writer.paragraph(block.text);
  }

  /** Whether a block is the slide's title; without a title frame, it is the first line outside of a list. */
  #isTitleOf({ isTitled, isTitle }: { isTitled: boolean; isTitle: boolean }): boolean {
    return isTitle || (!isTitled && this.#lists === 0);
  }

  #writeTitle(slide: { isTitled: boolean }, text: string): void {
    slide.isTitled = true;
    this.writer.heading(1, text);
  }

  #openTable(name: string): void {
    if (this.#isSpreadsheet && this.#tables.length === 0) {
      this.writer.pageBreak();
      this.writer.heading(1, name);
    }
    this.#tables.push(new TableRows());
  }
}
