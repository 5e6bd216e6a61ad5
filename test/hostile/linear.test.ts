import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sized } from "../support/drill.ts";
import { IS_FULL, measure } from "./linear.ts";
import { QUICK_SHAPES, SHAPES, TELLING_SHAPES } from "./shapes.ts";
import { EXEMPT, SLOW, VERBS } from "./verbs.ts";

const shapes = IS_FULL ? Object.keys(SHAPES) : sized(QUICK_SHAPES, TELLING_SHAPES);
const FULL_MS = 1_800_000;

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

describe("a pass over people's text", () => {
  it("is measured for every function that makes one", () => {
    const taking = takingText();
    expect(taking.length).toBeGreaterThan(50);
    expect(taking.filter((name) => !(name in VERBS) && !(name in EXEMPT))).toEqual([]);
    expect(Object.keys(EXEMPT).filter((name) => !taking.includes(name))).toEqual([]);
    expect(shapes.filter((name) => !(name in SHAPES))).toEqual([]);
  });

  it.each(Object.entries(VERBS))(
    "takes time in proportion to its length: %s",
    async (name, verb) => {
      await verb(SHAPES.prose?.(5_000) ?? "");
      const faults: string[] = [];
      for (const shape of shapes) {
        const { ms, length, fault } = await measure(verb, SHAPES[shape] ?? String, SLOW[name]);
        if (fault !== undefined) faults.push(`${shape}: ${fault}`);
        if (IS_FULL) process.stdout.write(`MEASURED\t${Math.round(ms)}\t${length}\t${name}\t${shape}\n`);
      }
      expect(faults).toEqual([]);
    },
    FULL_MS,
  );
});
