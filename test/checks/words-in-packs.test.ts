import { globSync, readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, it } from "vitest";
import { setOf } from "../../shared/kernel/strings.ts";
import { languagesByWord } from "../../shared/language/languages/markers.ts";

/** Letters beyond a to z show words of a language; ordinals and the micro sign are none. */
const ACCENTED = /[\p{L}\p{M}]*[[\p{L}]--[a-zA-Zªºµ]][\p{L}\p{M}]*/gv;
/** Texts and patterns in code. */
const LITERAL =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
const WORD = /(?<!\\)\p{L}{3,}/gu;
/** Words of other languages that are English words, too. */
const ALSO_ENGLISH = setOf("come dig due men min per pro sit son ten");
/** Fewer words of a language may be names, abbreviations or English. */
const MIN_LIST = 3;

/** Files that have such words for another reason than to know a language, or are not split by language yet. */
const ALLOWED: { readonly [file: string]: string } = {
  "shared/kernel/text/fold.ts": "letters that Unicode does not decompose",
  "shared/language/words/spellings.ts": "ranges of letters of scripts",
  "shared/domain/knowledge/sources/extraction/pdf-ligatures.ts": "letters of Arabic",
  "shared/domain/knowledge/sources/extraction/sniff.ts": "bytes of files",
  "shared/domain/compression/corpora/agent-memory.ts": "a corpus",
  "shared/language/dates/clock.ts": "signs for hours and minutes",
  "shared/language/facts/pronouns.ts": "accents in English",
  "shared/language/secrets/checksums.ts": "the alphabet of a code",
  "shared/language/secrets/identity-numbers.ts": "names of numbers by country",
  "shared/language/slots/slots.ts": "makes of cars, and accents in English",
  "shared/language/statements/evidence.ts": "accents in English",
  "shared/language/statements/facts.ts": "accents in English",
  "shared/language/statements/words.ts": "accents in English",
};

const MIN_FILES = 500;

const LANGUAGES = languagesByWord();

it("keeps the words of a language in its pack", async () => {
  const files = globSync("{shared,functions}/**/*.ts", {
    exclude: ["**/*.test.ts", "shared/language/languages/**", "functions/console/browser/**"],
  });
  expect(files.length).toBeGreaterThan(MIN_FILES);
  const found = await Promise.all(
    files.map(async (file) => {
      const { code } = await transform(readFileSync(file, "utf8"), {
        loader: "ts",
        charset: "utf8",
        legalComments: "none",
      });
      const words = [...(code.match(ACCENTED) ?? []), ...listedWords(code)];
      return words.length === 0 ? [] : [{ file, words: words.slice(0, 5) }];
    }),
  );
  const elsewhere = found.flat();
  expect(elsewhere.filter(({ file }) => !(file in ALLOWED))).toEqual([]);
  const stale = Object.keys(ALLOWED).filter((file) => !elsewhere.some((one) => one.file === file));
  expect(stale).toEqual([]);
});

it.each([
  ['setOf("montag dienstag freitag")', ["montag", "dienstag", "freitag"]],
  ["/^(?:hier|demain|toujours)$/", ["hier", "demain", "toujours"]],
  ['["oggi", "domani", "ieri"]', ["oggi", "domani", "ieri"]],
  ['setOf("monday tuesday friday")', []],
  ['import { montag, dienstag, freitag } from "./days.ts";', []],
])("finds a list of words without accents in %s", (code, words) => {
  expect(listedWords(code)).toEqual(words);
});

/** Returns the words of texts and patterns that packs have and English has not, if enough are of one language. */
function listedWords(code: string): string[] {
  const words = new Set([...code.matchAll(LITERAL)].flatMap(([literal]) => literal.toLowerCase().match(WORD) ?? []));
  const foreign = [...words].filter(
    (word) => !ALSO_ENGLISH.has(word) && LANGUAGES.has(word) && !LANGUAGES.get(word)?.includes("en"),
  );
  const lists = new Map<string, string[]>();
  for (const word of foreign)
    for (const language of LANGUAGES.get(word) ?? []) lists.set(language, [...(lists.get(language) ?? []), word]);
  return [...lists.values()].find((list) => list.length >= MIN_LIST) ?? [];
}
