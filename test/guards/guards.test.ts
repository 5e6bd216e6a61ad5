import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Guard, ROOT, readGuards } from "./guards.ts";
import { mutateAll } from "./mutate.ts";

const guards = readGuards();

function problemOf({ edits }: Guard): string | undefined {
  try {
    mutateAll(edits, (file) => readFileSync(path.join(ROOT, file), "utf8"));
  } catch (error) {
    return String(error);
  }
  return undefined;
}

describe("the list of guards", () => {
  it("names each once", () => {
    expect(guards.length).toBeGreaterThan(200);
    expect(new Set(guards.map(({ name, only }) => `${name} ${only}`)).size).toBe(guards.length);
  });

  it("finds each guard where it says", () => {
    expect(guards.map(problemOf).filter((problem) => problem !== undefined)).toEqual([]);
  });

  it("names tests that are there", () => {
    const named = new Set(guards.flatMap(({ tests }) => tests));
    expect([...named].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});
