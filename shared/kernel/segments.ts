/** Made at their first use: Intl's data for them takes longer to load than a function's code. */
let sentenceSegmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/** A part of a text, and where it begins. */
export interface Segment {
  segment: string;
  index: number;
}

/** Titles, initials, months and other words with a full stop that ends no sentence, of the languages most written. */
const ABBREVIATION =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Drs|Prof|St|Mt|Jr|Sr|Sra|Srta|Gen|Sen|Rev|Hr|Fr|Frl|Mme|Mlle|Sig|Dott|vs|e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ex|bzw|usw|evtl|ggf|inkl|zzgl|approx|etc|resp|incl|ca|No|Nr|Str|Tel|Inc|Co|Ltd|[ap]\.m|Jan|Feb|Mar|Mrz|Apr|Jun|Jul|Aug|Sept?|Okt|Oct|Nov|Dez|Dec|\p{Lu}|(?:\p{Lu}\.)+\p{Lu})\.\s*$/u;
const LONGEST_ABBREVIATION = 12;
/** "am 22. November", "im 3. Stock": a number with a full stop that goes on with a noun or in lower case is an ordinal. */
const ORDINAL =
  /(?:^|\s)(?:am|vom|zum|bis|ab|der|die|das|dem|den|des|im|und|seit|den|d\.|il|el|o|a|le)\s+\d{1,2}\.\s*$/iu;
/** People in a hurry begin sentences in lower case, where Unicode's rules see none end. */
const LOWER_CASE_START = /(?=\p{Ll})(?<=[\p{L}\p{N})"']{2}[.!?…]["')]?\s+)/u;

/**
 * The sentences of a text, without gaps: by Unicode's rules, but not cut behind abbreviations and ordinals, and cut before
 * a sentence that begins in lower case. White space belongs to the sentence before it.
 */
export function sentenceSegments(text: string): Segment[] {
  sentenceSegmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  const segments: Segment[] = [];
  let index = 0;
  let pending = "";
  for (const { segment } of sentenceSegmenter.segment(text)) {
    for (const piece of segment.split(LOWER_CASE_START)) {
      pending += piece;
      const end = pending.slice(-LONGEST_ABBREVIATION);
      if (!piece.includes("\n") && (ABBREVIATION.test(end) || ORDINAL.test(end))) continue;
      segments.push({ segment: pending, index });
      index += pending.length;
      pending = "";
    }
  }
  if (pending !== "") segments.push({ segment: pending, index });
  return segments;
}

/** The words of a text of any script, and what is between them, with their places. */
export function wordSegments(text: string): Intl.Segments {
  wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return wordSegmenter.segment(text);
}
