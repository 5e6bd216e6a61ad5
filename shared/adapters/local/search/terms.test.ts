import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { Database } from "../storage/sqlite.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";
import { countTerms, documentsByTerm } from "./terms.ts";
import { performWrite } from "./writes.ts";

const TEXTS = [
  "",
  "Ada paints a quiet lake",
  "Ada painted the lake, the lake again",
  "Meine Bücher stehen im Regal",
  "getUserById is slower since v1.2.3",
  "C# and C++ 🎉 🎉",
  "住在苏黎世",
  "It's Anna’s e-mail: a_b-c.d@example.com, “x”",
];
const HISTORY = 300;

let database: Database;

const openAt = (file: string, versions = SEARCH_MIGRATIONS.length) =>
  new Database({ file, migrations: SEARCH_MIGRATIONS.slice(0, versions) });

beforeEach(() => {
  database = openAt(join(temporaryFolder(), "search.db"));
});

afterEach(() => database.close());

/** The terms that the full-text index contains, with their documents. */
function vocabulary(): unknown[][] {
  database.prepare("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, words, row)").run();
  return database.tuples("SELECT term, doc FROM temp.vocabulary ORDER BY term");
}

const counted = () => database.tuples("SELECT term, documents FROM terms ORDER BY term");
const documentOf = (id: string, version: number, content: string) => {
  return { ...BLANK_DOCUMENT, org: "org_a", id, version, content };
};

it("counts the documents of each term after any history of writes", () => {
  let seed = 7;
  const pick = (count: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  for (let step = 1; step <= HISTORY; step++) {
    const id = `mem_${pick(12)}`;
    const version = pick(step) + 1;
    if (pick(3) === 0) performWrite(database, { remove: [{ id, version }], now: 1, sequence: step });
    else {
      const texts = Array.from({ length: 1 + pick(3) }, () => TEXTS[pick(TEXTS.length)] ?? "");
      const others = texts
        .slice(1)
        .map((text, position) => documentOf(`mem_${pick(12)}`, version + position + 1, text));
      performWrite(database, { upsert: [documentOf(id, version, texts[0] ?? ""), ...others], sequence: step });
    }
    expect(counted()).toEqual(vocabulary());
  }
  expect(counted()).not.toEqual([]);
});

it("keeps no word of deleted documents", () => {
  const documents = TEXTS.map((text, index) => documentOf(`mem_${index}`, 1, text));
  performWrite(database, { upsert: documents, sequence: 1 });
  performWrite(database, { remove: documents, now: 1, sequence: 2 });
  expect(counted()).toEqual([]);
});

it("counts documents that an earlier release stored", () => {
  const file = join(temporaryFolder(), "earlier.db");
  database.close();
  database = openAt(file, 8);
  const insert = database.prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)");
  for (const [position, terms] of ["ada lake paint~~", "ada", "c# v1.2 bucher^^"].entries())
    insert.run(position + 1, terms);
  database.close();
  database = openAt(file);
  expect(counted()).toEqual(vocabulary());
});

it("returns the most frequent terms first, without unused ones", () => {
  countTerms(database, ["ada lake", "lake lake", "lake sea"]);
  const found = documentsByTerm(database, ["sea", "hill", "ada", "lake", "lake"]);
  expect([...found].map(([term, documents]) => `${term} ${documents}`)).toEqual(["lake 3", "ada 1", "sea 1"]);
});
