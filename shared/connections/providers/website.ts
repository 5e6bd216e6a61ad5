import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { sha256 } from "../../kernel/digest.ts";
import type { Json } from "../../platform/ports.ts";
import type { PageLinks } from "../../sources/extraction/links.ts";
import { readApart } from "../../sources/extraction/read-apart.ts";
import type { Sitemap } from "../../sources/extraction/sitemap.ts";
import { Unreadable } from "../../sources/extraction/unreadable.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import { CredentialsRefused, Postponed, ProviderFailed } from "./faults.ts";
import { roomIn, sizeOf } from "./place.ts";
import type { Listing, Position, ProviderSession, ReadDocument, SessionTools } from "./provider.ts";
import { discard } from "./requests.ts";
import { parseRobots, type Robots } from "./robots.ts";

/** What robots.txt calls us by; the request's User-Agent begins with it. */
const ROBOT = "memory-service";
const PAGES_A_PART = 5;
const MOST_SITEMAPS = 20;
/** Of one page, kept for when it has not changed. */
const MOST_LINKS = 200;
const MOST_URL_LENGTH = 1000;
/** Addresses of pages that are kept of all sitemaps. */
const MAX_SITEMAP_PAGES = 50_000;
/** Indexes within indexes of sitemaps; sitemaps.org knows of one. */
const MAX_INDEX_DEPTH = 3;
/** Addresses that are checked against robots.txt before other work gets its turn. */
const ADDRESSES_A_TURN = 100;
const USUAL_DELAY_MS = 100;
/** Between pages, whatever robots.txt asks for, so that each turn comes to some; and between sitemaps. */
const LONGEST_DELAY_MS = 15_000;
const LONGEST_SITEMAP_DELAY_MS = 1_000;
const READABLE = /^(?:text\/|application\/(?:xhtml\+xml|pdf))/i;
const HTML = /^(?:text\/html|application\/xhtml\+xml)/i;

const Place = z.object({
  /** Addresses to be visited, in order. */
  waiting: z.array(z.string()),
  /** Short hashes of all that were ever put there. */
  met: z.array(z.string()),
  visited: z.number(),
  /** Others were left out: there was no room for them, or they are in sitemaps that were left out. */
  is_cut: z.boolean().default(false),
});
type Place = z.infer<typeof Place>;

/** A page as it was fetched, until it is read. */
interface Page {
  bytes: Uint8Array;
  contentType: string;
}

interface Crawl {
  settings: SettingsOf<"web_crawler">;
  tools: SessionTools;
  robots: Robots;
  /** Between two requests. */
  delayMs: number;
  pages: Map<string, Page>;
}

/**
 * A website's pages: those of its sitemaps and those they link to on the same host, as far as robots.txt and the pages
 * themselves allow (RFC 9309; `noindex`, `nofollow`). Pages are asked for by their ETag or date, where they have any.
 */
export function openWebsite(settings: SettingsOf<"web_crawler">, tools: SessionTools): ProviderSession {
  let opening: Promise<Crawl> | undefined;
  const open = () => (opening ??= openCrawl(settings, tools));
  return {
    list: async (position) => listPart(await open(), position),
    read: async (document) => readPage(await open(), document),
  };
}

async function openCrawl(settings: SettingsOf<"web_crawler">, tools: SessionTools): Promise<Crawl> {
  const address = new URL("/robots.txt", settings.url).href;
  const response = await ask(tools, address);
  // What is not there forbids nothing; what cannot be asked for is no leave (RFC 9309, 2.3.1).
  const rules = response.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
  if (!response.ok) await discard(response);
  const robots = parseRobots(rules, ROBOT);
  const asked = (robots.crawlDelay ?? 0) * 1000;
  const delayMs = Math.min(LONGEST_DELAY_MS, Math.max(USUAL_DELAY_MS, asked));
  return { settings, tools, robots, delayMs, pages: new Map() };
}

// ---------------------------------------------------------------- listing

async function listPart(crawl: Crawl, { place }: Position): Promise<Listing> {
  const known = Place.safeParse(place);
  if (!known.success) return { found: [], next: (await begin(crawl)) as Json };
  const at = known.data;
  const { max_pages } = crawl.settings;
  // The cap may have been lowered in between.
  const part = at.waiting.slice(0, Math.min(PAGES_A_PART, Math.max(0, max_pages - at.visited)));
  const before = await crawl.tools.known(part);
  const listing: Listing = { found: [], gone: [] };
  for (const url of part) {
    const visit = await visitPage(crawl, url, before.get(url)).catch((error: unknown) => {
      // Those that were visited are not to be visited again.
      if (error instanceof Postponed && at.waiting[0] !== part[0]) return undefined;
      throw error;
    });
    if (visit === undefined) break;
    at.waiting.shift();
    at.visited++;
    if (visit === "gone") listing.gone?.push(url);
    else if (visit !== "not ours") {
      at.is_cut ||= visit.isCut;
      await meet(crawl, at, visit.links);
      if (visit.found) listing.found.push(visit.found);
    }
  }
  const isAll = at.waiting.length === 0;
  if (!isAll && at.visited < max_pages) return { ...listing, next: at as Json };
  return { ...listing, isInventory: isAll && !at.is_cut };
}

