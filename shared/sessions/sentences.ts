import { sentenceSegments } from "../kernel/segments.ts";
import type { SpokenText } from "../memory/extraction/passage.ts";
import { speakerName } from "../memory/extraction/speakers.ts";
import type { SessionMessage } from "./session.ts";

/** How much of one message is read by rule; longer ones are documents. */
const MAX_CHARACTERS = 10_000;
/** Longer stretches without a full stop are code or data. */
const LONGEST_SENTENCE = 400;

/** The sentences of a message, as the rules of the extraction take them. */
export function sentencesOf({ role, content }: Pick<SessionMessage, "role" | "content">): SpokenText[] {
  const speaker = speakerName(role);
  const text = content.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll("’", "'");
  return text
    .split(/\n+/)
    .flatMap((line, block) => sentenceSegments(line).map(({ segment }) => ({ text: segment.trim(), block })))
    .filter(({ text: sentence }) => sentence !== "" && sentence.length <= LONGEST_SENTENCE)
    .map((sentence) => ({ ...sentence, speaker, isSpoken: true }));
}
