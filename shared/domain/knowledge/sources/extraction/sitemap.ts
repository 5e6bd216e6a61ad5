import { Tokenizer } from "htmlparser2";
import { UnreadableError } from "./unreadable.ts";

/** Maximum URLs of one sitemap (sitemaps.org); further ones are dropped. */
const MAX_LOCATIONS = 50_000;
const MAX_LOCATION_LENGTH = 2_048;
/** Maximum element depth; a sitemap needs four, with images and translations a few more. */
const MAX_DEPTH = 32;
const LOCATION = "loc";

export interface Sitemap {
  locations: string[];
  /** Whether the URLs are other sitemaps. */
  isIndex: boolean;
  /** Whether URLs were dropped. */
  isCut: boolean;
}

/** Parses a sitemap, a sitemap index or a plain list of URLs. Linear time. Throws UnreadableError. */
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

/** The tokenizer keeps no stack of open elements, which a parser would search at each tag. */
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
    if (++this.#depth > MAX_DEPTH) throw new UnreadableError(`its elements are nested more than ${MAX_DEPTH} deep`);
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

  /** `closing`: the length of the `]]` before `end`. */
  oncdata(start: number, end: number, closing: number): void {
    this.#addText(this.#text.slice(start, end - closing));
  }

  ontextentity(codepoint: number): void {
    this.#addText(String.fromCodePoint(codepoint));
  }

  /** Keeps one character more than the maximum, so that a URL that is too long can be recognized and excluded. */
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
