import { DATE_LENGTH, dateOf } from "../../kernel/clock.ts";
import { setOf } from "../../kernel/strings.ts";
import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { type Act, type FactDraft, INSTRUCTION, USER } from "../slots/fact.ts";
import { relatedSlots } from "../slots/related-slots.ts";
import { slotKey } from "../slots/slot-key.ts";
import { WRITTEN_ATTRIBUTES } from "../slots/slots.ts";
import type { Passage, Sentence } from "../statements/passage.ts";
import type { ReadFact, WrittenFact } from "../statements/schemas.ts";
import type { Span } from "../statements/spans.ts";
import { UNNAMED_SPEAKER } from "../statements/speakers.ts";
import type { KnownFact } from "../statements/tasks.ts";
import { OwnVoice } from "../statements/voice/voices.ts";
import { Cues } from "./cues.ts";
import { draftOf } from "./draft.ts";
import { DENIED, fromItsDay, isOwn, withoutDeterminers } from "./mentions.ts";
import { Quotable } from "./quotable.ts";
import { notBefore, type Validity } from "./validity.ts";

/** Kinds of statements that state nothing about anybody. */
const NO_FACTS: ReadonlySet<WrittenFact["kind"]> = new Set(["request", "hypothetical", "hearsay", "joke", "talk"]);
/** Sentences with these reasons state nothing, whatever a model reads in them. */
const STATES_NOTHING = new Set(["hypothetical", "irony", "question", "request", "small_talk"]);
/** What a clause about somebody else states of the user: who that is. */
const OF_OTHERS = setOf(
  `partner child sibling parent relative friend pet colleague flatmate neighbour manager doctor contact lives_with member_of`,
);
/** Attributes whose values are what somebody does not take. */
const AGAINST = setOf("allergic_to diet condition dislikes");
const ATTRIBUTES = new Set(WRITTEN_ATTRIBUTES);
const OF_THING = /^[\p{L}\p{N}_]+_of \S/u;
const DATE = /^\d{4}(?:-\d{2}){0,2}$/;
/** The user in a model's words, as the subject of a fact. */
const USER_WORDS = new Set(["user", "the user", "i", "me", "speaker"]);
/** A model's own confidence says little. */
const MAX_CONFIDENCE = 0.9;

export interface WrittenInput {
  passage: Pick<Passage, "sentences" | "context" | "omitted">;
  /** ISO date of the text. */
  day: string;
  userNames: ReadonlySet<string>;
  /** The numbered facts of the prompt. */
  known: readonly KnownFact[];
  /** Names of people in the text. */
  people: readonly string[];
  /** What the rules read of the same text: where they name another subject for a value, the model may be wrong. */
  rules: readonly FactDraft[];
}

/**
 * Checks what a language model wrote against the text. A fact whose quote is not in the text is dropped. The others have
 * the draft facts of their quotes: only own words, values and subjects of the text, and known attributes. Takes time
 * linear in the text for each fact.
 */
export function checkedFacts(found: readonly ReadFact[], input: WrittenInput): ReadFact[] {
  // The rules quote nothing.
  if (found.every(({ quote }) => quote === undefined)) return [...found];
  const checker = new Checker(input);
  return found.flatMap((fact) => {
    if (fact.quote === undefined) return [fact];
    const location = checker.find(fact.quote);
    if (location === undefined) return [];
    const { sentence, span } = location;
    const { said_by } = sentence;
    return [
      { ...fact, quote: location.words, ...(said_by && { said_by }), drafts: checker.draftsOf(fact, sentence, span) },
    ];
  });
}

/** Where the words of a quote stand: in a message, in a sentence of it. */
interface QuoteLocation {
  sentence: Sentence;
  span: Span;
  words: string;
}

interface Said {
  text: Quotable;
  voice: OwnVoice;
  sentences: Sentence[];
}

class Checker {
  readonly #input: WrittenInput;
  readonly #messages: Said[];
  readonly #all: Quotable[];
  readonly #dates: Set<string>;
  readonly #nothing: Set<string>;
  /** The first names of people in the text, in lower case. */
  readonly #people: Set<string>;

