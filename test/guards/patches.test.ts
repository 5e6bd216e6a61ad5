import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countOf, editsOf } from "./patch.ts";
import { PATCHES } from "./patches/index.ts";

const root = new URL("../../", import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, root), "utf8");

describe("the list of guards", () => {
  it("names each by a name of its own", () => {
    expect(PATCHES.length).toBeGreaterThan(200);
    expect(new Set(PATCHES.map(({ name }) => name)).size).toBe(PATCHES.length);
  });

  it("finds each where it says, once, and takes it away", () => {
    const edits = PATCHES.flatMap((patch) => editsOf(patch).map((edit) => ({ ...edit, name: patch.name })));
    const stale = edits.filter(({ file, find, replace }) => countOf(textOf(file), find) !== 1 || find === replace);
    expect(stale.map(({ name, file, find }) => `${name}: ${file} has no such text, or has it twice: ${find}`)).toEqual(
      [],
    );
  });

  it("names tests that are there", () => {
    const named = new Set(PATCHES.flatMap(({ tests }) => tests));
    expect([...named].filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
    expect(PATCHES.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });
});
