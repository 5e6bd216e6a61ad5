/** Makes a text of exactly this many characters. */
type Shape = (length: number) => string;

const filled = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

const repeated =
  (part: string): Shape =>
  (length) =>
    filled(part, length);

/** Parts that differ by their number. */
const counted =
  (part: (place: number) => string): Shape =>
  (length) => {
    const parts: string[] = [];
    for (let size = 0, place = 0; size < length; place++) {
      const next = part(place);
      parts.push(next);
      size += next.length;
    }
    return parts.join("").slice(0, length);
  };

/** A run between two words: a pattern for a run at an end is tried at each of its positions. */
const between =
  (part: string): Shape =>
  (length) =>
    `a${filled(part, Math.max(0, length - 2))}b`;

/** Opens all first, then closes all. */
const nested =
  (open: string, close: string): Shape =>
  (length) => {
    const depth = Math.floor(length / (open.length + close.length));
    return filled(open, depth * open.length)
      .concat(close.repeat(depth))
      .padEnd(length, " ");
  };

const letters = (place: number) =>
  place.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const MADE: Record<string, Shape> = {
  prose: repeated("Ada lives in Zurich and works at the bank with Ben. She likes tea, but Ben prefers coffee. "),
  blanks: repeated(" "),
  "blanks inside": between(" "),
  newlines: repeated("\n"),
  "newlines inside": between("\n"),
  "blank lines": repeated(" \n"),
  "CR and LF": repeated("\r\n"),
  tabs: repeated("\t"),
  "blanks of all kinds": repeated(" \u00a0\u2003\t\u3000"),
  commas: repeated(","),
  "letters and commas": repeated("a,"),
  "letters and blanks": repeated("a "),
  "letters and lines": repeated("a\n"),
  "lines of keys and items": repeated("a:\n- a"),
  "list items": repeated("- a\n"),
  dashes: repeated("-"),
  "dashes inside": between("-"),
  "dashes and blanks": repeated("- "),
  dots: repeated("."),
  "dots inside": between("."),
  "letters and dots": repeated("A."),
  "sentences of a letter": repeated("A. "),
  "question marks": repeated("?"),
  "exclamation and quotes": repeated('!" '),
  colons: repeated(":"),
  "keys and values": repeated("Ada: b "),
  semicolons: repeated("a; "),
  slashes: repeated("/"),
  backslashes: repeated("\\"),
  underscores: repeated("_"),
  asterisks: repeated("*"),
  hashes: repeated("#"),
  pipes: repeated("|"),
  "cells of tables": repeated("| a | b |\n"),
  quotes: repeated('"'),
  apostrophes: repeated("'"),
  "apostrophes in words": repeated("a'a"),
  backticks: repeated("`"),
  fences: repeated("```\n"),
  tildes: repeated("~"),
  "opening brackets": repeated("("),
  "nested brackets": nested("(", ")"),
  "nested square brackets": nested("[", "]"),
  "nested JSON arrays": nested("[", "]"),
  "nested JSON objects": nested('{"a":', "}"),
  "JSON rows": counted((place) => `{"id":${place},"a":"b"}\n`),
  "markdown links": repeated("[a](b) "),
  "unfinished links": repeated("[a]("),
  "unfinished images": repeated("![["),
  "nested quotes": repeated("> "),
  "nested emphasis": repeated("*a _b "),
  headings: repeated("# a\n"),
  "long word": repeated("a"),
  "long capital word": repeated("A"),
  "distinct words": counted((place) => `${letters(place)} `),
  "distinct names": counted(
    (place) => `${capitalized(letters(place))}son met ${capitalized(letters(place + 7))}ville. `,
  ),
  "repeated names": repeated("Ada Lovelace met Ben Nevis. "),
  "capitalized words": counted((place) => `${capitalized(letters(place))} `),
  "distinct sentences": counted((place) => `I visited the ${letters(place)} museum with my friend in 2019. `),
  "first person": counted((place) => `I like ${letters(place)} and I went to the ${letters(place + 3)} shop, `),
  rules: counted((place) => `When the ${letters(place)} fails, restart the ${letters(place)} server. `),
  conversation: counted((place) => `Ada: I bought a ${letters(place)} lamp yesterday.\nBen: Great!\n`),
  dates: counted((place) => `${(place % 28) + 1} May ${1900 + (place % 150)} `),
  "relative dates": repeated("yesterday last week tomorrow "),
  "one date": repeated("2023-05-07 "),
  times: repeated("at 3pm "),
  digits: repeated("1"),
  "digits and dots": repeated("1."),
  "digits and commas": repeated("1,"),
  "digits and colons": repeated("1:"),
  "digits and slashes": repeated("1/"),
  numbers: counted((place) => `${place} `),
  "CJK without spaces": counted((place) => String.fromCodePoint(0x4e00 + ((place * 7919) % 20_000))),
  "one CJK character": repeated("東"),
  kana: repeated("かな"),
  thai: repeated("ภาษาไทย"),
  arabic: repeated("مرحبا "),
  hebrew: repeated("שלום"),
  "both directions": repeated("a ש 1 "),
  cyrillic: repeated("Привет мир. "),
  emoji: repeated("😀"),
  "joined emoji": repeated("👩‍👩‍👧‍👦"),
  joiners: repeated("\u200d"),
  "joiners between letters": repeated("a\u200d"),
  flags: repeated("🇨🇭"),
  "combining marks": repeated("\u0301"),
  "letters with many marks": (length) => `a${filled("\u0301\u0323", Math.max(0, length - 1))}`,
  "lone surrogates": repeated("\ud800"),
  "control characters": repeated("\u0001"),
  "zero bytes": repeated("\0"),
  "opening tags": repeated("<a>"),
  "nested tags": nested("<b>", "</b>"),
  "nested lists": repeated("<ul><li>"),
  "paragraphs without end": repeated("<p>"),
  "closing tags": repeated("</p>"),
  "less-than signs": repeated("<"),
  "unfinished tags": repeated("<a "),
  comments: repeated("<!--"),
  "opening and other tags": repeated("<table><tr><td>"),
  ampersands: repeated("&"),
  entities: repeated("&amp;"),
  attributes: (length) => `<a ${filled('a="b" ', length)}`,
  URLs: counted((place) => `https://example.com/${place}?a=b `),
  "URL of many parts": (length) => `https://example.com/${filled("a/", length)}`,
  mentions: counted((place) => `@${letters(place)} `),
  "e-mail addresses": counted((place) => `${letters(place)}@example.com `),
  "at signs": repeated("a@"),
  hashtags: repeated("#a "),
  "percent signs": repeated("%41"),
  code: repeated("if (a) { b(); }\n"),
  slots: repeated("{{a}} "),
  "opening slots": repeated("{{"),
  "dollar slots": repeated("${a"),
  "same line": repeated("The same line again.\n"),
  "growing runs": counted((place) => `${"ab".repeat(place % 60)} `),
  "a and b": counted((place) => ((place * place) % 7 < 3 ? "a" : "b")),
  ellipsis: repeated("… "),
  markers: repeated("§¶"),
  "quoted titles": repeated('"Ada" '),
  possessives: repeated("Ada's "),
  abbreviations: repeated("Mr. "),
  conjunctions: repeated("and "),
};

/** Texts that take a quadratic pass a long time, by their content. */
export const SHAPES: Record<string, Shape> = Object.fromEntries(
  Object.entries(MADE).map(([name, shape]) => [name, (length) => shape(length).slice(0, length)]),
);

/** One shape of each kind, which together show most faults. */
export const TELLING_SHAPES = [
  "blanks inside",
  "newlines inside",
  "letters and commas",
  "lines of keys and items",
  "dots inside",
  "nested JSON arrays",
  "fences",
  "distinct words",
  "distinct names",
  "relative dates",
  "CJK without spaces",
  "both directions",
  "joined emoji",
  "letters with many marks",
  "nested tags",
  "URLs",
  "opening slots",
];
