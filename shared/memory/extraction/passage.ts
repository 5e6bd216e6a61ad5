import { sentenceSegments } from "../../kernel/segments.ts";
import type { JsonObject } from "../../platform/ports.ts";
import { type DateMention, loadDateReader, timeOf } from "./dates.ts";
import { readTurns, speakerOf, UNNAMED_SPEAKER } from "./speakers.ts";

/** A memory's text as the extraction is given it. */
export interface MemoryText {
  content: string;
  user_id?: string | undefined;
  metadata?: JsonObject | undefined;
  /** ISO, with the offset of who said it; when the text was said. */
  occurred_at?: string | undefined;
  /** ISO, with the offset of who said it; stands in where neither `occurred_at` nor the metadata tell. */
  stored_at?: string | undefined;
}

export interface Sentence {
  /** With relative dates resolved where the time is known. */
  text: string;
  dates: DateMention[];
  /** Who "I" is in it: a name, or a description such as "the user". */
  speaker: string;
}

/** A text cut into the sentences that are worth reading, with what is known of its speakers and its time. */
export interface Passage {
  sentences: Sentence[];
  /** What relative dates count from; undefined leaves them as they are. */
  time: Date | undefined;
}

/** How much of a text is read; a memory that is longer is a document and gets chunked before it comes here. */
const MAX_CHARACTERS = 50_000;
/** Longer runs without a full stop are cut between words, so that no sentence costs more than its share. */
const MAX_SENTENCE_CHARACTERS = 500;
/** No word of any language; digests, base64 and keyboard mashing. */
const MAX_WORD_CHARACTERS = 60;

/** Control and formatting characters, which no reader sees; line breaks and tabs part words and stay. */
const UNREADABLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\r\t]]+/gv;
/** Where the segmenter stops too early: titles, initials, months and other abbreviations. */
const ABBREVIATION =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|Gen|Sen|Rev|vs|e\.g|i\.e|approx|No|Inc|Co|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|\p{Lu}|(?:\p{Lu}\.)+\p{Lu})\.\s*$/u;

export async function readPassage(memory: MemoryText): Promise<Passage> {
  const metadata = memory.metadata ?? {};
  const { occurred_at } = memory;
  const time = await (occurred_at === undefined
    ? timeOf(metadata, wallClock(memory.stored_at))
    : timeOf({}, wallClock(occurred_at)));
  const readDates = await loadDateReader();
  const fallbackSpeaker = speakerOf(metadata) ?? UNNAMED_SPEAKER;
  const seen = new Set<string>();
  const sentences: Sentence[] = [];
  for (const turn of readTurns(legible(memory.content))) {
    const speaker = turn.speaker ?? fallbackSpeaker;
    for (const text of sentencesOf(turn.text)) {
      const key = `${speaker}\n${text.toLowerCase()}`;
      if (!seen.has(key)) sentences.push({ ...readDates(text, time), speaker });
      seen.add(key);
    }
  }
  return { sentences, time };
}

/** What a clock shows at a moment in its offset, as if it were UTC, which the date reader counts days by. */
function wallClock(moment: string | undefined): string | undefined {
  return moment?.replace(/[+-]\d\d:\d\d$/, "Z");
}

function legible(content: string): string {
  return content.slice(0, MAX_CHARACTERS).toWellFormed().replace(UNREADABLE, "").replaceAll("’", "'");
}

function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let pending = "";
  for (const { segment } of sentenceSegments(text)) {
    pending += segment;
    if (pending.length < MAX_SENTENCE_CHARACTERS && ABBREVIATION.test(pending)) continue;
    sentences.push(...pieces(pending));
    pending = "";
  }
  return [...sentences, ...pieces(pending)];
}

/** At most `MAX_SENTENCE_CHARACTERS` each, cut between words, without words that are none and words repeated on end. */
function pieces(sentence: string): string[] {
  const words = sentence.split(/\s+/).filter((word, place, all) => {
    return word !== "" && word.length <= MAX_WORD_CHARACTERS && !(word === all[place - 1] && word === all[place - 2]);
  });
  const cut: string[] = [];
  let piece = "";
  for (const word of words) {
    if (piece.length + word.length >= MAX_SENTENCE_CHARACTERS) {
      cut.push(piece);
      piece = "";
    }
    piece = piece === "" ? word : `${piece} ${word}`;
  }
  return piece === "" ? cut : [...cut, piece];
}
