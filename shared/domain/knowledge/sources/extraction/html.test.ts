import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../../test/support/any-character.ts";
import { flattenHtml } from "./flatten.ts";
import { readHtml } from "./html.ts";

const STORY = "Ships come and go in the harbour all day, and people watch them from the pier. ".repeat(8);

describe("the text of HTML", () => {
  it.each([
    ["headings", "<h1>One</h1><h3>Three <i>x</i></h3><p>text</p>", "# One\n\n### Three x\n\ntext"],
    ["lists", "<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"],
    ["numbered lists", "<ol><li>a</li><li>b</li></ol>", "1. a\n 2. b"],
    ["tables", "<table><tr><th>A<th>B<tr><td>1<td>2 &amp; 3</table>", "| A | B |\n|---|---|\n| 1 | 2 & 3 |"],
    [
      "cells that span rows in each of them",
      '<table><tr><th>A<th>B<th>C<tr><td rowspan=2>1<td>2<td rowspan="3">3<tr><td>4<tr><td colspan=2>5</table>',
      "| A | B | C |\n|---|---|---|\n| 1 | 2 | 3 |\n| 1 | 4 | 3 |\n| 5 |  | 3 |",
    ],
    ["lines of code", "<pre>a  b\n  c</pre>", "a  b\n  c"],
    ["line breaks", "a<br>b<hr>c", "a\nb"],
    [
      "links by their words and target",
      '<p>see <a href="https://a.org/x">there</a>!</p>',
      "see there (https://a.org/x)!",
    ],
    ["no target that is their words", '<p><a href="mailto:a@b.org"><b>a@b.org</b></a> <a href="/x">y</a>', "a@b.org y"],
    ["entities", "<p>&lt;b&gt; &eacute; &#8364; &nbsp;x</p>", "<b> é €"],
    ["paragraphs without an end", "<p>one<p>two<p>three", "one\n\ntwo\n\nthree"],
    ["nothing of scripts and styles", "<p>a</p><script>b</script><style>c</style><noscript>d</noscript><p>e", "a\n\ne"],
    ["nothing of comments", "a<!-- <p>b</p> --> c", "a c"],
    ["tags within attributes as none", '<p title="</p><script>">a</p>', "a"],
    ["elements that are not closed as they were opened", "<b><i>a</b></i> <p>b</div></p>c", "a"],
  ])("has %s", (_what, html, text) => {
    expect(readHtml(html).text).toContain(text);
  });

  it("has the Open Graph title, otherwise the document's title, otherwise its first heading", () => {
    const og = '<meta property="og:title" content="For others &amp; all">';
    const html = `<head>${og}<title> Its \n own </title></head><h1>First</h1>`;
    expect(readHtml(html).title).toBe("For others & all");
    expect(readHtml(html.replace(og, "")).title).toBe("Its own");
    expect(readHtml("<h1>First <b>one</b></h1><h1>Second</h1>").title).toBe("First one");
    expect(readHtml("<p>x")).toEqual({ text: "x" });
  });

  it("contains only the article of a page, and everything if there is none", () => {
    const page = `<body><nav>Home About</nav><article><h1>T</h1><p>${STORY}</p><p>${STORY}</p></article><footer>Legal</footer>`;
    const { text } = readHtml(page, { page: true });
    expect(text).toContain("Ships come and go");
    expect(text).not.toMatch(/Home|Legal/);
    expect(readHtml('<p>see <a href="https://a.org/x">there</a>', { page: true }).text).toBe("see there");
    expect(readHtml(page).text).toMatch(/Home About[\s\S]*Ships[\s\S]*Legal/);
    expect(readHtml("<body><nav>Home</nav><p>short</p>", { page: true }).text).toContain("Home");
  });

  it("has bounded tables, whatever their cells span", () => {
    const cells = '<td rowspan="65534" colspan="65534">x'.repeat(3_000);
    const { text } = readHtml(`<table><tr>${cells}${"<tr><td>y".repeat(10_000)}</table>`);
    expect(text.length).toBeLessThan(10_000_000);
  });

  it("is read from any document", () => {
    const piece = fc.oneof(
      fc.constantFrom(..."<p> </p> <div > <script> </script> <!-- --> <table> <td> </td> &amp &#x".split(" ")),
      fc.constantFrom("<a href='", ...'<svg/> " <h1> </h1> <title> <ul><li> </ <![CDATA[ ]]> <textarea>'.split(" ")),
      fc.string({ unit: anyCharacter, maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.boolean(), (pieces, page) => {
        expect(typeof readHtml(pieces.join(""), { page }).text).toBe("string");
      }),
      { numRuns: 150 },
    );
  });
});

describe("a flattened document", () => {
  it("is limited in depth and elements, and keeps all its words", () => {
    const deep = `${"<div><span>".repeat(5_000)}word${"</span></div>".repeat(5_000)} after`;
    const { html } = flattenHtml(deep);
    let depth = 0;
    let most = 0;
    for (const [tag] of html.matchAll(/<\/?[a-z0-9]+[^>]*>/g)) {
      if (tag === "<br>") continue;
      depth += tag.startsWith("</") ? -1 : 1;
      most = Math.max(most, depth);
    }
    expect([depth, most]).toEqual([0, 100]);
    expect(html.replace(/<[^>]*>/g, "").trim()).toBe("word after");
    const wide = flattenHtml("<b>x</b>".repeat(100_000));
    expect(wide.html.match(/<b>/g)?.length).toBeLessThanOrEqual(40_000);
    expect(wide.html.replace(/<[^>]*>/g, "")).toBe("x".repeat(100_000));
  });

  it("closes each element that it opens, for any markup", () => {
    const tag = fc.constantFrom("p", "div", "li", "ul", "td", "tr", "table", "b", "script", "br", "svg", "dt", "x-y");
    const part = fc.oneof(
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      tag.map((name) => `<${name} class="a" onclick=b style='display:none'/>`),
      fc.constantFrom("a", " ", "<", "&", "<!--", "-->"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
        const { html } = flattenHtml(parts.join(""));
        const open: string[] = [];
        for (const [, close, name = ""] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
          if (name === "br") continue;
          if (close) expect(open.pop()).toBe(name);
          else open.push(name);
        }
        expect(open).toEqual([]);
        expect(html).not.toMatch(/<script|<[^>]*(?:onclick|style=)/);
      }),
      { numRuns: 200 },
    );
  });
});
