import { sentenceSegments } from "../../kernel/segments.ts";
import type { JsonObject } from "../../platform/ports.ts";
import { type Anchor, annotateDates, type DateAnnotation } from "../dates/annotate.ts";
import { anchorOf } from "./dates.ts";
import { englishTest } from "./language.ts";
import { roleOf, type SaidBy, type Turn } from "./said-by.ts";
import type { Omission } from "./schemas.ts";
import { speakerOf, UNNAMED_SPEAKER } from "./speakers.ts";
import { readStatements, type Statement } from "./statements.ts";
import { type Block, type NamedInForm, readBlocks } from "./structure.ts";
import { hasTag, loadTagger, type Tagger } from "./tagging.ts";

/** A memory's text as the extraction is given it. */
export interface MemoryText {
  content: string;
  /** What was said before it: it helps to read the content, and nothing is read out of it. */
  context?: string | undefined;
  /** The lines of a conversation by who said them. */
  turns?: { content: Turn[]; context: Turn[] } | undefined;
  user_id?: string | undefined;
  /** What others call the user; a turn of somebody of that name is the user's. */
  user_name?: string | undefined;
  metadata?: JsonObject | undefined;
  /** ISO, with the offset of who said it; when the text was said. */
  occurred_at?: string | undefined;
  /** ISO, with the offset of who said it; stands in where neither `occurred_at` nor the metadata tell. */
  stored_at?: string | undefined;
}

export interface Sentence {
  text: string;
  /** The dates that it names, by their places in it. */
  dates: DateAnnotation[];
  /** Who "I" is in it: a name, or a description such as "the user". */
  speaker: string;
  /** Somebody is named who says it. */
  isSpoken: boolean;
  /** Whether the grammar of English applies. */
  isEnglish: boolean;
  /** Number of the part of the text that it is in: a turn's paragraph, an item, a row. */
  block: number;
  /** It was said before the text, and only helps to read it. */
  isContext?: true;
  /** Who said it, where the turns of the text are known: `speaker` is what the text says. */
  said_by?: SaidBy;
}

/** A sentence as it is cut out, before its dates and its language are known. */
export type SpokenText = Omit<Sentence, "isEnglish" | "dates">;

/** A text cut into the sentences that are worth reading, with what is known of its speakers and its time. */
export interface Passage {
  sentences: Sentence[];
  /** The sentences before them that help to read them: `isContext`. */
  context: Sentence[];
  /** What relative dates count from; undefined leaves them unresolved. */
  anchor: Anchor | undefined;
  /** What the text's form names. */
  names: NamedInForm[];
  /** What the sentences state. */
  statements: Statement[];
  /** What else they hold, each with the reason why it is not kept. */
  omitted: Omission[];
}

/** How much of a text is read; a memory that is longer is a document and gets chunked before it comes here. */
const MAX_CHARACTERS = 50_000;
/** Longer runs without a full stop are cut between words, so that no sentence costs more than its share. */
const MAX_SENTENCE_CHARACTERS = 380;
/** No word of any language; digests, base64 and keyboard mashing. */
const MAX_WORD_CHARACTERS = 60;

/** Control and formatting characters, which no reader sees; line breaks, tabs and joiners are part of words and emoji. */
const UNREADABLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\r\t\u200c\u200d]]+/gv;

export async function readPassage(memory: MemoryText): Promise<Passage> {
  const metadata = memory.metadata ?? {};
  const { occurred_at, stored_at } = memory;
  const { timezone = null } = metadata;
  const anchor = occurred_at === undefined ? anchorOf(metadata, stored_at) : anchorOf({ timezone }, occurred_at);
  const tag = await loadTagger();
  const speaker = speakerOf(metadata);
  const before = cutSentences(memory.context ?? "", speaker, tag, memory.turns?.context).sentences.map(asContext);
  const { sentences: own, names } = cutSentences(memory.content, speaker, tag, memory.turns?.content);
  const firstBlock = (before.at(-1)?.block ?? -1) + 1;
  const sentences = [...before, ...own.map((sentence) => ({ ...sentence, block: firstBlock + sentence.block }))];
  const passage = await passageOf(sentences, datesIn(sentences, anchor));
  return { ...passage, anchor, names: [...names, ...domainsIn(memory.content)] };
}

