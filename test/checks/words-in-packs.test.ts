import { globSync, readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, it } from "vitest";

/** Letters beyond a to z show words of a language; ordinals and the micro sign are none. */
const WORD = /[\p{L}\p{M}]*[[\p{L}]--[a-zA-Zªºµ]][\p{L}\p{M}]*/gv;

/** Files that have such words for another reason than to know a language, or are not split by language yet. */
const ALLOWED: { readonly [file: string]: string } = {
  "shared/kernel/segments.ts": "abbreviations and months end no sentence, and the kernel is below the packs",
  "shared/kernel/text/fold.ts": "letters that Unicode does not decompose",
  "shared/language/words/spellings.ts": "ranges of letters of scripts",
  "shared/domain/knowledge/sources/extraction/pdf-ligatures.ts": "letters of Arabic",
  "shared/domain/knowledge/sources/extraction/sniff.ts": "bytes of files",
  "shared/domain/compression/corpora/agent-memory.ts": "a corpus",
  "shared/language/dates/clock.ts": "signs for hours and minutes",
  "shared/language/facts/pronouns.ts": "honorifics in English texts",
  "shared/language/facts/rows.ts": "rows of tables",
  "shared/language/secrets/identity-numbers.ts": "names of numbers by country",
  "shared/language/secrets/logins.ts": "words for signing in, by language",
  "shared/language/secrets/password-words.ts": "words for passwords, by language",
  "shared/language/secrets/spoken.ts": "words for passwords, by language",
  "shared/language/slots/slots.ts": "makes of cars, and accents in English",
  "shared/language/statements/evidence.ts": "honorifics in English texts",
  "shared/language/statements/facts.ts": "accents in English",
  "shared/language/statements/moods.ts": "statements in questions, by language",
  "shared/language/statements/voice/delimited.ts": "ends of pasted texts",
  "shared/language/statements/voice/lines.ts": "times of chats",
  "shared/language/statements/voice/voices.ts": "attributions",
  "shared/language/statements/words.ts": "accents in English",
};

const MIN_FILES = 500;

it("keeps the words of a language in its pack", async () => {
  const files = globSync("{shared,functions}/**/*.ts", {
    exclude: ["**/*.test.ts", "shared/language/languages/**", "functions/console/browser/**"],
  });
  expect(files.length).toBeGreaterThan(MIN_FILES);
  const found = await Promise.all(
    files.map(async (file) => {
      const source = readFileSync(file, "utf8");
      if (source.match(WORD) === null) return [];
      const { code } = await transform(source, { loader: "ts", charset: "utf8", legalComments: "none" });
      const words = code.match(WORD);
      return words === null ? [] : [{ file, words: words.slice(0, 5) }];
    }),
  );
  const elsewhere = found.flat();
  expect(elsewhere.filter(({ file }) => !(file in ALLOWED))).toEqual([]);
  const stale = Object.keys(ALLOWED).filter((file) => !elsewhere.some((one) => one.file === file));
  expect(stale).toEqual([]);
});
