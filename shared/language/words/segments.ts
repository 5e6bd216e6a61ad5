import { sentenceCase } from "../../kernel/strings.ts";
import { alternatives } from "../languages/lists.ts";
import { PACKS } from "../languages/packs.ts";

/** Created at first use, because Intl's data takes longer to load than a function's code. */
let sentenceSegmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/** A part of a text with its start position in UTF-16 code units. */
export interface Segment {
  segment: string;
  index: number;
}

/** Titles, initials, months and other abbreviations whose full stop does not end a sentence. */
const ABBREVIATION = new RegExp(
  String.raw`(?:^|[\s(])(?:${alternatives(({ sentences }) => sentences?.abbreviations)}|\p{Lu}|(?:\p{Lu}\.)+\p{Lu})\.\s*$`,
  "u",
);
const MAX_ABBREVIATION_LENGTH = 12;
/** "am 22. November", "im 3. Stock": a number with a full stop after an article or a preposition is an ordinal. */
const ORDINAL = new RegExp(
  String.raw`(?:^|\s)(?:${alternatives(({ sentences }) => sentences?.beforeOrdinals)})\s+\d{1,2}\.\s*$`,
  "iu",
);
/** "29. Mai": a number with a full stop before a month in languages that capitalize nouns. */
const DAY_OF_MONTH = /(?:^|\s)\d{1,2}\.\s*$/u;
const MONTH = new RegExp(String.raw`^(?:${capitalMonths().join("|")})(?!\p{L})`, "u");
/** The start of a sentence in lower case, which Unicode's rules do not recognize. */
const LOWER_CASE_START = /(?=\p{Ll})(?<=[\p{L}\p{N})"']{2}[.!?…]["')]?\s+)/u;

/**
 * Returns the sentences of a text, which together are the whole text. They follow Unicode's rules, but do not end after
 * abbreviations and ordinals, and may start in lower case. White space belongs to the preceding sentence.
 */
export function sentenceSegments(text: string): Segment[] {
  sentenceSegmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  const segments: Segment[] = [];
  let index = 0;
  let end = 0;
  for (const { segment } of sentenceSegmenter.segment(text)) {
    const segmentEnd = end + segment.length;
    for (const piece of segment.split(LOWER_CASE_START)) {
      end += piece.length;
      const ending = text.slice(Math.max(index, end - MAX_ABBREVIATION_LENGTH), end);
      const isMonthNext =
        DAY_OF_MONTH.test(ending) && MONTH.test(text.slice(segmentEnd, segmentEnd + MAX_ABBREVIATION_LENGTH));
      if (!piece.includes("\n") && (isMonthNext || ABBREVIATION.test(ending) || ORDINAL.test(ending))) continue;
      segments.push({ segment: text.slice(index, end), index });
      index = end;
    }
  }
  if (index < text.length) segments.push({ segment: text.slice(index), index });
  return segments;
}

/** Returns the words of a text in any script and the text between them, with positions. */
export function wordSegments(text: string): Intl.Segments {
  wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return wordSegmenter.segment(text);
}

/** Returns the names of months, without their abbreviations, in languages that capitalize nouns. */
function capitalMonths(): string[] {
  const tables = Object.values(PACKS).flatMap(({ capitalNouns, dates }) => (capitalNouns ? (dates ?? []) : []));
  return tables.flatMap(({ months = "" }) =>
    months.split(/[|;]/).flatMap((name, _index, names) => {
      const isShort = names.some((other) => other !== name && other.startsWith(name));
      return isShort ? [] : [sentenceCase(name)];
    }),
  );
}
