import { Readability } from "@mozilla/readability";
import { compile, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { parseHTML } from "linkedom";
import { flattenHtml } from "./flatten.ts";

/** A document as text: headings and lists in Markdown, a table's row a line. */
export interface ReadText {
  text: string;
  title?: string;
}

/** An article that holds less of the page's text than this was not found, whatever was taken for it. */
const LEAST_SHARE_OF_PAGE = 0.2;
/** A tree of more parts is no article, and costs too much to look for one in. */
const MOST_NODES = 20_000;

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addInline(`${"#".repeat(Number(element.name?.slice(1) ?? 1))} `);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addInline(" | ");
};

const LONGEST_HTML = 64 * 1024 * 1024;

/** Addresses and images are no text to search or to understand; what a link says is. */
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: LONGEST_HTML },
  formatters: { heading, row, cell },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    { selector: "button", format: "skip" },
    { selector: "head", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, format: "heading" })),
    { selector: "ul", options: { itemPrefix: "- " } },
    { selector: "blockquote", format: "block" },
    { selector: "table", format: "block" },
    { selector: "tr", format: "row" },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
  ],
};

const toText = compile(OPTIONS);

/**
 * The text of an HTML document. Of a `page` of a website the article alone, if it has one: without navigation, banners and
 * the like.
 */
export function readHtml(html: string, { page = false } = {}): ReadText {
  const { html: flat, title, nodes } = flattenHtml(html);
  const whole = toMarkdown(flat);
  const article = page && nodes <= MOST_NODES ? articleIn(flat) : "";
  const isFound = article !== "" && article.length >= whole.length * LEAST_SHARE_OF_PAGE;
  return { text: isFound ? article : whole, ...(title !== undefined && { title }) };
}

/** Empty where there is none. Looking takes the tree apart in ways that its size may be too much for. */
function articleIn(flat: string): string {
  const { document } = parseHTML(/<html[\s>]/.test(flat) ? flat : `<html><body>${flat}</body></html>`);
  try {
    return toMarkdown(new Readability(document, { maxElemsToParse: MOST_NODES }).parse()?.content ?? "");
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

function toMarkdown(html: string): string {
  return tidy(toText(html));
}

/** Line by line, since a pattern for blanks at the end of a line takes time by the square of their number. */
function tidy(text: string): string {
  const lines = text.split("\n").map((line) => {
    const trimmed = line.trimEnd();
    return trimmed.endsWith(" |") ? trimmed.slice(0, -2).trimEnd() : trimmed;
  });
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
