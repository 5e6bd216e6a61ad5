import { excerpt, sentenceCase, setOf, trimmedEnd } from "../../../../kernel/strings.ts";
import { analyse } from "../../../../kernel/text/text.ts";
import { readsAsEnglish } from "../../../../language/statements/english.ts";
import { hasTag, loadTagger, type Tagger, type Token } from "../../../../language/statements/tagging.ts";
import { readPassage } from "../../../compression/condensing/passage.ts";

/** An action and its occasion, as a text states them. */
export interface Pattern {
  trigger: string;
  action: string;
  /** 0..1: how clearly the text states it as a rule. */
  confidence: number;
  /** The sentence that states it. */
  source: string;
  /** The rule has no occasion ("always X"): its trigger is the action itself. */
  holdsAlways?: true;
}

/** Maximum per text. */
export const MAX_PATTERNS = 20;
const MAX_SENTENCE_LENGTH = 600;
/** Maximum number of commas that may end a trigger, and of an action's first words that decide its mood. */
const MAX_COMMAS = 6;
const MAX_OPENING_WORDS = 12;

const WHEN =
  "whenever|every time|each time|any time|as soon as|in case of|in case|in the event of|in the event that|when|if|once|upon";
/** Conjunctions without which a trigger would mean the opposite. */
const RELATION = "before|after|prior to|unless|until|while|during";
const RULE_OPENING = new RegExp(`^\\s*(?:${WHEN}|${RELATION}|to|for)\\s`, "i");
const RELATED = new RegExp(`^(?:${RELATION})\\s`, "i");
const BULLET = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;
const GREETING = /^(?:hi|hello|hey|dear)\s[^,.!]{0,40}[,!]\s*/i;
const OPENING =
  /^(?:(?:and|also|then|so|but|please|note that|remember|rule|important|going forward|in (?:the )?future|from now on|next time|follow-?up|(?:the )?lessons?(?: learned)?|takeaway|action items?)(?:[\s,]+|:\s*))+/i;

/** Sentence forms that connect a trigger with an action, clearest first; `confidence` is that of a command. */
interface Form {
  pattern: RegExp;
  confidence: number;
  /** The form is a rule only if its action is a command. */
  commandsOnly?: true;
  /** The action is the whole sentence. */
  wholeAction?: true;
  holdsAlways?: true;
}

