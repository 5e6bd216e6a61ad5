import { describe, expect, it } from "vitest";
import { processorTimeOf } from "../../../../../test/support/processor-time.ts";
import { readLinks } from "./links.ts";
import { readSitemap } from "./sitemap.ts";

const PAGE = "https://site.example/folder/page";

describe("a sitemap", () => {
  it("contains URLs with resolved entities and CDATA", () => {
    const urls =
      "<url><loc> https://a.example/?a=1&amp;b=2 </loc></url><url><loc><![CDATA[https://b.example/]]></loc></url>";
    const text = `\ufeff<?xml version="1.0"?><!-- <loc>no</loc> --><urlset>${urls}<url><loc/></url></urlset>`;
    const locations = ["https://a.example/?a=1&b=2", "https://b.example/"];
    expect(readSitemap(text)).toEqual({ locations, isIndex: false, isCut: false });
    const index = "<sitemapindex><sitemap><loc>https://a.example/m</loc></sitemap></sitemapindex>";
    expect(readSitemap(index).isIndex).toBe(true);
  });

  it("may be a plain list", () => {
    const { locations } = readSitemap("https://a.example/\r\nhttps://b.example/\n");
    expect(locations).toEqual(["https://a.example/", "https://b.example/"]);
  });

  it("has at most 50,000 URLs of at most 2,048 characters", () => {
    const list = Array.from({ length: 50_001 }, (_, position) => `https://a.example/${position}`);
    const xml = `<urlset>${list.map((each) => `<loc>${each}</loc>`).join("")}</urlset>`;
    for (const text of [list.join("\n"), xml]) {
      const { locations, isCut } = readSitemap(text);
      expect([locations.length, isCut]).toEqual([50_000, true]);
    }
    expect(readSitemap(`<loc>https://a.example/${"a".repeat(2_048)}</loc>`).locations).toEqual([]);
  });

  it("is refused if its elements are nested too deep", () => {
    expect(() => readSitemap("<urlset>".repeat(33))).toThrow("its elements are nested more than 32 deep");
  });
});

describe("the links of a page", () => {
  it("are absolute and unique, without fragments and without nofollow links", () => {
    const html = `<head><base href="/base/"><META NAME=robots content="noindex"><meta name="memory-service" content="nofollow"></head>
      <a href="one#x">1</a><A HREF='one'>1</A><a href="?a&amp;b">2</a><a rel="nofollow" href="no"><link href="no"><abbr href="no">
      <a href="https://other.example/">3</a><script>"<a href='no'>"</script><!-- <a href="no"> --><a href="http://[">`;
    expect(readLinks(html, PAGE)).toEqual({
      links: ["https://site.example/base/one", "https://site.example/base/?a&b", "https://other.example/"],
      rules: ",noindex,nofollow",
      isCut: false,
    });
  });

  it("are at most 5,000", () => {
    const many = Array.from({ length: 5_001 }, (_, index) => `<a href="${index}">`);
    const { links, isCut } = readLinks(many.join(""), PAGE);
    expect([links.length, isCut]).toEqual([5_000, true]);
  });
});

describe("hostile markup", () => {
  const LENGTH = 4_500_000;
  it.each([
    ..."<p> <a> <url><loc> </loc> <!-- <![CDATA[ < &amp; <loc>a</loc>".split(" "),
    ...["<a b='c' ", "<a href=a>", "<meta name=robots content=a>"],
  ])("%s, 4.5 MB of it, is read in linear time", async (part) => {
    const text = `<${part.repeat(LENGTH / part.length)}`;
    const readBoth = () => {
      readLinks(text, PAGE);
      try {
        readSitemap(text);
      } catch (error) {
        expect(String(error)).toContain("nested more than");
      }
    };
    expect(await processorTimeOf(readBoth)).toBeLessThan(4_000);
  });
});
