import { isLinkTarget } from "./links.ts";
import { TokenReader } from "./token-reader.ts";

/** Maximum element depth; deeper elements lose their tags and keep their text. */
const MAX_DEPTH = 100;
/** Elements that keep their tags; later ones keep only text. */
const MAX_ELEMENTS = 40_000;
const MAX_ATTRIBUTE_LENGTH = 500;
const MAX_TITLE_LENGTH = 300;

/** Elements whose content is not document text. */
const DROPPED = new Set(
  "script style noscript template svg math iframe object applet canvas audio video select textarea".split(" "),
);
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements with optional end tags: the next element of the same family ends them. */
const FAMILIES = [["p"], ["li"], ["dt", "dd"], ["td", "th"], ["tr"], ["option"]];
const FAMILY = new Map(FAMILIES.flatMap((family) => family.map((name) => [name, family] as const)));
/** Block-level elements. */
const BLOCK =
  /^(?:address|article|aside|blockquote|br|dd|details|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)$/;
/** Attributes needed to find the article and its title. */
const KEPT_ATTRIBUTES = new Set(
  "class id role itemprop property name content rel lang hidden aria-hidden colspan rowspan datetime href".split(" "),
);
/** The extra length of "&lt;" over "<". */
const SHORTEST_ESCAPE = 3;
const HIDING = /display\s*:\s*none/i;
const TAG_NAME = /^[a-z][a-z0-9]{0,30}$/;

export interface FlatHtml {
  html: string;
  /** The document's title: from metadata, its head, or its first heading. */
  title?: string;
  /** Approximate number of nodes of its tree. */
  nodes: number;
}

/** The document without scripts, comments and unneeded attributes, bounded for tree parsers. Linear time. */
export function flattenHtml(html: string): FlatHtml {
  return new Flattener(html).read().finish();
}

type TitleSearch = "shared" | "title" | "h1";

class Flattener extends TokenReader {
  readonly #out: string[] = [];
  readonly #open: string[] = [];
  readonly #titles: Record<TitleSearch, string> = { shared: "", title: "", h1: "" };
  /** The open element whose text becomes the title. */
  #titling: TitleSearch | undefined;
  /** The number of open elements beyond the maximum depth. */
  #beyond = 0;
  /** The open element whose content is dropped, with its nesting in elements of the same name. */
  #dropped: { name: string; depth: number } | undefined;
  #elements = 0;
  #nodes = 0;
  #name = "";
  #attributes: [name: string, value: string][] = [];

  finish(): FlatHtml {
    while (this.#open.length > 0) this.#close();
    const { shared, title, h1 } = this.#titles;
    const bestTitle = [shared, title, h1].map((text) => text.replace(/\s+/g, " ").trim()).find((text) => text !== "");
    const html = this.#out.join("");
    return {
      html,
      nodes: this.#nodes,
      ...(bestTitle !== undefined && { title: bestTitle.slice(0, MAX_TITLE_LENGTH) }),
    };
  }

  override oncdata(start: number, end: number): void {
    this.addText(this.markup.slice(start, end));
  }

  protected override addText(text: string): void {
    if (this.#dropped) return;
    const escaped = escapeText(text);
    // Each escape becomes a separate text node.
    this.#nodes += 1 + (escaped.length - text.length) / SHORTEST_ESCAPE;
    this.#out.push(escaped);
    const titleSoFar = this.#titling && this.#titles[this.#titling];
    if (this.#titling && titleSoFar !== undefined && titleSoFar.length < MAX_TITLE_LENGTH)
      this.#titles[this.#titling] += text;
  }

  override onopentagname(start: number, end: number): void {
    this.#name = this.markup.slice(start, end).toLowerCase();
    this.#attributes = [];
  }

  override onattribname(start: number, end: number): void {
    this.#attributes.push([this.markup.slice(start, Math.min(end, start + MAX_ATTRIBUTE_LENGTH)).toLowerCase(), ""]);
  }

  protected override addToAttribute(text: string): void {
    const last = this.#attributes.at(-1);
    if (last && last[1].length < MAX_ATTRIBUTE_LENGTH) last[1] += text.slice(0, MAX_ATTRIBUTE_LENGTH);
  }

  override onopentagend(): void {
    const name = this.#name;
    if (this.#dropped) {
      if (name === this.#dropped.name) this.#dropped.depth++;
      return;
    }
    if (DROPPED.has(name)) {
      this.#dropped = { name, depth: 1 };
      return;
    }
    if (this.#beyond === 0) this.#endFamilyOf(name);
    if (this.#open.length < MAX_DEPTH && this.#elements < MAX_ELEMENTS && this.#beyond === 0 && TAG_NAME.test(name)) {
      this.#openTag(name);
      return;
    }
    if (!VOID.has(name) && this.#open.length >= MAX_DEPTH) this.#beyond++;
    this.#breakLine(name);
  }

  /** In HTML the slash has no meaning, but dropped foreign elements end with it. */
  override onselfclosingtag(): void {
    const wasDropped = this.#dropped !== undefined;
    this.onopentagend();
    if (!wasDropped) this.#dropped = undefined;
  }

  override onclosetag(start: number, end: number): void {
    const name = this.markup.slice(start, end).toLowerCase();
    if (this.#dropped) {
      if (name === this.#dropped.name && --this.#dropped.depth === 0) this.#dropped = undefined;
      return;
    }
    if (this.#beyond > 0) {
      this.#beyond--;
      this.#breakLine(name);
      return;
    }
    const depth = this.#open.lastIndexOf(name);
    if (depth < 0) return;
    while (this.#open.length > depth) this.#close();
  }

  #openTag(name: string): void {
    this.#elements++;
    this.#nodes++;
    this.#readTitle(name);
    const keptAttributes = this.#attributes.flatMap(([attribute, value]) => {
      if (attribute === "style") return HIDING.test(value) ? " hidden" : [];
      if (attribute === "href" && (name !== "a" || !isLinkTarget(value))) return [];
      return KEPT_ATTRIBUTES.has(attribute) ? ` ${attribute}="${escapeText(value).replaceAll('"', "&quot;")}"` : [];
    });
    this.#out.push(`<${name}${keptAttributes.join("")}>`);
    if (!VOID.has(name)) this.#open.push(name);
  }

  #readTitle(name: string): void {
    if ((name === "title" || name === "h1") && this.#titles[name] === "") this.#titling = name;
    if (name !== "meta") return;
    const { property, content } = Object.fromEntries(this.#attributes);
    if (property === "og:title" && content !== undefined) this.#titles.shared ||= content;
  }

  #breakLine(name: string): void {
    if (!BLOCK.test(name)) return;
    this.#elements++;
    this.#nodes++;
    this.#out.push(this.#elements < MAX_ELEMENTS ? "<br>" : "\n");
  }

  #endFamilyOf(name: string): void {
    const top = () => this.#open.at(-1) ?? "";
    if (name === "tr" && FAMILY.get("td")?.includes(top())) this.#close();
    if (FAMILY.get(name)?.includes(top())) this.#close();
  }

  #close(): void {
    const name = this.#open.pop();
    if (name === this.#titling) this.#titling = undefined;
    this.#out.push(`</${name}>`);
  }
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
