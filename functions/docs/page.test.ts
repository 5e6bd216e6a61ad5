import { describe, expect, it } from "vitest";
import openapi from "../../openapi.json" with { type: "json" };
import type { ApiDocument } from "./document.ts";
import { curlOf, exampleOf } from "./example.ts";
import { html, prose } from "./html.ts";
import { renderPage } from "./page.ts";
import { notesOf, typeOf } from "./schema-table.ts";
import { readReference } from "./service.ts";

const schemas = {
  Pet: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name"] },
};

describe("html", () => {
  it("escapes what is put into it, but no HTML", () => {
    const inner = html`<b>${`"<&>'`}</b>`;
    expect(String(html`<i>${inner}${undefined}${[inner, inner]}</i>`)).toBe(
      `<i>${"<b>&quot;&lt;&amp;&gt;&#39;</b>".repeat(3)}</i>`,
    );
  });

  it("marks code and paragraphs", () => {
    expect(prose("a `b<` c\n\nd").join("")).toBe("<p>a <code>b&lt;</code> c</p><p>d</p>");
  });
});

describe("a schema in words", () => {
  it("tells its type", () => {
    expect(String(typeOf({ type: "array", items: { $ref: "#/components/schemas/Pet" } }))).toBe(
      'list of <a href="#schema-Pet">Pet</a>',
    );
    expect(String(typeOf({ anyOf: [{ type: "string", format: "date" }, { type: "null" }] }))).toBe(
      "string (date) or null",
    );
  });

  it("tells its bounds, choices and default", () => {
    expect(String(notesOf({ minimum: 1, maximum: 1000, default: 20 }))).toBe("1 to 1,000; default <code>20</code>");
    expect(String(notesOf({ enum: ["a", true] }))).toBe("one of <code>&quot;a&quot;</code>, <code>true</code>");
    expect(String(notesOf({ maxLength: 5 }))).toBe("at most 5 characters");
  });
});

describe("examples", () => {
  it("hold what is required", () => {
    expect(exampleOf({ type: "array", items: { $ref: "#/components/schemas/Pet" } }, schemas)).toEqual([
      { name: "<name>" },
    ]);
  });

  it("are curl commands", () => {
    const operation = {
      operationId: "feed",
      summary: "",
      description: "",
      tags: [],
      security: [{}],
      requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } },
      responses: {},
    };
    const components = { schemas, responses: {}, parameters: {}, headers: {} };
    expect(curlOf("post", "/pets/{id}", operation, components)).toBe(
      [
        'curl -X POST "$URL/pets/<id>"',
        '-H "X-API-Key: $API_KEY"',
        '-H "Content-Type: application/json"',
        `-d '{"name":"<name>"}'`,
      ].join(" \\\n  "),
    );
  });
});

describe("the page", () => {
  const page = renderPage(openapi as unknown as ApiDocument, { style: "", script: "" });
  const operations = Object.values(openapi.paths).flatMap((item) => Object.values(item) as { operationId: string }[]);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

  it("shows every operation and every schema once", () => {
    expect(operations.length).toBeGreaterThan(0);
    const expected = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(openapi.components.schemas).map((name) => `schema-${name}`),
    ];
    expect(ids.filter((id) => expected.includes(id ?? "")).sort()).toEqual(expected.sort());
  });

  it("leads nowhere but to itself and the document", () => {
    const targets = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target = ""]) => target);
    const dangling = targets.filter((target) => !(target.startsWith("#") && ids.includes(target.slice(1))));
    expect(new Set(dangling)).toEqual(new Set(["/openapi.json"]));
  });

  it("lets only its own style and script run", async () => {
    const { html: served, policy } = await readReference();
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/);
    expect(served).not.toMatch(/ style=| on\w+=/);
    expect(served.match(/<(script|style)/g)).toEqual(["<style", "<script"]);
  });
});
