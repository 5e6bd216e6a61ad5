import type { JsonObject } from "../../ports/json.ts";
import { type Anchor, annotateDates, type DateAnnotation } from "../dates/annotate.ts";
import { sentenceSegments } from "../words/segments.ts";
import { anchorOf } from "./dates.ts";
import { englishTest } from "./english.ts";
import { withoutRecalled } from "./recalled.ts";
import { type Message, roleOf, type SaidBy } from "./said-by.ts";
import type { Omission } from "./schemas.ts";
import { readableText, type Span, SpanFinder } from "./spans.ts";
import { SOMEBODY_ELSE, speakerName, speakerOf, UNNAMED_SPEAKER } from "./speakers.ts";
import { readStatements, type Statement } from "./statements.ts";
import { type NamedInForm, readBlocks } from "./structure.ts";
import { hasTag, loadTagger, type Tagger } from "./tagging.ts";
import type { Foreign } from "./voice/delimited.ts";
import { OwnVoice } from "./voice/voices.ts";

/** A memory's text as input of extraction. */
export interface MemoryText {
  content: string;
  /** Who speaks, if not the user and not as the metadata say. */
  speaker?: string | undefined;
  /** Preceding messages: context that is not extracted itself. */
  before?: Message[] | undefined;
  /** Whether the pieces of it that become memories are wanted. */
  isSplit?: boolean | undefined;
  /** The messages of which the content consists, if a model reads several together. */
  messages?: Message[] | undefined;
  user_id?: string | undefined;
  /** The user's name; a turn of somebody with that name is the user's. */
  user_name?: string | undefined;
  metadata?: JsonObject | undefined;
  /** ISO 8601 with the speaker's offset; when the text was said. */
  occurred_at?: string | undefined;
  /** ISO 8601 with the speaker's offset; used if neither `occurred_at` nor the metadata has a time. */
  stored_at?: string | undefined;
}

export interface Sentence {
  text: string;
  /**
   * The message that it is from, as sent, and its range in it. All sentences of a message share the object, because a
   * message to a thread copies a string once for each sentence.
   */
  message: { text: string };
  span: Span;
  /** Its dates with their positions in `text`. */
  dates: DateAnnotation[];
  /** The meaning of "I": a name, or a description such as "the user". */
  speaker: string;
  /** Whether its speaker is named. */
  isSpoken: boolean;
  /** Whether English grammar applies. */
  isEnglish: boolean;
  /** Number of its block: a paragraph, an item, a row. */
  block: number;
  /** Whether it is context before the text. */
  isContext?: true;
  /** The speaker, if the turns are known; `speaker` is what the text says. */
  said_by?: SaidBy;
}

/** A sentence before its dates and language are known. */
export type SpokenText = Omit<Sentence, "isEnglish" | "dates">;

/** The sentences of a text that are worth reading, with its speakers and time. */
export interface Passage {
  sentences: Sentence[];
  /** The context sentences before them: `isContext`. */
  context: Sentence[];
  /** The anchor of relative dates; undefined leaves them unresolved. */
  anchor: Anchor | undefined;
  /** Names from the form of the text. */
  names: NamedInForm[];
  statements: Statement[];
  /** The other sentences with the reasons why they are dropped. */
  omitted: Omission[];
}

/** Maximum characters read; a longer memory is a document and is split into chunks before. */
const MAX_CHARACTERS = 50_000;
/** Longer runs without a full stop are split between words, so that no sentence costs too much. */
const MAX_SENTENCE_CHARACTERS = 380;
/** Longer than a word of any language: digests, base64 and random typing. */
const MAX_WORD_CHARACTERS = 60;

export async function readPassage(memory: MemoryText): Promise<Passage> {
  const metadata = memory.metadata ?? {};
  const { content, before = [], messages, occurred_at, stored_at } = memory;
  const { timezone = null } = metadata;
  const anchor = occurred_at === undefined ? anchorOf(metadata, stored_at) : anchorOf({ timezone }, occurred_at);
  const tag = await loadTagger();
  const cut = new SentenceCutter(tag);
  const sentencesOf = (said: Message[]) =>
    said.flatMap((message, turn) => cut.read(message.content, speakerIn(message), { ...message, turn }));
  const context = sentencesOf(before).map((sentence) => ({ ...sentence, isContext: true as const }));
  const own = messages ? sentencesOf(messages) : cut.read(content, namedSpeaker(memory));
  const sentences = [...context, ...own];
  const passage = await passageOf(sentences, datesIn(sentences, anchor));
  return { ...passage, anchor, names: [...cut.names, ...domainsIn(content)] };
}

function namedSpeaker({ speaker, metadata }: MemoryText): string | undefined {
  return speaker === undefined ? speakerOf(metadata ?? {}) : speakerName(speaker);
}

/** Returns who speaks in a text where it names nobody. */
export function speakerOfText(memory: MemoryText): string {
  return namedSpeaker(memory) ?? UNNAMED_SPEAKER;
}

function speakerIn({ role, speaker }: Message): string {
  return speaker ?? speakerName(role);
}

/** Cuts messages into sentences, without dates. Blocks are numbered over all of them. */
export class SentenceCutter {
  readonly #tag: Tagger;
  readonly names: NamedInForm[] = [];
  #blocks = 0;

