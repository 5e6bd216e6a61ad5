/** Made at their first use: Intl's data for them takes longer to load than a function's code. */
let sentenceSegmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/** The sentences of a text by Unicode's rules for English, with their places; white space belongs to the one before it. */
export function sentenceSegments(text: string): Intl.Segments {
  sentenceSegmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  return sentenceSegmenter.segment(text);
}

/** The words of a text of any script, and what is between them, with their places. */
export function wordSegments(text: string): Intl.Segments {
  wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return wordSegmenter.segment(text);
}
