import type { Archive } from "./archive.ts";
import { writeCharts } from "./chart.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { relationshipsOf } from "./relationships.ts";
import { TableRows } from "./table-rows.ts";
import { attribute, prefixed, readXml } from "./xml.ts";

const PRESENTATION = "ppt/presentation.xml";
/** Placeholders repeated on every slide. */
const REPEATED = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);

/** Returns the text of a presentation slide by slide, with titles, lists, tables and notes. Throws UnreadableError. */
export async function readPptx(archive: Archive): Promise<MarkdownWriter> {
  const writer = new MarkdownWriter();
  const relationships = await relationshipsOf(archive, PRESENTATION);
  for (const id of slideIds(await archive.require(PRESENTATION))) {
    const slide = relationships.get(id)?.target;
    const bytes = slide === undefined ? undefined : await archive.read(slide);
    if (slide === undefined || !bytes) continue;
    writer.pageBreak();
    new SlideWalker(writer).walk(bytes);
    const parts = [...(await relationshipsOf(archive, slide)).values()];
    await writeCharts(writer, archive, parts);
    const notes = parts.find(({ type }) => type === "notesSlide");
    if (notes) new SlideWalker(writer, { isNotes: true }).walk(await archive.read(notes.target));
    for (const { target } of parts.filter(({ type }) => type === "comments")) {
      writeComments(writer, await archive.read(target));
    }
  }
  return writer;
}

/** Returns the relationship ids of the slides in order. */
function slideIds(presentation: Uint8Array): string[] {
  const ids: string[] = [];
  readXml(presentation, {
    open: {
      sldId: (attributes) => {
        const id = prefixed(attributes, "id");
        if (id !== undefined) ids.push(id);
      },
    },
  });
  return ids;
}

/** Writes the comments of a slide, in the format of PowerPoint 2007 or of today. */
function writeComments(writer: MarkdownWriter, bytes: Uint8Array | undefined): void {
  let text = "";
  const end = () => {
    if (text.trim() !== "") writer.paragraph(`Comment: ${text}`);
    text = "";
  };
  readXml(bytes, {
    close: { cm: end, reply: end },
    textIn: ["text", "t"],
    text: (part) => {
      text += part;
    },
  });
}

class SlideWalker {
  readonly #writer: MarkdownWriter;
  readonly #isNotes: boolean;
  #placeholder = "";
  #isTitled = false;
  #paragraph: { text: string; depth: number; isItem: boolean } | undefined;
  #table: TableRows | undefined;

  constructor(writer: MarkdownWriter, { isNotes = false } = {}) {
    this.#writer = writer;
    this.#isNotes = isNotes;
  }

  walk(bytes: Uint8Array | undefined): void {
    const markItem = () => {
      if (this.#paragraph) this.#paragraph.isItem = true;
    };
    readXml(bytes, {
      skipped: ["Fallback"],
      open: {
        sp: () => {
          this.#placeholder = "";
        },
        ph: (attributes) => {
          this.#placeholder = attribute(attributes, "type") ?? "body";
        },
        p: () => {
          this.#paragraph = { text: "", depth: 0, isItem: this.#placeholder === "body" };
        },
        pPr: (attributes) => {
          if (this.#paragraph) this.#paragraph.depth = Number(attribute(attributes, "lvl")) || 0;
        },
        buChar: markItem,
        buAutoNum: markItem,
        br: () => this.#add("\n"),
        tbl: () => {
          this.#table = new TableRows();
        },
        tr: () => this.#table?.openRow(),
      },
      close: {
        p: () => this.#endParagraph(),
        // The columns spanned by a cell follow as empty cells.
        tc: () => this.#table?.endCell(),
        tbl: () => {
          this.#writer.table(this.#table?.rows ?? []);
          this.#table = undefined;
        },
      },
      textIn: ["t"],
      text: (text) => this.#add(text),
    });
  }

  #add(text: string): void {
    if (this.#paragraph) this.#paragraph.text += text;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (!paragraph || REPEATED.has(this.#placeholder) || paragraph.text.trim() === "") return;
    const { text, depth, isItem } = paragraph;
    if (this.#table) this.#table.addText(text);
    else if (this.#isNotes) this.#writer.paragraph(`Notes: ${text}`);
    else if (TITLES.has(this.#placeholder) || (!this.#isTitled && !isItem)) this.#title(text);
    else if (isItem) this.#writer.item(depth, text);
    else this.#writer.paragraph(text);
  }

  /** A slide without a title is named after its first line. */
  #title(text: string): void {
    this.#isTitled = true;
    this.#writer.heading(1, text);
  }
}