  constructor(tag: Tagger) {
    this.#tag = tag;
  }

  /** Returns the distinct sentences of a message. `speaker` applies where the text itself names none. */
  read(content: string, speaker: string | undefined, message?: Pick<Message, "role"> & { turn: number }): SpokenText[] {
    const isPerson = (name: string) => this.#tag({ text: name }).every((token) => hasTag(token, "Person"));
    const readable = readableText(withoutRecalled(content), MAX_CHARACTERS);
    const { blocks, names } = readBlocks(readable, isPerson, speaker);
    const spans = new SpanFinder(content, readable);
    const seen = new Set<string>();
    const voice = new OwnVoice(content);
    const source = { text: content };
    const isOfUser = (speaker ?? UNNAMED_SPEAKER) === UNNAMED_SPEAKER;
    const sentences = blocks.flatMap(({ speaker: own, text: whole, kind, isCarried }, index) => {
      const segments = kind === "line" ? [{ segment: whole }] : sentenceSegments(whole);
      const texts = segments.flatMap(({ segment }) => splitLongSentence(segment));
      return texts.flatMap((text) => {
        const span = spans.find(text);
        // The mark that closes the quotation before is not said by the speaker of the sentence.
        const first = span.start + Math.max(0, text.search(LETTER));
        const foreign = voice.foreignAt(first);
        // After a mail or a chat, the user's own words are not those of its last speaker.
        const hasReturned = isOfUser && isCarried === true && foreign === undefined;
        const named = hasReturned ? speaker : (own ?? speaker);
        const sayer = sayerOf(named ?? UNNAMED_SPEAKER, foreign);
        const key = `${sayer}\n${text.toLowerCase()}`;
        if (seen.has(key)) return [];
        seen.add(key);
        const said_by = message && { role: roleOf(message, sayer), turn: message.turn };
        const said = { message: source, block: this.#blocks + index, isSpoken: named !== undefined };
        return [{ ...said, speaker: sayer, text, span, ...(said_by && { said_by }) }];
      });
    });
    this.#blocks += blocks.length;
    this.names.push(...names);
    return sentences;
  }
}

/** Returns the speaker of a sentence. For others' words in the user's message, it is the person that the message names. */
function sayerOf(speaker: string, foreign: Foreign | undefined): string {
  return speaker === UNNAMED_SPEAKER && foreign !== undefined ? (foreign.speaker ?? SOMEBODY_ELSE) : speaker;
}

/** Returns the sentences with their statements. `dates` are the dates of each sentence. */
export async function passageOf(spoken: SpokenText[], dates: DateAnnotation[][] = []) {
  const tag = await loadTagger();
  const isEnglish = englishTest(spoken);
  const sentences = spoken.map((sentence, index) => ({
    ...sentence,
    dates: dates[index] ?? [],
    isEnglish: isEnglish(sentence),
  }));
  const own = sentences.filter(({ isContext }) => !isContext);
  const context = sentences.filter(({ isContext }) => isContext);
  return { sentences: own, context, anchor: undefined, names: [], ...readStatements(sentences, tag) };
}

/** Returns the dates of each sentence. They are read together because a date may refer to an earlier one. */
function datesIn(sentences: SpokenText[], anchor: Anchor | undefined): DateAnnotation[][] {
  const dates = annotateDates(sentences.map(({ text }) => text).join("\n"), anchor);
  let start = 0;
  let next = 0;
  return sentences.map(({ text }) => {
    const end = start + text.length;
    const own: DateAnnotation[] = [];
    for (let date = dates[next]; date !== undefined && date.start < end; date = dates[++next]) {
      own.push({ ...date, start: date.start - start, end: date.end - start });
    }
    start = end + 1;
    return own;
  });
}

const LETTER = /[\p{L}\p{N}]/u;
const DOMAIN = /(?:@|:\/\/(?:www\.)?)(?<label>[a-z\d-]{3,40})\.[a-z]{2,}/gi;

/** Returns the organizations whose domain occurs in an address, as written in the text. */
function domainsIn(content: string): NamedInForm[] {
  const found = content.slice(0, MAX_CHARACTERS).matchAll(DOMAIN);
  const labels = new Set(Array.from(found, ({ groups }) => groups?.label ?? ""));
  if (labels.size === 0) return [];
  const written = new Map(content.match(/\b\p{Lu}[\p{L}\d-]{2,40}\b/gu)?.map((word) => [word.toLowerCase(), word]));
  return [...labels].flatMap((label) => {
    const name = written.get(label.toLowerCase());
    return name === undefined ? [] : [{ name, type: "organization" as const }];
  });
}

/** Splits a sentence at words by `MAX_SENTENCE_CHARACTERS`, without non-words and endless repetitions. */
function splitLongSentence(sentence: string): string[] {
  const words = sentence.split(/\s+/).filter((word, index, all) => {
    return word !== "" && word.length <= MAX_WORD_CHARACTERS && !(word === all[index - 1] && word === all[index - 2]);
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

/** The values at which each measure of a text reaches full complexity. */
const FULL = { sentences: 16, wordsASentence: 32, speakers: 3 };
const WEIGHTS = { sentences: 0.6, wordsASentence: 0.25, speakers: 0.15 };

/** Returns how hard a text is to read, 0..1: long texts, long sentences and several speakers are harder. */
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