  constructor(input: WrittenInput) {
    this.#input = input;
    const { people } = input;
    const { sentences, context, omitted } = input.passage;
    const byMessage = Map.groupBy(sentences, ({ message }) => message);
    this.#messages = [...byMessage].map(([{ text }, own]) => {
      return { text: new Quotable(text), voice: new OwnVoice(text), sentences: own };
    });
    const before = new Set(context.map(({ message }) => message.text));
    this.#all = [...this.#messages.map(({ text }) => text), ...[...before].map((text) => new Quotable(text))];
    const dates = [...sentences, ...context].flatMap((sentence) => sentence.dates);
    this.#dates = new Set(dates.flatMap(({ value, end_value = value }) => [value, end_value].flatMap(precisions)));
    this.#nothing = new Set(omitted.flatMap(({ text, reason }) => (STATES_NOTHING.has(reason) ? [text.trim()] : [])));
    this.#people = new Set(people.flatMap((name) => name.toLowerCase().split(" ")[0] ?? []));
  }

  /** Returns where a quote stands, preferably in the user's own words. */
  find(quote: string): QuoteLocation | undefined {
    let others: QuoteLocation | undefined;
    for (const { text, voice, sentences } of this.#messages) {
      for (const span of text.findAll(quote)) {
        const sentence = sentences.findLast((each) => each.span.start <= span.start) ?? sentences[0];
        if (sentence === undefined) continue;
        const location = { sentence, span, words: sentence.message.text.slice(span.start, span.end) };
        if (isOwn(sentence, voice, span.start)) return location;
        others ??= location;
      }
    }
    return others;
  }

  /** Returns what a fact states by slot; nothing if the text does not bear it out. */
  draftsOf(fact: ReadFact, sentence: Sentence, span: Span): FactDraft[] {
    const { subject, attribute, value, kind, quote = "" } = fact;
    if (subject === undefined || attribute === undefined || value === undefined) return [];
    if (NO_FACTS.has(kind) || this.#nothing.has(sentence.text.trim())) return [];
    if (!this.#isOwnWords(sentence, span) || !this.#isWritten(value, quote)) return [];
    const speaker = sentence.speaker === UNNAMED_SPEAKER ? USER : sentence.speaker;
    const about = this.#subjectOf(subject, speaker);
    if (about === undefined || !this.#isAttribute(attribute, about, kind)) return [];
    const draft = { ...this.#draft(fact, about, attribute, value, sentence.text), span };
    if (this.#isContradicted(draft) || this.#isOtherwise(fact, draft, sentence)) return [];
    return [draft, ...relatedSlots(draft), ...this.#ended(fact, draft)];
  }

  #isOwnWords(sentence: Sentence, span: Span): boolean {
    const said = this.#messages.find(({ sentences }) => sentences.includes(sentence));
    return said !== undefined && isOwn(sentence, said.voice, span.start);
  }

  /** Whether a value is of the text: of the quote, or of another message that the quote refers to. */
  #isWritten(value: string, quote: string): boolean {
    return new Quotable(quote).has(value) || this.#all.some((text) => text.has(value));
  }

  /** Returns the subject as facts name it; undefined if the text and the known facts do not. */
  #subjectOf(subject: string, speaker: string): string | undefined {
    const name = withoutDeterminers(subject);
    const { userNames, known } = this.#input;
    if (USER_WORDS.has(subject.toLowerCase()) || userNames.has(name.toLowerCase())) return speaker;
    if (normalizedName(name) === normalizedName(speaker)) return speaker;
    const isNamed = this.#all.some((text) => text.has(name)) || known.some((fact) => fact.subject === name);
    return isNamed ? name : undefined;
  }

  #isAttribute(attribute: string, subject: string, kind: WrittenFact["kind"]): boolean {
    if (attribute === INSTRUCTION) return subject === USER && (kind === undefined || kind === INSTRUCTION);
    return ATTRIBUTES.has(attribute) || OF_THING.test(attribute);
  }

  #draft(fact: ReadFact, subject: string, attribute: string, value: string, text: string): Omit<FactDraft, "span"> {
    const denied = fact.polarity === "no" ? DENIED.get(attribute) : undefined;
    const act = fact.polarity === "no" && denied === undefined ? "end" : actOf(fact);
    const { replaces } = fact;
    const validity = this.#validityOf(fact, act, new Cues(text, value).isFormer);
    return draftOf({
      subject,
      attribute: denied ?? attribute,
      value,
      act: fromItsDay(act, attribute, validity),
      validity,
      ...(act === "correct" && replaces !== undefined && { replaces }),
      confidence: Math.min(fact.confidence, MAX_CONFIDENCE),
    });
  }

  /** Returns when a fact holds by its dates, as far as the text names them. */
  #validityOf({ holds, from, to }: WrittenFact, act: Act, isFormer: boolean): Validity {
    const { day } = this.#input;
    const [since, until] = [from, to].map((date) => (this.#isDated(date) ? beginningOf(date) : undefined));
    const found = { from: since, to: until, isOpenEnded: until === undefined };
    if (act === "plan") return notBefore(found, day);
    if (act !== "state") return found;
    if (holds === "past" || isFormer) return { ...found, to: until !== undefined && until <= day ? until : day };
    return since !== undefined && since > day ? { isOpenEnded: false } : found;
  }

  #isDated(date: string | undefined): date is string {
    return date !== undefined && DATE.test(date) && this.#dates.has(date);
  }

  /** Whether the rules read the same value in the same slot, but about somebody else than the user, or about the user. */
  #isContradicted({ subject, attribute, value }: FactDraft): boolean {
    const words = normalizedName(value);
    return this.#input.rules.some((rule) => {
      const read = normalizedName(rule.value);
      const isSame = rule.attribute === attribute && read !== "" && (read.includes(words) || words.includes(read));
      return isSame && (rule.subject === USER) !== (subject === USER);
    });
  }

  /** Whether the form of the sentence shows that it says something else. */
  #isOtherwise(fact: WrittenFact, { subject, attribute, act, value }: FactDraft, { text }: Sentence): boolean {
    const { polarity, quote = "" } = fact;
    const cues = new Cues(text, value);
    if (attribute === INSTRUCTION)
      return !cues.isLasting && !this.#input.rules.some((rule) => isInstructionIn(rule, text));
    const isRelation = OF_OTHERS.has(attribute);
    if (subject === USER && !isRelation && cues.isAboutOthers(this.#people, quote)) return true;
    if (cues.isImagined || cues.isClaimed) return true;
    if (actOf(fact) === "plan" && cues.isCancelled) return true;
    const isStated =
      act === "state" &&
      polarity !== "no" &&
      !attribute.startsWith("does_not_") &&
      !AGAINST.has(attribute) &&
      !isRelation;
    return isStated && cues.isDenied;
  }

  /** Returns the ends of known facts: of the same slot, or of a value that the text names. */
  #ended({ ends = [], from }: WrittenFact, { subject, attribute, value, span }: FactDraft): FactDraft[] {
    const slot = slotKey(subject, attribute);
    return ends.flatMap((number) => {
      const fact = this.#input.known[number - 1];
      if (fact === undefined || normalizedName(fact.value) === normalizedName(value)) return [];
      const isSameSlot = slotKey(fact.subject, fact.attribute) === slot;
      if (!isSameSlot && !this.#all.some((text) => text.has(fact.value))) return [];
      const validity = { ...(this.#isDated(from) && { from: beginningOf(from) }), isOpenEnded: true };
      return [{ ...draftOf({ ...fact, act: "end", validity }), span }];
    });
  }
}

function isInstructionIn({ attribute, value }: FactDraft, text: string): boolean {
  return attribute === INSTRUCTION && text.includes(value);
}

function actOf({ holds, kind, replaces }: WrittenFact): Act {
  if (replaces !== undefined) return "correct";
  if (holds === "ended") return "end";
  if (holds === "cancelled") return "cancel";
  return holds === "planned" || (kind === "plan" && holds !== "past") ? "plan" : "state";
}

/** Returns a date in each of its precisions: year, month, day. */
function precisions(date: string): string[] {
  return [4, 7, DATE_LENGTH].flatMap((length) => (date.length >= length ? [date.slice(0, length)] : []));
}

function beginningOf(date: string): string {
  return dateOf(`${date}-01-01`);
}
