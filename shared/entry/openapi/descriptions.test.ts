import { describe, expect, it } from "vitest";
import openapi from "../../../openapi.json" with { type: "json" };
import { describeFields, gapsOf } from "./descriptions.ts";
import type { PlainDocument } from "./schema.ts";

const document = openapi as object as PlainDocument;

function makeDocument(): PlainDocument {
  return {
    tags: [{ name: "things" }],
    paths: {
      "/sessions/{id}": {
        get: {
          operationId: "getThing",
          summary: "Get a thing",
          description: "Needs nothing.",
          parameters: [
            { name: "id", in: "path", schema: { type: "string" } },
            { name: "frobs", in: "query", schema: { type: "integer" } },
          ],
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
        },
      },
    },
    components: {
      schemas: { Thing: { type: "object", properties: { frob: { type: "string" }, created_at: { type: "string" } } } },
      parameters: {},
      responses: {},
    },
  };
}

describe("gapsOf", () => {
  it("finds none in openapi.json", () => {
    expect(gapsOf(document)).toEqual([]);
  });

  it("names missing descriptions and examples", () => {
    const gaps = makeDocument();
    describeFields(gaps);
    expect(gapsOf(gaps)).toEqual([
      "tag `things` has no description",
      "field `frob` of `Thing` has no description",
      "operation `getThing` has no description of the parameter `frobs`",
      "operation `getThing` has no example",
    ]);
  });
});

describe("openapi.json", () => {
  it("has no two paths that differ only in the name of a parameter", () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
    expect(new Set(shapes).size).toBe(shapes.length);
    expect(Object.keys(document.paths["/connections/{provider_or_connection_id}"] ?? {})).toEqual(["post", "delete"]);
  });
});
