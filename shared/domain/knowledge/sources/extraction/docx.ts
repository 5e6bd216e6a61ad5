import { alternatives } from "../../../../language/languages/lists.ts";
import type { Archive } from "./archive.ts";
import { writeCharts } from "./chart.ts";
import { linkedTo } from "./links.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { type Relationship, relationshipsOf } from "./relationships.ts";
import { endTable, TableRows } from "./table-rows.ts";
import { type Attributes, attribute, readXml } from "./xml.ts";

const HEADING_NAME = new RegExp(
  String.raw`^(?:${alternatives(({ outlines }) => outlines?.heading)})\s*(?<level>[1-9])$`,
  "i",
);
const TITLE_LEVEL = 1;
/** Elements whose text is deleted, moved or a duplicate. */
const SKIPPED = ["Fallback", "del", "moveFrom", "instrText", "delText", "commentRangeStart"];

/** The text of a Word document with headings, lists, tables and notes. Throws UnreadableError. */
export async function readDocx(archive: Archive): Promise<MarkdownWriter> {
  const main = archive.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? "word/document.xml";
  const styles = await readStyles(archive);
  const lists = await readLists(archive);
  const parts = await relationshipsOf(archive, main);
  const walker = new DocxWalker(styles, lists, parts);
  walker.walk(await archive.require(main));
  for (const name of ["word/footnotes.xml", "word/endnotes.xml", "word/comments.xml"]) {
    walker.walk(await archive.read(name));
  }
  await writeCharts(walker.writer, archive, parts.values());
  return walker.writer;
}

/** Heading levels by style id. */
async function readStyles(archive: Archive): Promise<Map<string, number>> {
  const levels = new Map<string, number>();
  let style = "";
  readXml(await archive.read("word/styles.xml"), {
    open: {
      style: (attributes) => {
        style = attribute(attributes, "styleId") ?? "";
      },
      name: (attributes) => {
        const name = attribute(attributes, "val") ?? "";
        const level = HEADING_NAME.exec(name)?.groups?.level;
        if (level !== undefined) levels.set(style, Number(level));
        else if (name.toLowerCase() === "title") levels.set(style, TITLE_LEVEL);
      },
      outlineLvl: (attributes) => {
        const level = Number(attribute(attributes, "val"));
        if (level >= 0 && level < 9 && !levels.has(style)) levels.set(style, level + 1);
      },
    },
  });
  return levels;
}

/** Numbered lists by `id/level`; others have bullets. */
async function readLists(archive: Archive): Promise<Set<string>> {
  const numbered = new Map<string, Set<string>>();
  const lists = new Set<string>();
  let [abstract, level, id] = ["", "", ""];
  readXml(await archive.read("word/numbering.xml"), {
    open: {
      abstractNum: (attributes) => {
        abstract = attribute(attributes, "abstractNumId") ?? "";
        numbered.set(abstract, new Set());
      },
      lvl: (attributes) => {
        level = attribute(attributes, "ilvl") ?? "";
      },
      numFmt: (attributes) => {
        const format = attribute(attributes, "val");
        if (format !== "bullet" && format !== "none") numbered.get(abstract)?.add(level);
      },
      num: (attributes) => {
        id = attribute(attributes, "numId") ?? "";
      },
      abstractNumId: (attributes) => {
        for (const numberedLevel of numbered.get(attribute(attributes, "val") ?? "") ?? [])
          lists.add(`${id}/${numberedLevel}`);
      },
    },
  });
  return lists;
}

interface Paragraph {
  text: string;
  level: number | undefined;
  list: string | undefined;
  depth: number;
}

class DocxWalker {
  readonly #parts: Map<string, Relationship>;
  readonly #targets: string[] = [];
  readonly writer = new MarkdownWriter();
  readonly #styles: Map<string, number>;
  readonly #numbered: Set<string>;
  /** Open tables and paragraphs: a text box contains paragraphs within one. */
  readonly #tables: TableRows[] = [];
  readonly #paragraphs: Paragraph[] = [];
  /** Next number of a numbered list by `id/level`. */
  readonly #numbers = new Map<string, number>();
  #columns = 1;

  constructor(styles: Map<string, number>, numbered: Set<string>, parts: Map<string, Relationship>) {
    this.#parts = parts;
    this.#styles = styles;
    this.#numbered = numbered;
  }

  walk(bytes: Uint8Array | undefined): void {
    readXml(bytes, {
      skipped: SKIPPED,
      open: {
        p: () => this.#paragraphs.push({ text: "", level: undefined, list: undefined, depth: 0 }),
        pStyle: (attributes) => this.#describe({ level: this.#styles.get(attribute(attributes, "val") ?? "") }),
        outlineLvl: (attributes) => this.#outline(Number(attribute(attributes, "val"))),
        ilvl: (attributes) => this.#describe({ depth: Number(attribute(attributes, "val")) || 0 }),
        numId: (attributes) => this.#describe({ list: attribute(attributes, "val") }),
        tab: () => this.#addText(" "),
        br: () => this.#addText("\n"),
        cr: () => this.#addText("\n"),
        noBreakHyphen: () => this.#addText("-"),
        hyperlink: (attributes) => this.#targets.push(this.#parts.get(attribute(attributes, "id") ?? "")?.target ?? ""),
        footnoteReference: (attributes) => this.#addText(`[^${attribute(attributes, "id")}]`),
        footnote: (attributes) => this.#beginNote(attributes),
        comment: (attributes) => this.writer.paragraph(`Comment by ${attribute(attributes, "author") ?? "unknown"}:`),
        tbl: () => this.#tables.push(new TableRows()),
        tr: () => this.#tables.at(-1)?.openRow(),
        gridSpan: (attributes) => {
          this.#columns = Number(attribute(attributes, "val")) || 1;
        },
      },
      close: {
        p: () => this.#endParagraph(),
        tc: () => {
          this.#tables.at(-1)?.endCell({ columns: this.#columns });
          this.#columns = 1;
        },
        hyperlink: () => this.#addText(linkedTo(this.#targets.pop())),
        tbl: () => endTable(this.#tables, this.writer),
      },
      textIn: ["t"],
      text: (text) => this.#addText(text),
    });
  }

  #addText(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  #describe(properties: Partial<Paragraph>): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) Object.assign(paragraph, properties);
  }

  #outline(level: number): void {
    if (level >= 0 && level < 9) this.#describe({ level: level + 1 });
  }

  /** Starts a footnote. Word also stores its separators as notes, which have a type and are skipped. */
  #beginNote(attributes: Attributes): void {
    const type = attribute(attributes, "type");
    if (type === undefined) this.writer.paragraph(`[^${attribute(attributes, "id")}]:`);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const { text, level, list, depth } = paragraph;
    const table = this.#tables.at(-1);
    if (table) table.addText(text);
    else if (level !== undefined) this.writer.heading(level, text);
    else if (list === undefined || list === "0") this.writer.paragraph(text);
    else this.writer.item(depth, text, this.#markerOf(list, depth));
  }

  #markerOf(list: string, depth: number): string {
    const key = `${list}/${depth}`;
    if (!this.#numbered.has(key)) return "-";
    const number = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, number);
    return `${number}.`;
  }
}