async function begin(crawl: Crawl): Promise<Place> {
  const { pages, isCut } = await readSitemaps(crawl);
  const at: Place = { waiting: [], met: [], visited: 0, is_cut: isCut };
  await meet(crawl, at, [crawl.settings.url, ...pages]);
  return at;
}

/**
 * Notes addresses that were not met before, are on the site, and may be visited: as many as there is room for in the
 * place, and none that would be beyond the cap when it is their turn.
 */
async function meet({ settings, robots }: Crawl, at: Place, links: Iterable<string>): Promise<void> {
  const met = new Set(at.met);
  let room = roomIn(at);
  let checked = 0;
  for (const url of onSite(settings, links)) {
    if (++checked % ADDRESSES_A_TURN === 0) await nextTurn();
    const mark = createHash("sha256").update(url).digest("base64url").slice(0, 12);
    if (met.has(mark) || robots.isDisallowed(url)) continue;
    room -= sizeOf(url) + sizeOf(mark);
    if (room < 0 || at.waiting.length >= settings.max_pages - at.visited) {
      at.is_cut = true;
      return;
    }
    met.add(mark);
    at.met.push(mark);
    at.waiting.push(url);
  }
}

/** Addresses of the site among those that a page leads to, each once and without its fragment. */
function* onSite({ url: site }: Crawl["settings"], links: Iterable<string>): Generator<string, void> {
  const { host } = new URL(site);
  const addresses = new Set<string>();
  for (const link of links) {
    const url = URL.parse(link);
    if (!url || !/^https?:$/.test(url.protocol) || url.host !== host || url.href.length > MOST_URL_LENGTH) continue;
    url.hash = "";
    if (addresses.has(url.href)) continue;
    addresses.add(url.href);
    yield url.href;
  }
}

interface Visit {
  /** Absent where the page has nothing to be kept, or wants none of it kept. */
  found?: FoundDocument;
  links: string[];
  /** It leads to more than what is in `links`. */
  isCut: boolean;
}

