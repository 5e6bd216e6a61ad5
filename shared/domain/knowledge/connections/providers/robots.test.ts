import { describe, expect, it } from "vitest";
import { processorTimeOf } from "../../../../../test/support/processor-time.ts";
import { parseRobots } from "./robots.ts";

const ROBOT = "memory-service";
const SITE = "https://site.example";
const OWN = "User-agent: memory-service\n";
const read = (text: string) => parseRobots(Buffer.from(text), ROBOT);
const disallows = (text: string, path: string) => read(text).isDisallowed(SITE + path);

describe("a robots.txt", () => {
  it.each([
    ["User-agent: *\nDisallow: /a", "/a/b", true],
    ["User-agent: *\nDisallow: /a", "/b", false],
    ["User-agent: *\nDisallow:", "/a", false],
    ["User-agent: *\r\nDisallow: / # all\r\nAllow: /open", "/open/x", false],
    ["User-agent: *\nDisallow: /a\nAllow: /a", "/a", false],
    ["user-agent : other\nDisallow: /\n\nUser-agent: Memory-Service/2.0\nDisallow: /own", "/own", true],
    ["User-agent: other\nDisallow: /\n\nUser-agent: Memory-Service/2.0\nDisallow: /own", "/else", false],
    ["User-agent: other\nUser-agent: memory-service\nDisallow: /both", "/both", true],
    [`${OWN}Disallow: /one\nUser-agent: x\nDisallow: /\n${OWN}Disallow: /two`, "/two", true],
    ["User-agent: memory-service\nDisallow: /one\nUser-agent: *\nDisallow: /", "/two", false],
    ["User-agent: memory-services\nDisallow: /", "/a", false],
    ["Disallow: /", "/a", false],
    ["User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", true],
    ["User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x", false],
    ["User-agent: *\nDisallow: /a*b*c", "/a1b2c3", true],
    ["User-agent: *\nDisallow: /a*b*c", "/a1c2b3", false],
    ["User-agent: *\nDisallow: /*aab", "/aaaab", true],
    ["User-agent: *\nDisallow: /a$", "/a", true],
    ["User-agent: *\nDisallow: /a$", "/ab", false],
    ["User-agent: *\nDisallow: /*ab*b$", "/ab", false],
    ["User-agent: *\nDisallow: /*?q=", "/s?q=1", true],
    ["User-agent: *\nDisallow: /ü", "/%C3%BC", true],
    ["User-agent: *\nDisallow: /%c3%bc", "/%C3%BC", true],
  ])("%j has %s disallowed: %s", (text, path, isDisallowed) => {
    expect(disallows(text, path)).toBe(isDisallowed);
  });

  it("returns the delay of the robot's own group and all sitemaps", () => {
    const text = `Sitemap: ${SITE}/1\nUser-agent: *\nCrawl-delay: 9\n${OWN}Crawl-delay: 0.5\nSitemap: ${SITE}/2`;
    const { crawlDelay, sitemaps } = read(text);
    expect([crawlDelay, sitemaps]).toEqual([0.5, [`${SITE}/1`, `${SITE}/2`]]);
    expect(read("User-agent: *\nCrawl-delay: soon").crawlDelay).toBeUndefined();
  });

  it("is read up to the last whole line within 500 KiB", () => {
    const long = `User-agent: *\nDisallow: /a\n${"#".repeat(500 * 1024 - 60)}\nDisallow: /never-cut-in-the-middle-of-a-line`;
    const paths = ["/a", "/never", "/never-cut-in-the-middle-of-a-line"];
    expect(paths.map((path) => disallows(long, path))).toEqual([true, false, false]);
  });

  it("disallows more by a rule beyond the limits, and allows nothing by such a rule", () => {
    const wild = `/${"*a".repeat(30)}`;
    expect(disallows(`User-agent: *\nDisallow: ${wild}b`, `/${"a".repeat(20)}`)).toBe(true);
    expect(disallows(`User-agent: *\nDisallow: /\nAllow: ${wild}`, `/${"a".repeat(40)}`)).toBe(true);
  });
});

describe("a hostile robots.txt", () => {
  const BYTES = 477_000;
  const filled = (part: string) => `User-agent: *\n${part.repeat(Math.ceil(BYTES / part.length))}`;
  const half = (part: string) => filled(part).slice(0, BYTES / 2);
  const path = `/${"a".repeat(900)}`;

  it.each([
    ["agents and rules in turns", filled("User-agent: *\nDisallow: /a\n")],
    ["agents without a rule", filled("User-agent: *\n")],
    ["many agents, then many rules", half("User-agent: a\n") + half("Disallow: /\n")],
    ["rules of wildcards", filled(`Disallow: ${"*a".repeat(200)}b\n`)],
    ["rules that nearly match", filled(`Disallow: /*${"a".repeat(450)}b*c\n`)],
    ["one line", filled("a")],
    ["blanks", filled(" ")],
    ["line ends", filled("\r")],
    ["sitemaps", filled("Sitemap: a\n")],
  ])("takes linear time: %s", async (_what, text) => {
    expect(await processorTimeOf(() => read(text))).toBeLessThan(1_000);
    const robots = read(text);
    const checks = () => {
      for (let time = 0; time < 10; time++) robots.isDisallowed(SITE + path);
    };
    expect(await processorTimeOf(checks)).toBeLessThan(1_000);
  });
});
