import { TokenReader } from "./token-reader.ts";
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
  if (/^\s*</.test(text)) {
    const { list, isIndex } = new SitemapReader(text).read({ xmlMode: true });
    return { ...list, isIndex };
  }
  const list = new LocationList();
  for (const { 0: location } of text.matchAll(/\S+/g)) list.add(location);
  return { ...list, isIndex: false };
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

class SitemapReader extends TokenReader {
  readonly list = new LocationList();
  isIndex = false;
  #depth = 0;
  #location: string | undefined;

  override onopentagname(start: number, end: number): void {
    const name = this.markup.slice(start, end);
    if (++this.#depth > MAX_DEPTH) throw new UnreadableError(`its elements are nested more than ${MAX_DEPTH} deep`);
    if (name === "sitemapindex") this.isIndex = true;
    if (name === LOCATION) this.#location = "";
  }

  override onselfclosingtag(): void {
    this.#depth--;
    this.#location = undefined;
  }

  override onclosetag(start: number, end: number): void {
    this.#depth--;
    if (this.markup.slice(start, end) !== LOCATION || this.#location === undefined) return;
    this.list.add(this.#location.trim());
    this.#location = undefined;
  }

  /** `closing`: the length of the `]]` before `end`. */
  override oncdata(start: number, end: number, closing: number): void {
    this.addText(this.markup.slice(start, end - closing));
  }

  /** Keeps one character more than the maximum, so that a URL that is too long can be recognized and excluded. */
  protected override addText(text: string): void {
    if (this.#location === undefined || this.#location.length > MAX_LOCATION_LENGTH) return;
    this.#location = (this.#location + text).slice(0, MAX_LOCATION_LENGTH + 1);
  }
}
