import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Edit, isOperator } from "./mutate.ts";

/** A guard, the edits that remove it, and the tests that must fail without it. */
export interface Guard {
  /** The line of the list up to its tests. */
  name: string;
  /** The guard's own edit first; the others remove layers with the same effect, each of which is redundant on purpose. */
  edits: Edit[];
  /** Test files; the one that fails soonest is first. */
  tests: string[];
  /** Pattern for the full names of the tests to run; all by default. */
  only: string | undefined;
}

export const ROOT = path.resolve(import.meta.dirname, "../..");

const EDIT = /^(?<operator>\w+) (?<name>'[^']*'|"[^"]*"|\S+)(?: (?<value>.*))?$/;

/** Reads guards.txt. Throws for a line that is none. */
export function readGuards(): Guard[] {
  const guards: Guard[] = [];
  for (const line of readFileSync(path.join(import.meta.dirname, "guards.txt"), "utf8")
    .trimEnd()
    .split("\n")) {
    if (line.startsWith("#")) continue;
    const [file = "", scope = "", edit = "", tests = "", ...only] = line.replace(/^\+ /, "").split(" | ");
    const parsed = parseEdit(file, scope, edit);
    if (!parsed) throw new Error(`guards.txt has no such operator: ${line}`);
    if (line.startsWith("+ ")) guards.at(-1)?.edits.push(parsed);
    else
      guards.push({
        name: `${file} | ${scope} | ${edit}`,
        edits: [parsed],
        tests: tests.split(" ").map((test) => testFile(file, test)),
        only: only.length > 0 ? only.join(" | ") : undefined,
      });
  }
  return guards;
}

function parseEdit(file: string, scope: string, edit: string): Edit | undefined {
  const { operator = "", name = "", value = "" } = EDIT.exec(edit)?.groups ?? {};
  return isOperator(operator) ? { file, scope, operator, name: name.replaceAll(/^"|"$/g, ""), value } : undefined;
}

function testFile(file: string, test: string): string {
  if (test === ".") return file.replace(/\.ts$/, ".test.ts");
  const below = `test/${test}.test.ts`;
  return existsSync(path.join(ROOT, below)) ? below : `${test}.test.ts`;
}
