import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { IgnoreRules } from "../../clients/typescript/src/cli/agents/ignore.ts";
import { findProject } from "../../clients/typescript/src/cli/agents/project.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { LINEAR, orderOfGrowth } from "../support/processor-time.ts";

function git(folder: string, words: string[], input = ""): string {
  try {
    return execFileSync("git", ["-C", folder, ...words], { input, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    // check-ignore ends with 1 if it names no path.
    if (Object(error).status === 1) return "";
    throw error;
  }
}

/** The paths that git ignores by rules in a repository. */
function ignoredByGit(repository: string, rules: string, paths: string[]): string[] {
  writeFileSync(path.join(repository, ".gitignore"), rules);
  const shown = git(repository, ["check-ignore", "--no-index", "-z", "--stdin"], paths.join("\0"));
  return shown.split("\0").filter((name) => name !== "");
}

function newRepository(): string {
  const folder = temporaryFolder();
  git(folder, ["init", "-q"]);
  return folder;
}

const ignoredByUs = (rules: string, paths: string[]) => paths.filter((name) => new IgnoreRules(rules).ignores(name));

it.each([
  ["*.env\n!public.env", ["a.env", "b/c.env", "public.env", "b/public.env"]],
  ["private/", ["private/a", "b/private/a", "private", "privates/a"]],
  ["/build\ndocs/*.md", ["build/x", "a/build", "docs/a.md", "docs/b/a.md", "x/docs/a.md"]],
  ["a/**/z\n**/logs\ntemp/**", ["a/z", "a/b/c/z", "x/a/z", "logs/a", "x/logs", "temp", "temp/a/b"]],
  ["# no\n\\#yes\n\\!no\ntrail\\ \nblank   ", ["# no", "#yes", "!no", "trail ", "trail", "blank"]],
  ["secret/\n!secret/open.txt", ["secret/open.txt", "secret/a"]],
  ["file[0-9a-c].txt\nx[!y]z\n[", ["file3.txt", "fileb.txt", "filed.txt", "xyz", "xaz", "["]],
  ["*\n!*.md", ["a", "a.md", "b/a.md"]],
])("reads %j as git does", (rules, paths) => {
  expect(ignoredByUs(rules, paths)).toEqual(ignoredByGit(newRepository(), rules, paths));
});

it("ignores what git ignores, for any rules", () => {
  const piece = fc.constantFrom("a", "b", "ab", "*", "**", "?", "a*", "*b", "[ab]", "[!a]", "\\*", "*.c", ".c");
  const rule = fc
    .record({
      isNegated: fc.boolean(),
      isAnchored: fc.boolean(),
      isFolderOnly: fc.boolean(),
      names: fc.array(piece, { minLength: 1, maxLength: 3 }),
    })
    .map(({ isNegated, isAnchored, isFolderOnly, names }) => {
      return `${isNegated ? "!" : ""}${isAnchored ? "/" : ""}${names.join("/")}${isFolderOnly ? "/" : ""}`;
    });
  const name = fc.constantFrom("a", "b", "ab", "ba", "a.c", ".c", "*");
  const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const repository = newRepository();
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(file, { minLength: 1, maxLength: 12 }),
      (rules, paths) => {
        expect(ignoredByUs(rules.join("\n"), paths)).toEqual(ignoredByGit(repository, rules.join("\n"), paths));
      },
    ),
    { numRuns: 150 },
  );
});

it("finds ignored files in a text", () => {
  const rules = new IgnoreRules("private/\n*.pem\n");
  const isNamed = (text: string) => rules.isNamedIn(text, "/repo");
  expect(isNamed("Look at @private/keys.txt, please.")).toBe(true);
  expect(isNamed("It is in `/repo/certs/a.pem`.")).toBe(true);
  expect(isNamed("This is private. See public/keys.txt.")).toBe(false);
  expect(rules.ignoresAll()).toBe(false);
  expect(new IgnoreRules("*").ignoresAll()).toBe(true);
});

it("takes linear time for patterns that backtrack in regular expressions", async () => {
  const rules = new IgnoreRules(`${"*a".repeat(1_000)}b\n`);
  const matching = (length: number) => () => expect(rules.ignores("a".repeat(length))).toBe(false);
  expect(await orderOfGrowth([1_000, 8_000], matching, LINEAR)).toBeLessThanOrEqual(LINEAR);
  expect(() => new IgnoreRules("a\n".repeat(1_001))).toThrow("more than 1000 rules");
});

it("names a project by its root, and hashes its remote", () => {
  const root = path.join(temporaryFolder(), "shop");
  mkdirSync(path.join(root, "src"), { recursive: true });
  git(root, ["init", "-q"]);
  const { id: alone, name } = findProject(path.join(root, "src"));
  const ids = ["git@host.test:team/shop.git", "https://ada:token@host.test/team/shop"].map((remote) => {
    git(root, ["config", "remote.origin.url", remote]);
    return findProject(path.join(root, "src")).id;
  });
  expect([name, new Set(ids).size, ids.includes(alone)]).toEqual(["shop", 1, false]);
  expect(ids[0]).toMatch(/^[\da-f]{16}$/);
});
