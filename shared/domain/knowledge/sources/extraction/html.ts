import { Readability } from "@mozilla/readability";
import { compile, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { parseHTML } from "linkedom";
import { flattenHtml } from "./flatten.ts";
import { linkedTo } from "./links.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { MAX_COLUMNS, TableRows } from "./table-rows.ts";

/** An article with less than this share of the page's text is considered wrong. */
const MIN_SHARE_OF_PAGE = 0.2;
/** A larger tree is not searched for an article. */
const MAX_NODES = 20_000;

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${"#".repeat(Number(element.name?.slice(1) ?? 1))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

type Node = Parameters<FormatCallback>[0];

/** Writes a table; content outside its cells, such as a caption, comes first. */
const table: FormatCallback = (element, walk, builder) => {
  const rows: Node[] = [];
  const others: Node[] = [];
  for (const node of element.children.flatMap(partsOfTable)) (node.name === "tr" ? rows : others).push(node);
  others.push(...rows.flatMap((row) => row.children.filter((part) => !isCell(part))));
  walk(others, builder);
  builder.openTable();
  for (const row of rows) {
    builder.openTableRow();
    for (const part of row.children) {
      if (!isCell(part)) continue;
      builder.openTableCell();
      walk(part.children, builder);
      const { colspan, rowspan } = part.attribs ?? {};
      builder.closeTableCell({ colspan: Number(colspan) || 1, rowspan: Number(rowspan) || 1 });
    }
    builder.closeTableRow();
  }
  builder.closeTable({ tableToString, leadingLineBreaks: 2, trailingLineBreaks: 2 });
};

function isCell({ name }: Node): boolean {
  return name === "td" || name === "th";
}

function partsOfTable(node: Node): Node[] {
  return /^t(?:head|body|foot)$/.test(node.name ?? "") ? node.children : [node];
}

/** Writes a cell outside of a table. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(" | ");
};

/** A table with a longer cell, or one with headings or a table in it, is the page's layout. */
const MAX_CELL_LENGTH = 2_000;
const BLOCK_IN_CELL = /^(?:#{1,6} |\|)/m;
const MAX_COLSPAN = 100;

interface SpanningCell {
  text: string;
  colspan: number;
  rowspan: number;
}

function tableToString(rows: SpanningCell[][]): string {
  const cells = rows.flat();
  const isLayout = cells.some(({ text }) => text.length > MAX_CELL_LENGTH || BLOCK_IN_CELL.test(text));
  if (isLayout) return cells.map(({ text }) => text).join("\n\n");
  const writer = new MarkdownWriter();
  writer.table(withoutSpans(rows));
  return writer.text;
}

/** Gives each cell its column. A cell that spans rows is repeated in each, so that each row is complete. */
function withoutSpans(rows: SpanningCell[][]): string[][] {
  const table = new TableRows();
  /** The cells from earlier rows by column. */
  const spanning: { text: string; rows: number }[] = [];
  for (const row of rows) {
    table.openRow();
    let column = 0;
    const addSpanning = () => {
      for (let from = spanning[column]; from && from.rows > 0; from = spanning[++column]) {
        from.rows--;
        if (from.text !== "") table.set(column, from.text);
      }
    };
    for (const { text, colspan, rowspan } of row) {
      addSpanning();
      if (column >= MAX_COLUMNS) break;
      if (text !== "") table.set(column, text);
      for (let index = 0; index < Math.min(colspan, MAX_COLSPAN); index++) {
        spanning[column + index] = { text: index === 0 ? text : "", rows: rowspan - 1 };
      }
      column += Math.min(colspan, MAX_COLSPAN);
    }
    for (; column < spanning.length; column++) addSpanning();
  }
  return table.rows;
}

const MAX_HTML_LENGTH = 64 * 1024 * 1024;

/** Writes the words of a link and, unless they are its target, the target. */
const link: FormatCallback = (element, walk, builder) => {
  const target = linkedTo(element.attribs?.href);
  walk(element.children, builder);
  if (!wordsOf(element).includes(target.slice(2, -1))) builder.addInline(target);
};

/** The words of a link, which is short; deeper ones do not matter. */
function wordsOf({ data, children = [] }: Node): string {
  return (
    (data ?? "") +
    children.map((child) => child.data ?? (child.children ?? []).map(({ data }) => data ?? "").join("")).join("")
  );
}

/** The links of a web page mostly lead around its site: only their words are text there. */
const linkOptions = (page: boolean): HtmlToTextOptions => ({
  ...OPTIONS,
  selectors: [
    ...(OPTIONS.selectors ?? []),
    page ? { selector: "a", options: { ignoreHref: true } } : { selector: "a", format: "link" },
  ],
});

/** Images are not searchable text. */
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_LENGTH },
  formatters: { heading, table, cell, link },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "button", format: "skip" },
    { selector: "head", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, format: "heading" })),
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "blockquote", format: "block" },
    { selector: "table", format: "table" },
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
  ],
};

const toText = { page: compile(linkOptions(true)), file: compile(linkOptions(false)) };

/** The text of an HTML document. For a web `page`, only the article if there is one: without navigation and banners. */
export function readHtml(html: string, { page = false } = {}): { text: string; title?: string } {
  const { html: flat, title, nodes } = flattenHtml(html);
  const whole = toMarkdown(flat, page);
  const article = page && nodes <= MAX_NODES ? articleIn(flat) : "";
  const isFound = article !== "" && article.length >= whole.length * MIN_SHARE_OF_PAGE;
  return { text: isFound ? article : whole, ...(title !== undefined && { title }) };
}

/** Returns the article of a page, or an empty text if there is none or the tree is too large for the search. */
function articleIn(flat: string): string {
  const { document } = parseHTML(/<html[\s>]/.test(flat) ? flat : `<html><body>${flat}</body></html>`);
  try {
    return toMarkdown(new Readability(document, { maxElemsToParse: MAX_NODES }).parse()?.content ?? "", true);
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

function toMarkdown(html: string, page: boolean): string {
  return tidy((page ? toText.page : toText.file)(html));
}

/** Trims ends of lines and extra empty lines; by line, because a pattern for trailing blanks takes quadratic time. */
function tidy(text: string): string {
  const lines = text.split("\n").map((line) => {
    const trimmed = line.trimEnd();
    return trimmed.endsWith(" |") && !trimmed.startsWith("|") ? trimmed.slice(0, -2).trimEnd() : trimmed;
  });
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