function asContext(sentence: SpokenText): SpokenText {
  return { ...sentence, isContext: true };
}

/**
 * The sentences of a text by its form, each once, with who says it: the one whom the form names, else `speaker`. Dates in them
 * are not read yet.
 */
export function cutSentences(
  content: string,
  speaker: string | undefined,
  tag: Tagger,
  turns?: readonly Turn[],
): { sentences: SpokenText[]; names: NamedInForm[] } {
  const isPerson = (name: string) => tag({ text: name }).every((token) => hasTag(token, "Person"));
  const { blocks, names } = readBlocks(legible(content), isPerson, speaker, turns);
  const seen = new Set<string>();
  const sentences = blocks.flatMap(({ speaker: own, text: whole, kind, turn }, block) => {
    const named = own ?? speaker;
    const said_by = sayerIn(turns, turn, named ?? UNNAMED_SPEAKER);
    const said = textsOf(whole, kind).map((text) => ({ text, speaker: named ?? UNNAMED_SPEAKER, block, ...said_by }));
    return said.flatMap((sentence) => {
      const key = `${said_by.said_by?.role ?? ""}\n${sentence.speaker}\n${sentence.text.toLowerCase()}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew ? [{ ...sentence, isSpoken: named !== undefined }] : [];
    });
  });
  return { sentences, names };
}

function sayerIn(turns: readonly Turn[] = [], number: number | undefined, speaker: string): { said_by?: SaidBy } {
  const turn = number === undefined ? undefined : turns[number];
  return turn === undefined || number === undefined ? {} : { said_by: { role: roleOf(turn, speaker), turn: number } };
}

/** What sentences state together; `dates` are those of each, where somebody wants them: reading them takes a fifth of the time. */
export async function passageOf(said: SpokenText[], dates: DateAnnotation[][] = []): Promise<Passage> {
  const tag = await loadTagger();
  const isEnglish = englishTest(said);
  const sentences = said.map((sentence, place) => ({
    ...sentence,
    dates: dates[place] ?? [],
    isEnglish: isEnglish(sentence),
  }));
  const own = sentences.filter(({ isContext }) => !isContext);
  const context = sentences.filter(({ isContext }) => isContext);
  return { sentences: own, context, anchor: undefined, names: [], ...readStatements(sentences, tag) };
}

/** The dates of each sentence. All are read in one go: a date may count from one in a sentence before. */
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

const DOMAIN = /(?:@|:\/\/(?:www\.)?)(?<label>[a-z\d-]{3,40})\.[a-z]{2,}/gi;

/** Organizations whose domain the text holds in an address, written as the text writes them. */
function domainsIn(content: string): NamedInForm[] {
  const labels = new Set(
    Array.from(content.slice(0, MAX_CHARACTERS).matchAll(DOMAIN), ({ groups }) => groups?.label ?? ""),
  );
  if (labels.size === 0) return [];
  const written = new Map(content.match(/\b\p{Lu}[\p{L}\d-]{2,40}\b/gu)?.map((word) => [word.toLowerCase(), word]));
  return [...labels].flatMap((label) => {
    const name = written.get(label.toLowerCase());
    return name === undefined ? [] : [{ name, type: "organization" as const }];
  });
}

function legible(content: string): string {
  return content.slice(0, MAX_CHARACTERS).toWellFormed().replace(UNREADABLE, "").replaceAll("’", "'");
}

function textsOf(text: string, kind: Block["kind"]): string[] {
  return kind === "line" ? pieces(text) : sentencesOf(text);
}

function sentencesOf(text: string): string[] {
  return sentenceSegments(text).flatMap(({ segment }) => pieces(segment));
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
