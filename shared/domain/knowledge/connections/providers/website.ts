import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { sha256 } from "../../../../kernel/digest.ts";
import type { Json } from "../../../../ports/json.ts";
import { CredentialsRefusedError, ProviderError, RetryLaterError } from "../../../../ports/provider-faults.ts";
import type { PageLinks } from "../../sources/extraction/links.ts";
import { readIsolated } from "../../sources/extraction/read-isolated.ts";
import type { Sitemap } from "../../sources/extraction/sitemap.ts";
import { UnreadableError } from "../../sources/extraction/unreadable.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import { remainingBytes, sizeOf } from "./checkpoint-size.ts";
import type { Listing, Position, ProviderSession, ReadResult, SessionTools } from "./provider.ts";
import { discard, isAbsent, requireSuccess } from "./requests.ts";
import { parseRobots, type Robots } from "./robots.ts";

/** Our name in robots.txt; the User-Agent starts with it. */
const ROBOT = "memory-service";
const PAGES_PER_LISTING = 5;
const MAX_SITEMAPS = 20;
/** Maximum links stored per page, for a later run in which it is unchanged. */
const MAX_LINKS = 200;
const MAX_URL_LENGTH = 1000;
/** Maximum page URLs from all sitemaps. */
const MAX_SITEMAP_PAGES = 50_000;
/** Maximum nesting of sitemap indexes; sitemaps.org allows one level. */
const MAX_INDEX_DEPTH = 3;
/** URLs checked against robots.txt before other work gets its turn. */
const URLS_PER_TURN = 100;
const DEFAULT_DELAY_MS = 100;
/** Maximum delay between pages, even if robots.txt asks for more, so that each turn fetches some. */
const MAX_DELAY_MS = 15_000;
const MAX_SITEMAP_DELAY_MS = 1_000;
const READABLE = /^(?:text\/|application\/(?:xhtml\+xml|pdf))/i;
const HTML = /^(?:text\/html|application\/xhtml\+xml)/i;

