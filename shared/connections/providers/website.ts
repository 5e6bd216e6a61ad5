import { createHash } from "node:crypto";
import { Parser } from "htmlparser2";
import robotsParser from "robots-parser";
import * as z from "zod";
import { sha256 } from "../../kernel/digest.ts";
import type { Json } from "../../platform/ports.ts";
import { readApart } from "../../sources/extraction/read-apart.ts";
import { runTextTask } from "../../text-work/run.ts";
import type { TextTask } from "../../text-work/task.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import { CredentialsRefused, Postponed, ProviderFailed } from "./faults.ts";
import { roomIn, sizeOf } from "./place.ts";
import type { Listing, Position, ProviderSession, ReadDocument, SessionTools } from "./provider.ts";
import { discard } from "./requests.ts";

/** What robots.txt calls us by; the request's User-Agent begins with it. */
const ROBOT = "memory-service";
const PAGES_A_PART = 5;
const MOST_SITEMAPS = 20;
/** Of one page, kept for when it has not changed. */
const MOST_LINKS = 200;
const MOST_URL_LENGTH = 1000;
/** Of robots.txt, what everybody must read (RFC 9309, 2.5). */
const MOST_ROBOTS_BYTES = 500 * 1024;
/** A page or sitemap of so many bytes is parsed in less than 5 ms. */
const PARSED_INLINE = 50_000;
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

/** Of the parser's answers, what a crawler asks. Its declarations are those of another module system than its code is of. */
interface Robots {
  isDisallowed(url: string, robot: string): boolean | undefined;
  getCrawlDelay(robot: string): number | undefined;
  getSitemaps(): string[];
}
const parseRobots = robotsParser as unknown as (url: string, text: string) => Robots;

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
  const rules = response.ok ? (await response.text()).slice(0, MOST_ROBOTS_BYTES) : "";
  if (!response.ok) await discard(response);
  const robots = parseRobots(address, rules);
  const asked = (robots.getCrawlDelay(ROBOT) ?? 0) * 1000;
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
      meet(crawl, at, visit.links);
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
  meet(crawl, at, [crawl.settings.url, ...pages]);
  return at;
}

/**
 * Notes addresses that were not met before, are on the site, and may be visited: as many as there is room for in the
 * place, and none that would be beyond the cap when it is their turn.
 */
