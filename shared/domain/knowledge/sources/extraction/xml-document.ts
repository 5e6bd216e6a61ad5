import type { Json, JsonObject } from "../../../../ports/json.ts";
import { readHtml } from "./html.ts";
import type { Reading } from "./jobs.ts";
import { writeJson } from "./json.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { UnreadableError } from "./unreadable.ts";
import { type Attributes, readXml } from "./xml.ts";

/** Maximum elements of a document; a larger one is read as plain text. */
const MAX_ELEMENTS = 300_000;
const MAX_TITLE_LENGTH = 300;
/** Attributes that describe the markup, not its content. */
const MARKUP_ATTRIBUTE = /^(?:xmlns(?::.*)?|xml:.*|xsi:.*)$/;

interface Element {
  name: string;
  attributes: Attributes;
  /** Its text and elements in order. */
  content: (string | Element)[];
}

/**
 * The text of an XML document: a feed by its items, prose in its order, other data by the names of its elements with
 * similar ones as a table. Throws UnreadableError.
 */
export function readXmlDocument(xml: string): Reading {
  const root = parse(xml);
  const writer = new MarkdownWriter();
  const items = itemsOf(root);
  if (items) writeFeed(writer, root, items);
  else if (isProse(root)) writeProse(writer, root, 1);
  else writeJson(writer, toJson(root));
  const title = titleOf(items ? (childOf(root, "channel") ?? root) : root);
  return {
    text: writer.text,
    ...(title !== "" && { title }),
    ...(writer.isCut && { details: { text_cut: true } }),
  };
}

function parse(xml: string): Element {
  const top: Element = { name: "", attributes: {}, content: [] };
  const open = [top];
  let count = 0;
  readXml(xml, {
    doctype: true,
    openAny: (name, attributes) => {
      if (++count > MAX_ELEMENTS) throw new UnreadableError(`it has more than ${MAX_ELEMENTS} elements`);
      const element: Element = { name, attributes, content: [] };
      open.at(-1)?.content.push(element);
      open.push(element);
    },
    closeAny: () => open.pop(),
    text: (part) => open.at(-1)?.content.push(part),
  });
  const root = childrenOf(top)[0];
  if (!root) throw new UnreadableError("it is not valid XML");
  return root;
}

function childrenOf({ content }: Element): Element[] {
  return content.filter((part) => typeof part !== "string");
}

function childOf(element: Element, ...names: string[]): Element | undefined {
  return childrenOf(element).find(({ name }) => names.includes(name));
}

/** Whether text stands beside elements, as in a sentence. */
function isMixed({ content }: Element): boolean {
  return (
    content.some((part) => typeof part !== "string") &&
    content.some((part) => typeof part === "string" && part.trim() !== "")
  );
}

function textOf(element: Element | undefined): string {
  return element ? rawTextOf(element).replace(/\s+/g, " ").trim() : "";
}

/** All text of an element; depth is bounded by the parser. */
function rawTextOf(element: Element): string {
  const parts = element.content.map((part) => (typeof part === "string" ? part : rawTextOf(part)));
  return parts.join(isMixed(element) || childrenOf(element).length === 0 ? "" : " ");
}

function titleOf(element: Element): string {
  return textOf(childOf(element, "title")).slice(0, MAX_TITLE_LENGTH);
}

// ---------------------------------------------------------------- feeds

/** The items of an RSS or Atom feed; undefined for other documents. */
function itemsOf(root: Element): Element[] | undefined {
  if (root.name === "feed") return childrenOf(root).filter(({ name }) => name === "entry");
  if (root.name !== "rss" && root.name !== "RDF") return undefined;
  const channel = childOf(root, "channel");
  return channel && [...childrenOf(channel), ...childrenOf(root)].filter(({ name }) => name === "item");
}

function writeFeed(writer: MarkdownWriter, root: Element, items: Element[]): void {
  const head = childOf(root, "channel") ?? root;
  writer.heading(1, titleOf(head));
  writer.paragraph(textOf(childOf(head, "description", "subtitle")));
  for (const item of items) {
    const link = childOf(item, "link");
    const categories = childrenOf(item).filter(({ name }) => name === "category");
    const lines = [
      ["Date", textOf(childOf(item, "pubDate", "published", "updated", "date"))],
      ["Author", textOf(childOf(item, "author", "creator"))],
      ["Category", categories.map((category) => category.attributes.term ?? textOf(category)).join(", ")],
      ["Link", textOf(link) || (link?.attributes.href ?? "")],
    ];
    writer.heading(2, titleOf(item));
    writer.paragraph(
      lines
        .filter(([, value]) => value !== "")
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n"),
    );
    const body = childOf(item, "encoded", "content") ?? childOf(item, "description", "summary");
    writer.markdown(readHtml(textOf(body)).text.replace(/^(?=#{1,4} )/gm, "##"));
  }
}

// ---------------------------------------------------------------- prose and data

/** Whether text stands between elements, or elements of a name are interrupted by others: their order matters. */
function isProse(element: Element): boolean {
  const children = childrenOf(element);
  if (isMixed(element)) return true;
  const ended = new Set<string>();
  for (const [index, { name }] of children.entries()) {
    if (ended.has(name)) return true;
    if (children[index + 1]?.name !== name) ended.add(name);
  }
  return children.some(isProse);
}

function writeProse(writer: MarkdownWriter, element: Element, level: number): void {
  const children = childrenOf(element);
  if (children.length === 0 || isMixed(element)) {
    if (/^(?:title|head|heading)$/i.test(element.name)) writer.heading(level - 1, textOf(element));
    else writer.paragraph(textOf(element));
    return;
  }
  for (const child of children) writeProse(writer, child, level + 1);
}

/** An element as JSON: its attributes and elements by name, those of one name as a list. */
function toJson(element: Element): Json {
  const attributes = Object.entries(element.attributes).filter(([name]) => !MARKUP_ATTRIBUTE.test(name));
  const children = childrenOf(element);
  if (attributes.length === 0 && children.length === 0) return textOf(element);
  const members = new Map<string, Json[]>();
  for (const [name, value] of attributes) members.set(name, [value]);
  for (const child of children) {
    const known = members.get(child.name);
    if (known) known.push(toJson(child));
    else members.set(child.name, [toJson(child)]);
  }
  if (children.length === 0 && textOf(element) !== "") members.set("text", [textOf(element)]);
  const value: JsonObject = {};
  for (const [name, values] of members) value[name] = values.length === 1 ? (values[0] as Json) : values;
  return value;
}
