import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SHAPES, TELLING_SHAPES } from "./shapes.ts";
import { EXEMPT, VERBS } from "./verbs.ts";

const FUNCTIONS =
  /^export (?:async )?function\*? (?<name>\w+)(?:<[^(]*>)?\((?<parameters>[^)]*(?:\([^)]*\)[^)]*)*?)\)/gms;

/** Functions of other modules that take people's text, by the usual names of such parameters. */
function takingText(): string[] {
  const names = new Set<string>();
  for (const folder of ["shared", "functions"]) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const code = readFileSync(`${folder}/${file}`, "utf8");
      for (const { groups } of code.matchAll(FUNCTIONS)) {
        const { name = "", parameters = "" } = groups ?? {};
        if (
          /\b(?:text|content|html|query|prompt|statements|recovered)\??: (?:string|readonly string\[\]|string\[\])/.test(
            parameters,
          )
        ) {
          names.add(name);
        }
      }
    }
  }
  return [...names].sort();
}

it("every function that makes a pass over people's text is in the list of those that are measured", () => {
  const taking = takingText();
  expect(taking.length).toBeGreaterThan(50);
  expect(taking.filter((name) => !(name in VERBS) && !(name in EXEMPT))).toEqual([]);
  expect(Object.keys(EXEMPT).filter((name) => !taking.includes(name))).toEqual([]);
  expect(TELLING_SHAPES.filter((name) => !(name in SHAPES))).toEqual([]);
});
