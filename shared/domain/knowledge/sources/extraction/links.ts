import { TokenReader } from "./token-reader.ts";

/** Maximum links per page; further ones are dropped. */
const MAX_LINKS = 5_000;
const MAX_ATTRIBUTE_LENGTH = 2_048;
/** Maximum length of a page's robots directives. */
const MAX_RULES_LENGTH = 2_048;
const ELEMENTS = new Set(["a", "base", "meta"]);
const ROBOTS_META_NAME = /^(?:robots|memory-service)$/i;

/** Link targets that tell a reader something; longer ones are mostly made to track who follows them. */
const TARGET = /^(?:https?:|mailto:|tel:)/i;
const MAX_TARGET_LENGTH = 250;

export function isLinkTarget(url: string): boolean {
  return url.length <= MAX_TARGET_LENGTH && TARGET.test(url) && !/\s/.test(url);
}

/** The target of a link as text behind its words; empty for one within the document. */
export function linkedTo(url = ""): string {
  return isLinkTarget(url) ? ` (${url.replace(/^(?:mailto|tel):/i, "")})` : "";
}

export interface PageLinks {
  /** Unique absolute URLs without fragments. */
  links: string[];
  /** Robots directives of its meta elements, such as "noindex,nofollow". */
  rules: string;
  /** Whether links were dropped. */
  isCut: boolean;
}

/** The links and robots directives of an HTML page. `url` is the page's URL. Linear time. */
export function readLinks(html: string, url: string): PageLinks {
  const { links, rules, isCut } = new LinkReader(html, url).read();
  return { links: [...links], rules, isCut };
}

class LinkReader extends TokenReader {
  readonly links = new Set<string>();
  rules = "";
  isCut = false;
  readonly #url: string;
  #base: string;
  #seen = 0;
  #element = "";
  #attribute = "";
  #attributes = new Map<string, string>();

  constructor(html: string, url: string) {
    super(html);
    this.#url = url;
    this.#base = url;
  }

  override onopentagname(start: number, end: number): void {
    const name = end - start <= "base".length ? this.markup.slice(start, end).toLowerCase() : "";
    this.#element = ELEMENTS.has(name) ? name : "";
    this.#attributes = new Map();
  }

  override onattribname(start: number, end: number): void {
    if (this.#element === "") return;
    this.#attribute = this.markup.slice(start, Math.min(end, start + MAX_ATTRIBUTE_LENGTH)).toLowerCase();
    // If an attribute is repeated, the first one counts.
    if (this.#attributes.has(this.#attribute)) this.#attribute = "";
    else this.#attributes.set(this.#attribute, "");
  }

  protected override addToAttribute(text: string): void {
    const before = this.#attributes.get(this.#attribute);
    if (this.#element === "" || this.#attribute === "" || before === undefined) return;
    if (before.length < MAX_ATTRIBUTE_LENGTH)
      this.#attributes.set(this.#attribute, before + text.slice(0, MAX_ATTRIBUTE_LENGTH));
  }

  override onopentagend(): void {
    const href = this.#attributes.get("href");
    if (this.#element === "meta") this.#readMeta();
    else if (this.#element === "base" && href !== undefined)
      this.#base = URL.parse(href, this.#url)?.href ?? this.#base;
    else if (this.#element === "a" && href !== undefined) this.#addLink(href);
    this.#element = "";
  }

  override onselfclosingtag(): void {
    this.onopentagend();
  }

  #readMeta(): void {
    const rules = this.#attributes.get("content") ?? "";
    if (!ROBOTS_META_NAME.test(this.#attributes.get("name") ?? "")) return;
    if (this.rules.length < MAX_RULES_LENGTH) this.rules += `,${rules.slice(0, MAX_RULES_LENGTH)}`;
  }

  #addLink(href: string): void {
    if (/\bnofollow\b/i.test(this.#attributes.get("rel") ?? "")) return;
    if (++this.#seen > MAX_LINKS) {
      this.isCut = true;
      return;
    }
    const link = href.length < MAX_ATTRIBUTE_LENGTH ? URL.parse(href, this.#base) : null;
    if (!link) return;
    link.hash = "";
    this.links.add(link.href);
  }
}
