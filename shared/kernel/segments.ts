/** Created at first use, because Intl's data takes longer to load than a function's code. */
let sentenceSegmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/** A part of a text with its start position in UTF-16 code units. */
export interface Segment {
  segment: string;
  index: number;
}

/** Titles, initials, months and other abbreviations whose full stop does not end a sentence, in common languages. */
const ABBREVIATION =
  /(?:^|[\s(])(?:[Mm]rs?|[Mm]s|[Dd]rs?|[Pp]rof|Capt|Sgt|Lt|Col|Maj|Engr|Atty|St|Mt|Jr|Sr|Sra|Srta|Gen|Sen|Rev|Hr|Fr|Frl|Mme|Mlle|Sig|Dott|vs|e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ex|bzw|usw|evtl|ggf|inkl|zzgl|approx|etc|resp|incl|ca|No|Nr|Str|Tel|Inc|Co|Ltd|[ap]\.m|Jan|Feb|Mar|Mrz|Apr|Jun|Jul|Aug|Sept?|Okt|Oct|Nov|Dez|Dec|\p{Lu}|(?:\p{Lu}\.)+\p{Lu})\.\s*$/u;
const MAX_ABBREVIATION_LENGTH = 12;
/** "am 22. November", "im 3. Stock": a number with a full stop after an article or a preposition is an ordinal. */
const ORDINAL =
  /(?:^|\s)(?:am|vom|zum|bis|ab|der|die|das|dem|den|des|im|und|seit|den|d\.|il|el|o|a|le)\s+\d{1,2}\.\s*$/iu;
/** "29. Mai": a number with a full stop before a month in German. */
const DAY_OF_MONTH = /(?:^|\s)\d{1,2}\.\s*$/u;
const MONTH =
  /^(?:Januar|Jänner|Februar|Feber|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u;
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