const FORMS: Form[] = [
  { pattern: /^(?<trigger>.+?)\s*(?:->|=>|→|⇒)\s*(?<action>.+)$/u, confidence: 0.7 },
  {
    pattern: new RegExp(`^(?:${WHEN})\\s+(?<trigger>.+?)(?:,?\\s+then\\s+|,\\s*)(?<action>.+)$`, "iu"),
    confidence: 0.85,
  },
  { pattern: new RegExp(`^(?:${WHEN})\\s+(?<trigger>.+?):\\s+(?<action>.+)$`, "iu"), confidence: 0.8 },
  { pattern: new RegExp(`^(?<trigger>(?:${RELATION})\\s+.+?),\\s*(?<action>.+)$`, "iu"), confidence: 0.75 },
  {
    pattern:
      /^(?:never|do not|don't|must not|you must not)\s+(?<trigger>.+?),?\s+(?:unless|without|until|before)\s+.+$/iu,
    confidence: 0.75,
    wholeAction: true,
  },
  {
    pattern: new RegExp(`^(?<action>.+?),?\\s+(?:${WHEN})\\s+(?<trigger>.+)$`, "iu"),
    confidence: 0.75,
    commandsOnly: true,
  },
  {
    pattern: new RegExp(`^(?<action>.+?),?\\s+(?<trigger>(?:${RELATION})\\s+.+)$`, "iu"),
    confidence: 0.7,
    commandsOnly: true,
  },
  { pattern: /^(?:in order\s+)?to\s+(?<trigger>.+?),\s*(?<action>.+)$/iu, confidence: 0.65, commandsOnly: true },
  { pattern: /^for\s+(?<trigger>.+?),\s*(?<action>.+)$/iu, confidence: 0.6, commandsOnly: true },
  { pattern: /^(?<trigger>(?:on|at|during|within)\s.+?),\s*(?<action>.+)$/iu, confidence: 0.7, commandsOnly: true },
  { pattern: /^always\s+(?<trigger>.+)$/iu, confidence: 0.55, wholeAction: true, holdsAlways: true },
  { pattern: /^(?:never|do not|don't)\s+(?<trigger>.+)$/iu, confidence: 0.55, wholeAction: true },
];

/** Share of a form's confidence by the mood of the action. */
const STRENGTH: Record<Mood, number> = { command: 1, duty: 0.95, statement: 0.55, story: 0 };

/** The mood of an action: "do it", "it must be done", "it happens", "it happened". */
type Mood = "command" | "duty" | "statement" | "story";

/** The rules in the sentences of an English text, in order. */
export function findRules(text: string, tag: Tagger): Pattern[] {
  return [...sentencesOf(text)].flatMap((sentence) => readSentence(sentence, tag) ?? []);
}

/** The unconditional instructions of an English text: its commands and duties that are not rules, in order. */
export async function findCommands(text: string): Promise<string[]> {
  const tag = await loadTagger();
  const commands: string[] = [];
  for (const sentence of sentencesOf(text)) {
    const mood = moodOf(sentence, tag);
    if ((mood === "command" || mood === "duty") && readSentence(sentence, tag) === undefined) commands.push(sentence);
    if (commands.length === MAX_PATTERNS) break;
  }
  return commands;
}

/** Sentences without bullets and closing marks; questions are no instructions. */
export function* sentencesOf(text: string): Generator<string> {
  for (const line of readPassage(text)) {
    for (const [index, { start, end }] of line.sentences.entries()) {
      const label = index === 0 ? text.slice(line.label.start, line.label.end) : "";
      // "If the build fails: …" starts like a speaker's name.
      const whole = (RULE_OPENING.test(label) ? label : "") + text.slice(start, end);
      for (const part of whole.split(";")) {
        const sentence = part
          .replace(BULLET, "")
          .replace(/\s+/g, " ")
          .trim()
          .replace(GREETING, "")
          .replace(OPENING, "");
        if (!sentence.endsWith("?") && sentence.length <= MAX_SENTENCE_LENGTH)
          yield trimmedEnd(sentence, /[.!:。！\s]/);
      }
    }
  }
}

function readSentence(sentence: string, tag: Tagger): Pattern | undefined {
  for (const form of FORMS) {
    const split = splitBy(form, sentence, tag);
    if (split === undefined) continue;
    const { trigger, action, mood } = split;
    if (analyse(trigger).length === 0 || analyse(action).length === 0) continue;
    if (form.commandsOnly && mood !== "command" && mood !== "duty") continue;
    const confidence = form.confidence * STRENGTH[mood];
    if (confidence === 0 || isSmallTalk(trigger, action)) return undefined;
    return {
      trigger,
      action: sentenceCase(action),
      confidence: Math.round(confidence * 100) / 100,
      source: sentence,
      holdsAlways: form.holdsAlways,
    };
  }
  return undefined;
}

/** A specific day. */
const ONE_DAY =
  /\b(?:tomorrow|tonight|yesterday|today|(?:this|next|last)\s(?:week|weekend|month|year|summer|winter))\b/i;
const COURTESY = /^(?:you|they|anyone|anybody)\s(?:like|want|wish|prefer|are\s(?:bored|free|around|interested))\b/i;
/** Actions or plans of the speakers themselves are not instructions, unless the speakers must do them. */
const OWN_PLAN = /^(?:then\s)?(?:I|we|he|she)(?:'ll|'d|\s(?!must\b|should\b|shall\b|need\sto\b|have\sto\b|ought\b))/i;

/** Plans and habits look like rules but are not: "If it rains tomorrow, we stay at home". */
function isSmallTalk(trigger: string, action: string): boolean {
  const isOnce = ONE_DAY.test(trigger) || ONE_DAY.test(action);
  return isOnce || COURTESY.test(trigger) || OWN_PLAN.test(action) || /^(?:I|my)\s/i.test(trigger);
}

interface Split {
  trigger: string;
  action: string;
  mood: Mood;
}

/** The trigger may contain commas: it ends where a command starts, otherwise at the first comma. */
function splitBy({ pattern, wholeAction }: Form, sentence: string, tag: Tagger): Split | undefined {
  const { trigger, action = "" } = pattern.exec(sentence)?.groups ?? {};
  if (trigger === undefined) return undefined;
  if (wholeAction) return { trigger, action: sentence, mood: moodOf(trigger, tag) };
  const first = { trigger, action, mood: moodOf(action, tag) };
  if (first.mood === "command" || !sentence.endsWith(action)) return first;
  const parts = action.split(/,\s+(?:then\s+)?/);
  for (let taken = 1; taken < Math.min(parts.length, MAX_COMMAS); taken++) {
    const rest = parts.slice(taken).join(", ");
    if (moodOf(rest, tag) !== "command") continue;
    return { trigger: [trigger, ...parts.slice(0, taken)].join(", "), action: rest, mood: "command" };
  }
  return first;
}

const DUTY = /^(?:\S+\s+){0,6}?(?:must|should|shall|needs? to|ha(?:s|ve) to|ought to|can|may|will)\b/i;
const INTRODUCTION =
  /^(?:always|never|please|then|also|first|immediately|just|simply|do not|don't|make sure to|be sure to)\s+/i;

/** Whether a sentence is an instruction. */
export function isInstruction(sentence: string, tag: Tagger): boolean {
  const mood = moodOf(sentence, tag);
  return mood === "command" || (mood === "duty" && !OWN_PLAN.test(sentence));
}

function moodOf(action: string, tag: Tagger): Mood {
  const opening = action.replace(INTRODUCTION, "").split(" ", MAX_OPENING_WORDS).join(" ");
  const tokens = tag({ text: opening });
  if (isCommand(tokens[0], tokens[1])) return "command";
  if (DUTY.test(opening)) return "duty";
  return tokens.some((token) => hasTag(token, "PastTense")) ? "story" : "statement";
}

/** Verbs of instructions that the lexicon tags as other words. */
const VERBS = setOf(
  "archive clean clear click document email empty file flag hold label list log open plug press pull push reboot reload restart unplug",
);

/** Whether it starts with a base-form verb, or with a word that is a verb before an object ("page the team"). */
function isCommand(first: Token | undefined, second: Token | undefined): boolean {
  if (hasTag(first, "Infinitive", "Imperative") || VERBS.has(first?.normal ?? "")) return true;
  if (!hasTag(first, "Noun", "Adjective") || hasTag(first, "Pronoun", "ProperNoun", "Plural")) return false;
  return (
    hasTag(second, "Determiner", "Particle") || /^(?:up|down|back|out|off|on|in|to|for)$/.test(second?.normal ?? "")
  );
}

/** The name of a skill made from the pattern. */
export function nameOf({ trigger, action }: Pick<Pattern, "trigger" | "action">): string {
  if (action.toLowerCase().includes(trigger.toLowerCase())) return excerpt(action, MAX_NAME_LENGTH);
  if (!readsAsEnglish([{ text: `${trigger} ${action}` }])) return excerpt(`${action} (${trigger})`, MAX_NAME_LENGTH);
  const related = trigger.replace(RELATED, (word) => word.toLowerCase());
  const occasion = RELATED.test(trigger) ? related : `when ${trigger}`;
  return excerpt(`${action} ${occasion}`, MAX_NAME_LENGTH);
}

/** Maximum length of a skill's name in characters, so that its normalized form fits a key on both platforms. */
export const MAX_NAME_LENGTH = 128;
