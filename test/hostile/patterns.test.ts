import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** A quantifier before the end of a text, in a pattern that is not anchored at its beginning. */
const OPEN_ENDED = /(?<![/|(])\/(?!\^|\/|\*)[^/\n]*[+*}]\$(?:\)|\||\/)/;
/** Files with such patterns for texts of limited length, and what limits them. */
const BOUNDED: Record<string, string> = {
  "shared/domain/memory/content.ts": "keys of blobs",
  "shared/language/words/segments.ts": "the last 12 characters of a sentence",
  "shared/language/asserted/quantities.ts": "the characters before a time of day, of a fixed number",
  "shared/language/reader/windows.ts": "a token and the characters up to the next one, each of which is passed once",
  "shared/language/statements/structure.ts": "three quotation marks",
  "shared/language/statements/voice/delimited.ts": "the clause before a quotation mark",
  "shared/language/statements/voice/intros.ts": "blanks after a word, each of which is passed once",
  "shared/language/statements/voice/lines.ts": "a line, from its beginning",
  "shared/language/statements/voice/signs.ts": "the first 240 characters of a line; blanks after a question mark",
  "shared/language/statements/voice/voices.ts": "the last 240 characters of a line",
  "shared/language/secrets/data-lines.ts": "the first 400 characters of a line",
  "shared/language/secrets/identity-numbers.ts": "the 60 characters before a number",
  "shared/language/secrets/shapes.ts": "a value, from its beginning",
  "shared/language/secrets/tokens.ts": "the last of the 12 characters before a token",
  "shared/domain/retrieval/ranking/names.ts": "the four characters before a word",
};

function isOpenEnded(file: string): boolean {
  return readFileSync(file, "utf8")
    .split("\n")
    .some((line) => OPEN_ENDED.test(line));
}

it("no function trims text with a pattern, which is tried at each place of each run", () => {
  const files = ["shared", "functions"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const code = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  expect(code.length).toBeGreaterThan(300);
  expect(code.filter(isOpenEnded).filter((file) => !(file in BOUNDED))).toEqual([]);
});

it("text is normalized only by the function that limits runs of combining marks", () => {
  const files = ["shared", "functions"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const own = "shared/kernel/strings.ts";
  const calling = files.filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && /\.normalize\(/.test(readFileSync(file, "utf8")),
  );
  expect(calling).toEqual([own]);
});