function meet({ settings, robots }: Crawl, at: Place, links: string[]): void {
  const met = new Set(at.met);
  let room = roomIn(at);
  for (const url of onSite(settings, links)) {
    const mark = createHash("sha256").update(url).digest("base64url").slice(0, 12);
    if (met.has(mark) || robots.isDisallowed(url, ROBOT)) continue;
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
function onSite({ url: site }: Crawl["settings"], links: string[]): string[] {
  const { host } = new URL(site);
  const addresses = new Set<string>();
  for (const link of links) {
    const url = URL.parse(link);
    if (!url || !/^https?:$/.test(url.protocol) || url.host !== host || url.href.length > MOST_URL_LENGTH) continue;
    url.hash = "";
    addresses.add(url.href);
  }
  return [...addresses];
}

interface Visit {
  /** Absent where the page has nothing to be kept, or wants none of it kept. */
  found?: FoundDocument;
  links: string[];
}

async function visitPage(
  crawl: Crawl,
  url: string,
  before: FoundDocument | undefined,
): Promise<Visit | "gone" | "not ours"> {
  // Where not all of its links were kept, only the page itself tells them.
  const whole = before && linksIn(before).length < MOST_LINKS ? before : undefined;
  const response = await get(crawl, url, whole);
  if (whole && response.status === 304) return { found: whole, links: linksIn(whole) };
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
  const { leads, rules } = HTML.test(contentType)
    ? await runTextTask(pageLinksTask, { bytes, url: response.url }, crawl.tools)
    : { leads: [], rules: "" };
  const said = `${response.headers.get("x-robots-tag") ?? ""},${rules}`.toLowerCase();
  const links = /\b(?:nofollow|none)\b/.test(said) ? [] : onSite(crawl.settings, leads);
  if (/\b(?:noindex|none)\b/.test(said)) return { links };
  crawl.pages.set(url, { bytes, contentType });
  const hint = {
    links: links.slice(0, MOST_LINKS),
    ...headerIn(response, "etag"),
    ...headerIn(response, "last-modified"),
  };
  const version = sha256(bytes);
  return { found: { external_id: url, version, hint }, links };
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

export const pageLinksTask: TextTask<{ bytes: Uint8Array; url: string }, ReturnType<typeof examine>> = {
  name: "read_page_links",
  inlineSize: PARSED_INLINE,
  run: ({ bytes, url }) => examine(bytes, url),
};

/** Where an HTML page leads to, and what it tells robots. */
function examine(bytes: Uint8Array, url: string): { leads: string[]; rules: string } {
  const leads = new Set<string>();
  let base = url;
  let rules = "";
  const parser = new Parser({
    onopentag(name, { href, rel, content, ...attributes }) {
      if (name === "base" && href !== undefined) base = URL.parse(href, url)?.href ?? base;
      if (name === "meta" && /^(?:robots|memory-service)$/i.test(attributes.name ?? "")) rules += `,${content ?? ""}`;
      if (name !== "a" || href === undefined || /\bnofollow\b/i.test(rel ?? "")) return;
      const link = URL.parse(href, base);
      if (link) leads.add(link.href.replace(/#.*$/, ""));
    },
  });
  parser.end(new TextDecoder().decode(bytes));
  return { leads: [...leads], rules };
}

// ---------------------------------------------------------------- sitemaps

/**
 * Addresses in the sitemaps that the settings or robots.txt name, else in the usual one, and in those that these name.
 * `isCut`: there are more sitemaps than are read.
 */
async function readSitemaps(crawl: Crawl): Promise<{ pages: string[]; isCut: boolean }> {
  const { url, sitemap_url } = crawl.settings;
  const named = sitemap_url === undefined ? crawl.robots.getSitemaps() : [sitemap_url];
  const sitemaps = named.length > 0 ? [...named] : [new URL("/sitemap.xml", url).href];
  const pages: string[] = [];
  const { host } = new URL(url);
  for (let place = 0; place < Math.min(sitemaps.length, MOST_SITEMAPS); place++) {
    const sitemap = sitemaps[place] ?? "";
    if (URL.parse(sitemap)?.host !== host) continue;
    const response = await get({ ...crawl, delayMs: Math.min(LONGEST_SITEMAP_DELAY_MS, crawl.delayMs) }, sitemap);
    if (!response.ok) {
      await discard(response);
      continue;
    }
    const { locations, isIndex } = await runTextTask(sitemapTask, { text: await response.text() }, crawl.tools);
    (isIndex ? sitemaps : pages).push(...locations);
  }
  return { pages, isCut: sitemaps.length > MOST_SITEMAPS };
}

export const sitemapTask: TextTask<{ text: string }, ReturnType<typeof readSitemap>> = {
  name: "read_sitemap",
  inlineSize: PARSED_INLINE,
  run: ({ text }) => readSitemap(text),
};

/** A sitemap or an index of them (sitemaps.org), or a plain list of addresses. */
function readSitemap(text: string): { locations: string[]; isIndex: boolean } {
  if (!text.trimStart().startsWith("<")) return { locations: text.split(/\s+/).filter(Boolean), isIndex: false };
  const locations: string[] = [];
  let isIndex = false;
  let location: string | undefined;
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === "sitemapindex") isIndex = true;
        if (name === "loc") location = "";
      },
      ontext(part) {
        if (location !== undefined) location += part;
      },
      onclosetag(name) {
        if (name !== "loc" || location === undefined) return;
        locations.push(location.trim());
        location = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return { locations, isIndex };
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
  if (crawl.robots.isDisallowed(url, ROBOT)) return undefined;
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
