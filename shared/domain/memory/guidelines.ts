import { analyse } from "../../kernel/text/text.ts";
import { secretsWithin, type TakenSecret } from "../../language/secrets/redact.ts";
import type { Omission, OmissionReason } from "../../language/statements/schemas.ts";
import type { Guidelines } from "../../language/statements/tasks.ts";
import { sentenceSegments } from "../../language/words/segments.ts";
import type { Context } from "../../runtime/context.ts";
import type { Conversation, SpokenMessage } from "./conversation.ts";
import { isReadByRules } from "./understand.ts";

/** The stems of a topic's words. */
type Topic = string[];
type Topics = { includes: Topic[]; excludes: Topic[] };

const ASSISTANT = "assistant";
/** Keeps what stood before and after a cut apart: together they may say what nobody said. */
const PARAGRAPH = "\n\n";
/** Shorter stems match only themselves. */
const MIN_STEM = 5;
const BETWEEN_TOPICS = /[,;\n]|\b(?:and|or|nor)\b/i;
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+/;
const POLITE = /^(?:please|always|you (?:should|must))\s+/i;
const EXCLUDING =
  /^(?:do not|don['’]t|never|avoid|exclude|excludes|ignore|skip|omit|leave out|(?:what|information|topics?) to (?:exclude|ignore|avoid))\b\s*:?/i;
const INCLUDING =
  /^(?:include|includes|(?:what|information|topics?) to (?:include|store|extract|remember)|(?:\w+ )?only(?: (?:about|on))?)\b\s*:?/i;
/** Words of instructions that name no topic. */
const NO_TOPIC = new Set(
  analyse(`only store storing save saving remember remembering memorize extract extracting keep include capture record mention
    any anything everything information info details data facts memories related relating regarding concerning about focus`),
);

/** Instructions for an assistant's messages (`assistants`), and for all others (`own`). */
export interface ConversationGuidelines {
  own: Guidelines;
  assistants: Guidelines;
}

/** Drops sentences about excluded topics and, with "all", those about no included topic; then drops empty messages. */
function applyGuidelines(messages: SpokenMessage[], guidelines: ConversationGuidelines, applied: "all" | "excludes") {
  const reasonFor = reasonsBy(guidelines, applied);
  const leftOut: Omission[] = [];
  const kept = messages.flatMap((message) => {
    let content = "";
    const secrets: TakenSecret[] = [];
    let isCut = false;
    for (const { segment, index } of sentenceSegments(message.content)) {
      const reason = reasonFor(segment, message.role === ASSISTANT);
      if (reason !== undefined) {
        leftOut.push({ text: segment.trim(), reason });
        isCut = true;
        continue;
      }
      if (isCut && content !== "") content += PARAGRAPH;
      isCut = false;
      const own = secretsWithin(message.secrets ?? [], index, index + segment.length);
      secrets.push(...own.map((secret) => ({ ...secret, at: secret.at + content.length })));
      content += segment;
    }
    return content.trim() === "" ? [] : [{ ...message, content, ...(message.secrets && { secrets }) }];
  });
  return { messages: kept, leftOut };
}

/** Returns a function that gives the reason for leaving out a sentence, or undefined to keep it. */
export function reasonsBy(
  { own, assistants }: ConversationGuidelines,
  applied: "all" | "excludes",
): (sentence: string, isOfAssistant: boolean) => OmissionReason | undefined {
  const [topics, topicsOfAssistant] = [topicsOf(own), topicsOf(assistants)];
  return (sentence, isOfAssistant) => {
    const { includes, excludes } = isOfAssistant ? topicsOfAssistant : topics;
    if (includes.length + excludes.length === 0) return undefined;
    const stems = analyse(sentence);
    const isNamed = (wanted: string) => stems.some((stem) => areOneWord(stem, wanted));
    const isAbout = (topic: Topic) => topic.filter(isNamed).length * 2 >= topic.length;
    if (excludes.some(isAbout)) return "excluded";
    return applied === "excludes" || includes.length === 0 || includes.some(isAbout) ? undefined : "not_included";
  };
}

/** Whether two stems are forms of one word: "allergi" of allergies and "allerg" of allergic. */
function areOneWord(one: string, other: string): boolean {
  if (one === other) return true;
  return Math.min(one.length, other.length) >= MIN_STEM && (one.startsWith(other) || other.startsWith(one));
}

function topicsOf({ includes, excludes, instructions }: Guidelines): Topics {
  const instructed = readInstructions(instructions ?? "");
  return {
    includes: [...readTopics(includes ?? ""), ...instructed.includes],
    excludes: [...readTopics(excludes ?? ""), ...instructed.excludes],
  };
}

/** Returns the topics of sentences that start with an instruction, and of lists below lines with nothing else. */
function readInstructions(text: string): Topics {
  const topics: Topics = { includes: [], excludes: [] };
  let listed: Topic[] | undefined;
  for (const line of text.split("\n")) {
    if (BULLET.test(line) && listed) {
      listed.push(...readTopics(line.replace(BULLET, "")));
      continue;
    }
    if (line.trim() !== "") listed = undefined;
    for (const { segment } of sentenceSegments(line.replace(BULLET, ""))) {
      const sentence = segment.trim().replace(POLITE, "");
      const found = EXCLUDING.test(sentence) ? topics.excludes : INCLUDING.test(sentence) ? topics.includes : undefined;
      if (!found) continue;
      const named = readTopics(sentence.replace(EXCLUDING, "").replace(INCLUDING, ""));
      found.push(...named);
      if (named.length === 0) listed = found;
    }
  }
  return topics;
}

function readTopics(text: string): Topic[] {
  return text
    .split(BETWEEN_TOPICS)
    .map((part) => [...new Set(analyse(part))].filter((stem) => !NO_TOPIC.has(stem)))
    .filter((stems) => stems.length > 0);
}

/**
 * Returns the conversation to read, without excluded parts, so that no model receives them. If a model reads it,
 * inclusions are left to the model, which gets the instructions; otherwise they are applied here.
 */
export async function withoutExcluded(ctx: Context, conversation: Conversation, guidelines: ConversationGuidelines) {
  const byRules = await isReadByRules(ctx);
  const { messages, leftOut } = applyGuidelines(conversation.messages, guidelines, byRules ? "all" : "excludes");
  const before = conversation.before && applyGuidelines(conversation.before, guidelines, "excludes").messages;
  const reduced = { ...conversation, messages, ...(before && { before }) };
  return { conversation: { ...reduced, ...(byRules ? {} : { wishes: guidelines }) }, leftOut };
}