const Checkpoint = z.object({
  /** URLs to visit, in order. */
  waiting: z.array(z.string()),
  /** Short hashes of all URLs ever queued. */
  met: z.array(z.string()),
  visited: z.number(),
  /** Whether other URLs were left out: there was no space, or they are in skipped sitemaps. */
  is_cut: z.boolean().default(false),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** A fetched page until it is read. */
interface Page {
  bytes: Uint8Array;
  contentType: string;
}

interface Crawl {
  settings: SettingsOf<"web_crawler">;
  tools: SessionTools;
  robots: Robots;
  /** Delay between two requests. */
  delayMs: number;
  pages: Map<string, Page>;
}

/**
 * The pages of a website: those of its sitemaps and those linked from them on the same host, as far as robots.txt and
 * the pages allow (RFC 9309; `noindex`, `nofollow`). Pages are requested conditionally by ETag or date, if they have
 * any.
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
  // A missing robots.txt forbids nothing; an unavailable one forbids everything (RFC 9309, 2.3.1).
  const rules = response.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array();
  if (!response.ok) await discard(response);
  const robots = parseRobots(rules, ROBOT);
  const requestedMs = (robots.crawlDelay ?? 0) * 1000;
  const delayMs = Math.min(MAX_DELAY_MS, Math.max(DEFAULT_DELAY_MS, requestedMs));
  return { settings, tools, robots, delayMs, pages: new Map() };
}

// ---------------------------------------------------------------- listing

async function listPart(crawl: Crawl, { place }: Position): Promise<Listing> {
  const stored = Checkpoint.safeParse(place);
  if (!stored.success) return { found: [], next: (await start(crawl)) as Json };
  const checkpoint = stored.data;
  const { max_pages } = crawl.settings;
  // The limit may have been lowered meanwhile.
  const part = checkpoint.waiting.slice(0, Math.min(PAGES_PER_LISTING, Math.max(0, max_pages - checkpoint.visited)));
  const before = await crawl.tools.known(part);
  const listing: Listing = { found: [], gone: [] };
  for (const url of part) {
    const visit = await visitPage(crawl, url, before.get(url)).catch((error: unknown) => {
      // Visited URLs are not visited again.
      if (error instanceof RetryLaterError && checkpoint.waiting[0] !== part[0]) return undefined;
      throw error;
    });
    if (visit === undefined) break;
    checkpoint.waiting.shift();
    checkpoint.visited++;
    if (visit === "gone") listing.gone?.push(url);
    else if (visit !== "skipped") {
      checkpoint.is_cut ||= visit.isCut;
      await enqueue(crawl, checkpoint, visit.links);
      if (visit.found) listing.found.push(visit.found);
    }
  }
  const isAll = checkpoint.waiting.length === 0;
  if (!isAll && checkpoint.visited < max_pages) return { ...listing, next: checkpoint as Json };
  return { ...listing, isInventory: isAll && !checkpoint.is_cut };
}

async function start(crawl: Crawl): Promise<Checkpoint> {
  const { pages, isCut } = await readSitemaps(crawl);
  const checkpoint: Checkpoint = { waiting: [], met: [], visited: 0, is_cut: isCut };
  await enqueue(crawl, checkpoint, [crawl.settings.url, ...pages]);
  return checkpoint;
}

/** Queues URLs of the site that are new and allowed: as many as fit in the checkpoint and within the page limit. */
async function enqueue({ settings, robots }: Crawl, checkpoint: Checkpoint, links: Iterable<string>): Promise<void> {
  const met = new Set(checkpoint.met);
  let freeBytes = remainingBytes(checkpoint);
  let checked = 0;
  for (const url of onSite(settings, links)) {
    if (++checked % URLS_PER_TURN === 0) await nextTurn();
    const shortHash = createHash("sha256").update(url).digest("base64url").slice(0, 12);
    if (met.has(shortHash) || robots.isDisallowed(url)) continue;
    freeBytes -= sizeOf(url) + sizeOf(shortHash);
    if (freeBytes < 0 || checkpoint.waiting.length >= settings.max_pages - checkpoint.visited) {
      checkpoint.is_cut = true;
      return;
    }
    met.add(shortHash);
    checkpoint.met.push(shortHash);
    checkpoint.waiting.push(url);
  }
}

/** Those of the links that belong to the site, each once and without fragment. */
function* onSite({ url: site }: Crawl["settings"], links: Iterable<string>): Generator<string, void> {
  const { host } = new URL(site);
  const addresses = new Set<string>();
  for (const link of links) {
    const url = URL.parse(link);
    if (!url || !/^https?:$/.test(url.protocol) || url.host !== host || url.href.length > MAX_URL_LENGTH) continue;
    url.hash = "";
    if (addresses.has(url.href)) continue;
    addresses.add(url.href);
    yield url.href;
  }
}

interface Visit {
  /** Absent if the page has no text or forbids indexing. */
  found?: FoundDocument;
  links: string[];
  /** Whether the page has more links than `links` contains. */
  isCut: boolean;
}

async function visitPage(
  crawl: Crawl,
  url: string,
  before: FoundDocument | undefined,
): Promise<Visit | "gone" | "skipped"> {
  // If not all of its links were kept, only the page itself has them.
  const reusable = before && linksIn(before).length < MAX_LINKS ? before : undefined;
  const response = await get(crawl, url, reusable);
  if (reusable && response.status === 304) return { found: reusable, links: linksIn(reusable), isCut: false };
  if (await isAbsent(response)) return "gone";
  const contentType = response.headers.get("content-type") ?? "";
  const isOtherHost = new URL(response.url).host !== new URL(crawl.settings.url).host;
  if (!response.ok || isOtherHost || !READABLE.test(contentType)) {
    await discard(response);
    return "skipped";
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { links: found, rules, isCut } = await examine(crawl, bytes, contentType, response.url);
  const directives = `${response.headers.get("x-robots-tag") ?? ""},${rules}`.toLowerCase();
  const links = /\b(?:nofollow|none)\b/.test(directives) ? [] : [...onSite(crawl.settings, found)];
  if (/\b(?:noindex|none)\b/.test(directives)) return { links, isCut };
  crawl.pages.set(url, { bytes, contentType });
  const hint = {
    links: links.slice(0, MAX_LINKS),
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

/** Requests a URL. A 401 is returned as 403, because a website has no credentials to renew. */
async function ask({ fetch }: SessionTools, url: string, headers: Record<string, string> = {}): Promise<Response> {
  try {
    return await fetch(url, { headers });
  } catch (error) {
    if (error instanceof CredentialsRefusedError) return new Response(null, { status: 403 });
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
 * Returns the links and robots directives of an HTML page, and nothing for other documents. The links of an unreadable
 * page are unknown; reading its text reports the reason.
 */
async function examine(crawl: Crawl, bytes: Uint8Array, declared: string, url: string): Promise<PageLinks> {
  if (!HTML.test(declared)) return NO_LINKS;
  try {
    const { links = NO_LINKS } = await readIsolated({ kind: "links", bytes, declared, url }, crawl.tools);
    return links;
  } catch (error) {
    if (error instanceof UnreadableError) return { ...NO_LINKS, isCut: true };
    throw error;
  }
}

const NO_LINKS: PageLinks = { links: [], rules: "", isCut: false };

// ---------------------------------------------------------------- sitemaps

/**
 * URLs of the sitemaps that the settings or robots.txt name, otherwise of the default one, including nested ones.
 * `isCut`: there are more sitemaps or pages than are read.
 */
async function readSitemaps(crawl: Crawl): Promise<{ pages: Set<string>; isCut: boolean }> {
  const { url, sitemap_url } = crawl.settings;
  const configured = sitemap_url === undefined ? crawl.robots.sitemaps : [sitemap_url];
  const addresses = configured.length > 0 ? configured : [new URL("/sitemap.xml", url).href];
  const sitemaps = addresses.map((address) => ({ address, depth: 0 }));
  const pages = new Set<string>();
  const { host } = new URL(url);
  let isCut = false;
  for (let index = 0; index < Math.min(sitemaps.length, MAX_SITEMAPS); index++) {
    const { address: sitemap = "", depth = 0 } = sitemaps[index] ?? {};
    if (URL.parse(sitemap)?.host !== host) continue;
    const response = await get({ ...crawl, delayMs: Math.min(MAX_SITEMAP_DELAY_MS, crawl.delayMs) }, sitemap);
    if (!response.ok) {
      await discard(response);
      continue;
    }
    const { locations, ...read } = await readLocations(crawl, sitemap, response);
    const used = read.isIndex ? locations : locations.slice(0, MAX_SITEMAP_PAGES - pages.size);
    isCut ||= read.isCut || used.length < locations.length || (read.isIndex && depth >= MAX_INDEX_DEPTH);
    for (const address of used) {
      if (!read.isIndex) pages.add(address);
      else if (depth < MAX_INDEX_DEPTH && sitemaps.length <= MAX_SITEMAPS) sitemaps.push({ address, depth: depth + 1 });
    }
  }
  return { pages, isCut: isCut || sitemaps.length > MAX_SITEMAPS };
}

async function readLocations(crawl: Crawl, sitemap: string, response: Response): Promise<Sitemap> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const declared = response.headers.get("content-type") ?? "";
  try {
    const { sitemap: read } = await readIsolated({ kind: "sitemap", bytes, declared }, crawl.tools);
    return read ?? { locations: [], isIndex: false, isCut: false };
  } catch (error) {
    if (error instanceof UnreadableError)
      throw new ProviderError(`The sitemap ${sitemap} cannot be read: ${error.message}.`);
    throw error;
  }
}

// ---------------------------------------------------------------- reading

async function readPage(crawl: Crawl, { external_id: url }: FoundDocument): Promise<ReadResult> {
  const page = crawl.pages.get(url) ?? (await fetchAgain(crawl, url));
  crawl.pages.delete(url);
  if (!page) return "gone";
  if (page.bytes.byteLength === 0) return "no_text";
  const { bytes, contentType } = page;
  if (!HTML.test(contentType)) {
    return { url, content: { file: { bytes, name: nameOf(url), content_type: contentType } } };
  }
  const { text = "", title } = await readIsolated(
    { kind: "html", bytes, declared: contentType, page: true },
    crawl.tools,
  );
  return text.trim() === "" ? "no_text" : { url, content: { text }, ...(title !== undefined && { title }) };
}

/** Fetches a page that another turn found; undefined if it is gone or disallowed. */
async function fetchAgain(crawl: Crawl, url: string): Promise<Page | undefined> {
  if (crawl.robots.isDisallowed(url)) return undefined;
  const response = await get(crawl, url);
  if (await isAbsent(response)) return undefined;
  await requireSuccess(response, "The page");
  const contentType = response.headers.get("content-type") ?? "";
  return { bytes: new Uint8Array(await response.arrayBuffer()), contentType };
}

function nameOf(url: string): string {
  return new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "index";
}
