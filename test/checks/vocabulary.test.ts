import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseAst } from "vitest/node";

/** Words of names that have a standard word instead. */
const BANNED_WORDS: { readonly [word: string]: string } = {
  mendable: "fuzzy",
  rival: "ended",
  resting: "evidence",
  unreal: "hypothetical",
  usual: "default, common or standard",
};

/** Names that have a standard name instead. */
const BANNED_NAMES: { readonly [name: string]: string } = {
  isThere: "isReadable",
  place: "location, position, index, checkpoint or sort key",
  placeIn: "a name with what it returns",
  placeOf: "a name with what it returns",
  places: "locations, positions or indexes",
  searchEnhancedSimply: "searchEnhancedByQuery",
  searchSimply: "searchByQuery",
};

const CHECKPOINT = "a field of stored checkpoints";
const MAP = "places on the map";

/** Files that need a banned name. */
const ALLOWED: { readonly [file: string]: string } = {
  "shared/domain/knowledge/connections/connection.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/bucket.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/github.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/google-drive.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/notion-properties.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/notion.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/provider.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/slack.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/providers/website.ts": CHECKPOINT,
  "shared/domain/knowledge/connections/synchronize.ts": CHECKPOINT,
  "shared/domain/operations/offboarding/ownership.ts": CHECKPOINT,
  "shared/domain/sessions/extraction-jobs.ts": CHECKPOINT,
  "shared/domain/sessions/remember.ts": CHECKPOINT,
  "shared/language/facts/copula.ts": MAP,
  "shared/language/facts/plans.ts": MAP,
  "shared/language/facts/read-foreign.ts": MAP,
  "shared/language/statements/structure.ts": MAP,
  "shared/runtime/upgrades/steps/04-maintenance-as-jobs.ts": CHECKPOINT,
  "shared/runtime/upgrades/steps/05-requests-as-jobs.ts": CHECKPOINT,
  "shared/runtime/upgrades/steps/06-sources-as-jobs.ts": CHECKPOINT,
};

const MIN_IDENTIFIERS = 10_000;

it("names things by the words of the field", () => {
  const files = globSync("{shared,functions,infra,clients/typescript/src}/**/*.{ts,tsx}", {
    exclude: ["**/*.test.ts", "**/node_modules/**", "functions/console/bundle/**"],
  });
  const identifiers = files.flatMap((file) => identifiersOf(file).map((name) => ({ file, name })));
  expect(identifiers.length).toBeGreaterThan(MIN_IDENTIFIERS);
  const banned = identifiers.filter(({ name }) => isBanned(name));
  expect(banned.filter(({ file }) => !Object.hasOwn(ALLOWED, file))).toEqual([]);
  const stale = Object.keys(ALLOWED).filter((allowed) => !banned.some(({ file }) => file === allowed));
  expect(stale).toEqual([]);
});

function isBanned(name: string): boolean {
  return Object.hasOwn(BANNED_NAMES, name) || wordsOf(name).some((word) => Object.hasOwn(BANNED_WORDS, word));
}

/** The words of a name in camel case or with underscores, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[\s_$#]+/)
    .map((word) => word.toLowerCase());
}

/** The different names in a file. */
function identifiersOf(file: string): string[] {
  const names = new Set<string>();
  const ast = parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" });
  JSON.stringify(ast, (_key, node) => {
    if (node?.type === "Identifier" || node?.type === "PrivateIdentifier") names.add(node.name);
    return typeof node === "bigint" ? undefined : node;
  });
  return [...names];
}
