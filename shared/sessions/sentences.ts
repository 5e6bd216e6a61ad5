import { sentenceSegments } from "../kernel/segments.ts";
import { sentenceCase } from "../kernel/wording.ts";
import { afterGreeting } from "../memory/extraction/courtesy.ts";
import { type ToldFact, tellFacts } from "../memory/extraction/facts.ts";
import { isQuestion } from "../memory/extraction/moods.ts";
import { cutSentences, type Passage, passageOf, type Sentence, type SpokenText } from "../memory/extraction/passage.ts";
import type { OmissionReason } from "../memory/extraction/schemas.ts";
import { speakerName, THE_ASSISTANT, UNNAMED_SPEAKER } from "../memory/extraction/speakers.ts";
import { loadTagger, type Tagger } from "../memory/extraction/tagging.ts";
import type { SessionMessage } from "./session.ts";
import { isWish } from "./wishes.ts";

/** How much of one message is read by rule; longer ones are documents. */
const MAX_CHARACTERS = 10_000;

/** Fenced code states nothing. */
const CODE = /```[\s\S]*?(?:```|$)/g;

export type Turn = Pick<SessionMessage, "role" | "content">;

/** What somebody said, as a sentence that reads alone: in the third person, or quoted where it is a note or an order. */
export interface Told {
  text: string;
  speaker: string;
  /** What is quoted, where the text is a quotation. */
  quotation?: string;
  isQuestion: boolean;
  /** It is about somebody or something named. */
  isNamed: boolean;
  /** It says what the user likes or wants done from now on. */
  isWish: boolean;
}

/** A message's topics, statements and state are read from one passage of it. */
const read = new WeakMap<Turn, Promise<Passage>>();

/** The sentences of a message and what they state, apart from the messages around it. */
export function readMessage(message: Turn): Promise<Passage> {
  const passage = read.get(message) ?? loadTagger().then((tag) => passageOf(spokenIn(message, tag)));
  read.set(message, passage);
  return passage;
}

function spokenIn({ role, content }: Turn, tag: Tagger): SpokenText[] {
  return cutSentences(content.slice(0, MAX_CHARACTERS).replace(CODE, ""), speakerName(role), tag).sentences;
}

/** What messages state, in order, and what the last of them asks; of messages without a statement, what else they hold but courtesies. */
export async function tellMessages(messages: Turn[]): Promise<Told[]> {
  const tag = await loadTagger();
  let blocks = 0;
  const spoken = messages.map((message) => {
    const sentences = spokenIn(message, tag).map((sentence) => ({ ...sentence, block: sentence.block + blocks }));
    blocks = (sentences.at(-1)?.block ?? blocks) + 1;
    return sentences;
  });
  const passage = await passageOf(spoken.flat());
  const told = tellFacts(passage, tag).map(tellAlone);
  const last = spoken.findLast((sentences) => sentences.length > 0) ?? [];
  const open = new Set(last.filter(({ text }) => isQuestion(text)).map(({ text }) => text));
  const questions = passage.sentences.slice(-last.length).filter(({ text }) => open.has(text));
  if (told.length + questions.length > 0) return [...told, ...questions.map((each) => tellVerbatim(each, "asked"))];
  const omitted = new Set(passage.omitted.filter(({ reason }) => !EMPTY.has(reason)).map(({ text }) => text));
  return passage.sentences.filter(({ text }) => omitted.has(text)).map((each) => tellVerbatim(each, "said"));
}

/** A sentence in its own words. */
export function tellVerbatim({ speaker, text }: Sentence, verb: Verb): Told {
  const quotation = closed(sentenceCase(text));
  return {
    text: quote(speaker, verb, quotation),
    quotation,
    speaker,
    isQuestion: verb === "asked",
    isNamed: false,
    isWish: false,
  };
}

const EMPTY: ReadonlySet<OmissionReason> = new Set(["small_talk", "repetition"]);

/** One fact as a sentence that says who said it, unless it is of the user and reads alone. */
export function tellAlone({ statement: { speaker, sentences }, fact, subject, said, isSentence }: ToldFact): Told {
  const isOwn = speaker === UNNAMED_SPEAKER || fact.content.toLowerCase().includes(speaker.toLowerCase());
  const quotation = said.map((sentence) => closed(sentenceCase(afterGreeting(sentence)))).join(" ");
  return {
    ...(isSentence && isOwn ? { text: closed(fact.content) } : { text: quote(speaker, "said", quotation), quotation }),
    speaker,
    isQuestion: false,
    isNamed: subject === "named",
    isWish: speaker !== THE_ASSISTANT && sentences.some(isWish),
  };
}

type Verb = "said" | "asked";

/** A quotation with who says it. */
export function quote(speaker: string, verb: Verb, quotation: string): string {
  return `${sentenceCase(speaker)} ${verb}: "${quotation.replaceAll('"', "'")}"`;
}

const SAID = /^(.{1,60}?) said: "(.*)"$/;

/** The lines of a summary again, each sentence of a quotation on its own. */
export function toldLines(text: string): Told[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line): Told[] => {
      const [, speaker = "", quotation = ""] = SAID.exec(line) ?? [];
      const rest = { isQuestion: false, isNamed: false, isWish: false };
      if (quotation === "") return [{ ...rest, text: line, speaker }];
      const said = speaker.charAt(0).toLowerCase() + speaker.slice(1);
      const name = said === UNNAMED_SPEAKER || said === THE_ASSISTANT ? said : speaker;
      return sentenceSegments(quotation).map(({ segment }) => {
        const sentence = segment.trim();
        return { ...rest, text: quote(name, "said", sentence), quotation: sentence, speaker: name };
      });
    });
}

/** With a full stop where no mark ends it. */
function closed(text: string): string {
  return /[.!?…。！？]["'”’»)]?$/u.test(text) ? text : `${text}.`;
}
