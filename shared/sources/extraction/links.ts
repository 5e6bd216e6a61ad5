import { Tokenizer } from "htmlparser2";

/** Links of one page; those beyond are left out. No page for people has as many. */
const MAX_LINKS = 5_000;
const MAX_ATTRIBUTE_LENGTH = 2_048;
/** Of what a page tells robots. */
const MAX_RULES_LENGTH = 2_048;
const ELEMENTS = new Set(["a", "base", "meta"]);
const FOR_ROBOTS = /^(?:robots|memory-service)$/i;

export interface PageLinks {
  /** Absolute addresses without fragments, each once. */
  links: string[];
  /** What its meta elements tell robots, such as "noindex,nofollow". */
  rules: string;
  /** There are more links. */
  isCut: boolean;
}

/** Finds where an HTML page leads to, and what it tells robots. `url` is the page's own address. Linear in time. */
export function readLinks(html: string, url: string): PageLinks {
  const reader = new LinkReader(html, url);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  return { links: [...reader.links], rules: reader.rules, isCut: reader.isCut };
}

/** The tokenizer keeps no stack of open elements, which a parser searches at each tag. */
class LinkReader {
  readonly links = new Set<string>();
  rules = "";
  isCut = false;
  readonly #html: string;
  readonly #url: string;
  #base: string;
  #seen = 0;
  #element = "";
  #attribute = "";
  #attributes = new Map<string, string>();

  constructor(html: string, url: string) {
    this.#html = html;
    this.#url = url;
    this.#base = url;
  }

  onopentagname(start: number, end: number): void {
    const name = end - start <= "base".length ? this.#html.slice(start, end).toLowerCase() : "";
    this.#element = ELEMENTS.has(name) ? name : "";
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    if (this.#element === "") return;
    this.#attribute = this.#html.slice(start, Math.min(end, start + MAX_ATTRIBUTE_LENGTH)).toLowerCase();
    // Of two attributes with one name the first counts.
    if (this.#attributes.has(this.#attribute)) this.#attribute = "";
    else this.#attributes.set(this.#attribute, "");
  }

  onattribdata(start: number, end: number): void {
    this.#addToAttribute(this.#html.slice(start, Math.min(end, start + MAX_ATTRIBUTE_LENGTH)));
  }

  onattribentity(codepoint: number): void {
    this.#addToAttribute(String.fromCodePoint(codepoint));
  }

  #addToAttribute(text: string): void {
    const before = this.#attributes.get(this.#attribute);
    if (this.#element === "" || this.#attribute === "" || before === undefined) return;
    if (before.length < MAX_ATTRIBUTE_LENGTH) this.#attributes.set(this.#attribute, before + text);
  }

  onopentagend(): void {
    const href = this.#attributes.get("href");
    if (this.#element === "meta") this.#readMeta();
    else if (this.#element === "base" && href !== undefined)
      this.#base = URL.parse(href, this.#url)?.href ?? this.#base;
    else if (this.#element === "a" && href !== undefined) this.#addLink(href);
    this.#element = "";
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  #readMeta(): void {
    const rules = this.#attributes.get("content") ?? "";
    if (!FOR_ROBOTS.test(this.#attributes.get("name") ?? "")) return;
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

  ontext(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  onclosetag(): void {}
  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