async function visitPage(
  crawl: Crawl,
  url: string,
  before: FoundDocument | undefined,
): Promise<Visit | "gone" | "not ours"> {
  // Where not all of its links were kept, only the page itself tells them.
  const whole = before && linksIn(before).length < MOST_LINKS ? before : undefined;
  const response = await get(crawl, url, whole);
  if (whole && response.status === 304) return { found: whole, links: linksIn(whole), isCut: false };
  if (response.status === 404 || response.status === 410) {
    await discard(response);
    return "gone";
  }
  const contentType = response.headers.get("content-type") ?? "";
  const isElsewhere = new URL(response.url).host !== new URL(crawl.settings.url).host;
  if (!response.ok || isElsewhere || !READABLE.test(contentType)) {
    await discard(response);
    return "not ours";
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { links: leads, rules, isCut } = await examine(crawl, bytes, contentType, response.url);
  const said = `${response.headers.get("x-robots-tag") ?? ""},${rules}`.toLowerCase();
  const links = /\b(?:nofollow|none)\b/.test(said) ? [] : [...onSite(crawl.settings, leads)];
  if (/\b(?:noindex|none)\b/.test(said)) return { links, isCut };
  crawl.pages.set(url, { bytes, contentType });
  const hint = {
    links: links.slice(0, MOST_LINKS),
    ...headerIn(response, "etag"),
    ...headerIn(response, "last-modified"),
  };
  const version = sha256(bytes);
  return { found: { external_id: url, version, hint }, links, isCut };
}

async function get({ tools, delayMs }: Crawl, url: string, before?: FoundDocument): Promise<Response> {
  await tools.pause(delayMs);
  const { etag, "last-modified": modified } = before?.hint ?? {};
  return ask(tools, url, {
    ...(typeof etag === "string" && { "if-none-match": etag }),
    ...(typeof modified === "string" && { "if-modified-since": modified }),
  });
}

/** What refuses us is not for us: a site has no credentials that could be renewed. */
async function ask({ fetch }: SessionTools, url: string, headers: Record<string, string> = {}): Promise<Response> {
  try {
    return await fetch(url, { headers });
  } catch (error) {
    if (error instanceof CredentialsRefused) return new Response(null, { status: 403 });
    throw error;
  }
}

function headerIn(response: Response, name: "etag" | "last-modified") {
  const value = response.headers.get(name);
  return value === null ? {} : { [name]: value };
}

function linksIn({ hint }: FoundDocument): string[] {
  return Array.isArray(hint.links) ? hint.links.map(String) : [];
}

/**
 * Where an HTML page leads to, and what it tells robots; nothing of any other document. Of a page that cannot be read no
 * link is known, and reading its text says why.
 */
async function examine(crawl: Crawl, bytes: Uint8Array, declared: string, url: string): Promise<PageLinks> {
  if (!HTML.test(declared)) return NO_LINKS;
  try {
    const { links = NO_LINKS } = await readApart({ kind: "links", bytes, declared, url }, crawl.tools);
    return links;
  } catch (error) {
    if (error instanceof Unreadable) return { ...NO_LINKS, isCut: true };
    throw error;
  }
}

const NO_LINKS: PageLinks = { links: [], rules: "", isCut: false };

// ---------------------------------------------------------------- sitemaps

/**
 * Addresses in the sitemaps that the settings or robots.txt name, else in the usual one, and in those that these name.
 * `isCut`: there are more sitemaps or pages than are read.
 */
async function readSitemaps(crawl: Crawl): Promise<{ pages: Set<string>; isCut: boolean }> {
  const { url, sitemap_url } = crawl.settings;
  const named = sitemap_url === undefined ? crawl.robots.sitemaps : [sitemap_url];
  const addresses = named.length > 0 ? named : [new URL("/sitemap.xml", url).href];
  const sitemaps = addresses.map((address) => ({ address, depth: 0 }));
  const pages = new Set<string>();
  const { host } = new URL(url);
  let isCut = false;
  for (let place = 0; place < Math.min(sitemaps.length, MOST_SITEMAPS); place++) {
    const { address: sitemap = "", depth = 0 } = sitemaps[place] ?? {};
    if (URL.parse(sitemap)?.host !== host) continue;
    const response = await get({ ...crawl, delayMs: Math.min(LONGEST_SITEMAP_DELAY_MS, crawl.delayMs) }, sitemap);
    if (!response.ok) {
      await discard(response);
      continue;
    }
    const { locations, ...read } = await readLocations(crawl, sitemap, response);
    const kept = read.isIndex ? locations : locations.slice(0, MAX_SITEMAP_PAGES - pages.size);
    isCut ||= read.isCut || kept.length < locations.length || (read.isIndex && depth >= MAX_INDEX_DEPTH);
    for (const address of kept) {
      if (!read.isIndex) pages.add(address);
      else if (depth < MAX_INDEX_DEPTH && sitemaps.length <= MOST_SITEMAPS)
        sitemaps.push({ address, depth: depth + 1 });
    }
  }
  return { pages, isCut: isCut || sitemaps.length > MOST_SITEMAPS };
}

async function readLocations(crawl: Crawl, sitemap: string, response: Response): Promise<Sitemap> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const declared = response.headers.get("content-type") ?? "";
  try {
    const { sitemap: read } = await readApart({ kind: "sitemap", bytes, declared }, crawl.tools);
    return read ?? { locations: [], isIndex: false, isCut: false };
  } catch (error) {
    if (error instanceof Unreadable)
      throw new ProviderFailed(`The sitemap ${sitemap} cannot be read: ${error.message}.`);
    throw error;
  }
}

// ---------------------------------------------------------------- reading

async function readPage(crawl: Crawl, { external_id: url }: FoundDocument): Promise<ReadDocument | "gone" | "unfit"> {
  const page = crawl.pages.get(url) ?? (await fetchAgain(crawl, url));
  crawl.pages.delete(url);
  if (!page) return "gone";
  if (page.bytes.byteLength === 0) return "unfit";
  const { bytes, contentType } = page;
  if (!HTML.test(contentType)) {
    return { url, content: { file: { bytes, name: nameOf(url), content_type: contentType } } };
  }
  const { text = "", title } = await readApart({ kind: "html", bytes, declared: contentType, page: true }, crawl.tools);
  return text.trim() === "" ? "unfit" : { url, content: { text }, ...(title !== undefined && { title }) };
}

/** For a page that another turn found. */
async function fetchAgain(crawl: Crawl, url: string): Promise<Page | undefined> {
  if (crawl.robots.isDisallowed(url)) return undefined;
  const response = await get(crawl, url);
  if (response.ok) {
    const contentType = response.headers.get("content-type") ?? "";
    return { bytes: new Uint8Array(await response.arrayBuffer()), contentType };
  }
  await discard(response);
  if (response.status === 404 || response.status === 410) return undefined;
  throw new ProviderFailed(`The page answers with the status ${response.status}.`);
}

function nameOf(url: string): string {
  return new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "index";
}
