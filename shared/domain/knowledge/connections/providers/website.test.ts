import { describe, expect, it } from "vitest";
import { sessionTools } from "../../../../../test/fixtures/connections/session-tools.ts";
import type { FoundDocument } from "../connection.ts";
import { settingsOf } from "../settings.ts";
import { MAX_CHECKPOINT_BYTES } from "./checkpoint-size.ts";
import type { Listing, SessionTools } from "./provider.ts";
import { openWebsite } from "./website.ts";

const SITE = "https://site.example";

interface Page {
  text: string;
  type?: string;
}

/** Opens a crawl of a site with the given pages by path, which supports conditional requests by ETag. */
function openSite(pages: Record<string, Page>, max_pages: number, known = new Map<string, FoundDocument>()) {
  const fetch: SessionTools["fetch"] = async (address, { headers = {} } = {}) => {
    const url = new URL(address);
    const page = pages[url.pathname];
    const etag = `"${page?.text.length}"`;
    const status = page === undefined ? 404 : headers["if-none-match"] === etag ? 304 : 200;
    const own = { "content-type": page?.type ?? "text/html", etag };
    const response = new Response(status === 200 ? page?.text : null, { status, headers: own });
    return Object.defineProperty(response, "url", { value: url.href });
  };
  const findKnown: SessionTools["known"] = async (urls) => new Map([...known].filter(([url]) => urls.includes(url)));
  const settings = settingsOf("web_crawler", { url: `${SITE}/`, max_pages });
  return openWebsite(settings, sessionTools({ fetch, known: findKnown }));
}

interface Visit {
  found: Map<string, FoundDocument>;
  places: { waiting: string[]; visited: number }[];
  last: Listing;
}

async function visitAll(session: ReturnType<typeof openSite>): Promise<Visit> {
  const found = new Map<string, FoundDocument>();
  const places: Visit["places"] = [];
  for (;;) {
    const listing = await session.list({ place: places.at(-1) as never });
    for (const document of listing.found) found.set(document.external_id, document);
    if (listing.next === undefined) return { found, places, last: listing };
    places.push(structuredClone(listing.next) as never);
  }
}

const linked = (paths: string[]): Page => ({ text: paths.map((path) => `<a href="${path}">one</a>`).join(" ") });
const numbered = (count: number, path: (place: number) => string) => Array.from({ length: count }, (_, n) => path(n));
const texts = (paths: string[]) => Object.fromEntries(paths.map((path) => [path, { text: path, type: "text/plain" }]));

describe("the stored state of a page", () => {
  it("includes all links of an unchanged page", async () => {
    const paths = numbered(300, (place) => `/${place}`);
    const site = { "/": linked(["https://elsewhere.example/", ...paths]), ...texts(paths) };
    const first = await visitAll(openSite(site, 1000));
    expect(first.found.size).toBe(301);
    const again = await visitAll(openSite(site, 1000, first.found));
    expect([...again.found.keys()]).toEqual([...first.found.keys()]);
    expect(again.last.isInventory).toBe(true);
  });

  it("fits in a record with any links", async () => {
    const long = numbered(300, (place) => `/${place}/${"x".repeat(3000)}`);
    const site = { "/": linked([`data:text/plain,${"x".repeat(500_000)}`, ...long, "/a"]) };
    const { found } = await visitAll(openSite(site, 2));
    expect(found.get(`${SITE}/`)?.hint).toMatchObject({ links: [`${SITE}/a`] });
  });
});

describe("a crawl by sitemaps", () => {
  it.each([
    [19, true],
    [20, false],
  ])("with an index of %s is complete: %s", async (count, isInventory) => {
    const listed = (name: string, addresses: string[]): Page => ({
      text: `<${name}>${addresses.map((address) => `<loc>${SITE}${address}</loc>`).join("")}</${name}>`,
      type: "application/xml",
    });
    const maps = numbered(count, (place) => `/map-${place}.xml`);
    const pages = Object.fromEntries(maps.map((map, place) => [map, listed("urlset", [`/${place}`])]));
    const site = { "/": linked([]), "/sitemap.xml": listed("sitemapindex", maps), ...pages };
    const all = { ...site, ...texts(numbered(count, (place) => `/${place}`)) };
    const { found, last } = await visitAll(openSite(all, 100));
    expect(found.size).toBe(20);
    expect(last.isInventory).toBe(isInventory);
  });
});

describe("a hostile site", () => {
  it("is reported with the URL of its unreadable sitemap", async () => {
    const site = { "/": linked([]), "/sitemap.xml": { text: "<urlset>".repeat(500_000) } };
    const problem = `The sitemap ${SITE}/sitemap.xml cannot be read: its elements are nested more than 32 deep.`;
    await expect(visitAll(openSite(site, 10))).rejects.toThrow(problem);
  });

  it("is crawled if its pages can be read, with any tags", async () => {
    const site = { "/": { text: `${"<p><a>".repeat(500_000)}<a href="/a">` }, ...texts(["/a"]) };
    const { found } = await visitAll(openSite(site, 10));
    expect([...found.keys()]).toEqual([`${SITE}/`, `${SITE}/a`]);
  });
});

describe("the position of a crawl", () => {
  it("has no more waiting URLs than may be visited", async () => {
    const paths = numbered(60, (place) => `/${place}`);
    const { found, places, last } = await visitAll(openSite({ "/": linked(paths), ...texts(paths) }, 20));
    for (const { waiting, visited } of places) expect(waiting.length + visited).toBeLessThanOrEqual(20);
    expect([...found.keys()]).toEqual([`${SITE}/`, ...paths.slice(0, 19).map((path) => SITE + path)]);
    expect(last.isInventory).toBe(false);
  });

  it("distinguishes a site with as many pages as may be visited from a larger one", async () => {
    const paths = numbered(19, (place) => `/${place}`);
    const site = { "/": linked(paths), ...texts(paths) };
    expect((await visitAll(openSite(site, 20))).last.isInventory).toBe(true);
    expect((await visitAll(openSite(site, 19))).last.isInventory).toBe(false);
  });

  it("is the last one if the limit was lowered below the visited number", async () => {
    const paths = numbered(5, (place) => `/${place}`);
    const place = { waiting: paths.map((path) => SITE + path), met: [], visited: 10 };
    const { found, next, isInventory } = await openSite(texts(paths), 8).list({ place });
    expect([found, next, isInventory]).toEqual([[], undefined, false]);
  });

  it("fits in a record even with long addresses, and marks itself as incomplete", async () => {
    const paths = numbered(900, (place) => `/${place}/${"x".repeat(900)}`);
    const { found, places, last } = await visitAll(openSite({ "/": linked(paths), ...texts(paths) }, 1000));
    const sizes = places.map((place) => JSON.stringify(place).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_CHECKPOINT_BYTES);
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_CHECKPOINT_BYTES - 2000);
    expect(found.size).toBeGreaterThan(200);
    expect(last.isInventory).toBe(false);
  });
});
