import { Tokenizer } from "htmlparser2";
import { Unreadable } from "./unreadable.ts";

/** Addresses of one sitemap (sitemaps.org); those beyond are left out. */
const MAX_LOCATIONS = 50_000;
const MAX_LOCATION_LENGTH = 2_048;
/** Elements within elements; a sitemap needs four, one with images and translations a few more. */
const MAX_DEPTH = 32;
const LOCATION = "loc";

export interface Sitemap {
  locations: string[];
  /** The addresses are those of other sitemaps. */
  isIndex: boolean;
  /** There are more addresses. */
  isCut: boolean;
}

/** Reads a sitemap, an index of sitemaps or a plain list of addresses. Linear in time. Throws Unreadable. */
export function readSitemap(text: string): Sitemap {
  return /^\s*</.test(text) ? readXml(text) : readList(text);
}

function readList(text: string): Sitemap {
  const list = new LocationList();
  for (const { 0: location } of text.matchAll(/\S+/g)) list.add(location);
  return { locations: list.locations, isIndex: false, isCut: list.isCut };
}

function readXml(text: string): Sitemap {
  const reader = new SitemapReader(text);
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, reader);
  tokenizer.write(text);
  tokenizer.end();
  return { locations: reader.list.locations, isIndex: reader.isIndex, isCut: reader.list.isCut };
}

class LocationList {
  readonly locations: string[] = [];
  isCut = false;

  add(location: string): void {
    if (location.length > MAX_LOCATION_LENGTH) return;
    if (this.locations.length < MAX_LOCATIONS) this.locations.push(location);
    else this.isCut = true;
  }
}

/** The tokenizer keeps no stack of open elements, which a parser searches at each tag. */
class SitemapReader {
  readonly list = new LocationList();
  isIndex = false;
  readonly #text: string;
  #depth = 0;
  #location: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  onopentagname(start: number, end: number): void {
    const name = this.#text.slice(start, end);
    if (++this.#depth > MAX_DEPTH) throw new Unreadable(`its elements are nested more than ${MAX_DEPTH} deep`);
    if (name === "sitemapindex") this.isIndex = true;
    if (name === LOCATION) this.#location = "";
  }

  onselfclosingtag(): void {
    this.#depth--;
    this.#location = undefined;
  }

  onclosetag(start: number, end: number): void {
    this.#depth--;
    if (this.#text.slice(start, end) !== LOCATION || this.#location === undefined) return;
    this.list.add(this.#location.trim());
    this.#location = undefined;
  }

  ontext(start: number, end: number): void {
    this.#addText(this.#text.slice(start, end));
  }

  /** `closing`: the length of the `]]` that `end` is behind. */
  oncdata(start: number, end: number, closing: number): void {
    this.#addText(this.#text.slice(start, end - closing));
  }

  ontextentity(codepoint: number): void {
    this.#addText(String.fromCodePoint(codepoint));
  }

  /** What is too long is kept one character too long, by which it is left out. */
  #addText(text: string): void {
    if (this.#location === undefined || this.#location.length > MAX_LOCATION_LENGTH) return;
    this.#location = (this.#location + text).slice(0, MAX_LOCATION_LENGTH + 1);
  }

  onopentagend(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
