import type { Passage } from "./passage.ts";

/** The measures of a text with full complexity: sentences, words per sentence, and speakers. */
const FULL = { sentences: 16, wordsASentence: 32, speakers: 3 };
const WEIGHTS = { sentences: 0.6, wordsASentence: 0.25, speakers: 0.15 };

/** How hard a text is to read, 0..1: long texts, long sentences and several speakers are harder. */
export function complexityOf({ sentences }: Passage): number {
  if (sentences.length === 0) return 0;
  const words = sentences.reduce((total, { text }) => total + text.split(" ").length, 0);
  const speakers = new Set(sentences.map(({ speaker }) => speaker)).size;
  return (
    WEIGHTS.sentences * Math.min(1, sentences.length / FULL.sentences) +
    WEIGHTS.wordsASentence * Math.min(1, words / sentences.length / FULL.wordsASentence) +
    WEIGHTS.speakers * Math.min(1, (speakers - 1) / (FULL.speakers - 1))
  );
}
