import { setOf } from "../../kernel/strings.ts";
import { ASSISTANT, USER } from "../slots/fact.ts";
import { FORM_OF_ANSWERS } from "../statements/moods.ts";
import { hasTag } from "../statements/tagging.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { hasUnresolvedReference, textBetween, type Word } from "./words.ts";

const OPENS = setOf("always never don't please remember only");
/** Words before an instruction. */
const FILLERS = setOf("and so also oh ok okay yes but please pls just btw listen look hey right");
/** "by the way", "could you": words before an order that are none of it. */
const LEADS = ["by the way", "could you", "can you", "would you", "will you"].map((lead) => lead.split(" "));
/** "Rule for you: never …", "to be clear: always …": words up to this many before a colon announce an order. */
const MAX_ANNOUNCING_WORDS = 5;
const LASTING = setOf("always never whenever every only");
const FROM_NOW_ON = /\b(?:from (?:now|here) on|in (?:the )?future|going forward|by default)\b/iu;
/** Last words of these phrases: the order follows. */
const ENDS_OF_FROM_NOW_ON = setOf("on future forward default");

/** "Don't tell the boss": about others, who do not hear it. */
const TOLD_OTHERS = setOf("the my our him her them anyone anybody");
/** "Don't send it": about a thing at hand. */
const AT_HAND = setOf("it that this them those these yet now today tonight");

/** How an assistant is asked to answer. */
const MANNERS = setOf(
  `answer reply respond talk speak write use give keep put quote show sign spell format skip drop avoid stop leave go stick
   summarise summarize translate round convert make cut spare`,
);
/** What else an assistant is asked to do. */
const TASKS = setOf(
  `draft address suggest propose recommend book look plan list remind search find calculate count mention send order explain
   name describe tell correct check quiz warn teach`,
);
/** What an assistant is asked not to do, beside answering and its tasks. */
const HABITS = setOf(
  `ask call interrupt assume add include end start begin share store save offer repeat lecture apologise apologize moralise moralize hedge
   praise flatter greet sugarcoat invent guess bring refer link cite schedule remember tell use`,
);
/** "Be brief": manners as adjectives. */
const MANNER_ADJECTIVES = setOf(
  "brief concise short formal informal casual direct polite honest blunt precise terse friendly specific critical",
);
const TALKS = setOf("answer reply respond talk speak write stay keep");
const WISHES = setOf("want need like prefer rather");
/** "Stop reminding me of the pills" */
const STOPS = setOf("stop avoid");

/** Returns a standing instruction to the assistant ("always …", "no emojis"), or the name in "call me …". */
export function readInstruction(text: string, words: Word[]): Draft | undefined {
  const start = words.findIndex(({ normal }) => !FILLERS.has(normal));
  const order = orderIn(words.slice(Math.max(0, start)));
  const [first, second, third] = order;
  if (first === undefined || second === undefined) return undefined;
  if (first.isQuoted) return undefined;
  const call = order.findIndex(({ normal }, index) => normal === "call" && order[index + 1]?.normal === "me");
  const name = order[call + 2]?.text ?? "";
  if (call !== -1 && isOrderAt(order, call) && /^\p{Lu}/u.test(name))
    return draftOf({ subject: USER, attribute: "nickname", value: name, act: "state" });
  const isNegated = first.normal === "do" && hasTag(second, "Negative") && hasTag(third, "Verb");
  if (isNegated && !isHabit(order)) return undefined;
  const isSecret = second.normal === "tell" || third?.normal === "tell";
  const whom = order[isNegated ? 3 : 2];
  if (isSecret && (TOLD_OTHERS.has(whom?.normal ?? "") || /^\p{Lu}/u.test(whom?.text ?? ""))) return undefined;
  if (first.normal === "never" && second.normal === "mind") return undefined;
  const isLasting =
    OPENS.has(first.normal) &&
    // "Only rooibos": the tagger takes an unknown word for a verb.
    (first.normal === "only" ? isRequest(second) : hasTag(second, "Verb")) &&
    !hasTag(second, "PastTense", "Gerund", "Copula") &&
    /^\p{Ll}/u.test(second.text);
  const isOrder =
    hasTag(first, "Infinitive") &&
    !words.some((word) => hasTag(word, "Copula")) &&
    !hasTag(second, "Verb", "Pronoun") &&
    words.some(({ normal }) => LASTING.has(normal));
  const isStop =
    STOPS.has(first.normal) &&
    hasTag(second, "Gerund") &&
    (order.some(({ normal }) => normal === "me") || isHabitual(second.normal.replace(/ing$/, "")));
  const isManner =
    first.normal === "be" && order.slice(1, MAX_MANNER_WORDS).some(({ normal }) => MANNER_ADJECTIVES.has(normal));
  const isInstruction = isNegated || isManner || isLasting || isOrder || isStop;
  if (!isInstruction && !isAboutTasks(order) && !isAboutForm(order, text)) return undefined;
  const closing = /^["”»)]/u.exec(text.slice(order.at(-1)?.end))?.[0] ?? "";
  const value = textBetween(text, order) + closing;
  return draftOf({ subject: USER, attribute: "instruction", value, act: "state", confidence: CONFIDENCE.property });
}

/** Returns the words of an order without what only leads to it: "by the way", "could you", "one rule:". */
function orderIn(words: Word[]): Word[] {
  const lead = LEADS.find((each) => each.every((word, index) => words[index]?.normal === word));
  const order = words.slice(lead?.length ?? 0);
  const colon = order.slice(0, MAX_ANNOUNCING_WORDS).findIndex(({ after }) => after.includes(":"));
  const announced = order.slice(colon + 1);
  const isAnnounced = colon !== -1 && announced.length > 1 && OPENINGS_OF_ORDERS.has(announced[0]?.normal ?? "");
  return isAnnounced ? announced : order;
}

const OPENINGS_OF_ORDERS = setOf("always never don't do no only when whenever if please");

/** "Could you call me Max?", "from now on, call me Captain": an order rather than "they call me Max". */
function isOrderAt(words: Word[], index: number): boolean {
  return (
    index === 0 ||
    ENDS_OF_FROM_NOW_ON.has(words[index - 1]?.normal ?? "") ||
    FILLERS.has(words[index - 1]?.normal ?? "")
  );
}

/** "Don't use emojis": what an assistant does again and again; "Don't send it" is about a thing at hand. */
function isHabit(words: Word[]): boolean {
  const verb = words[2]?.normal ?? "";
  const last = words.at(-1)?.normal ?? "";
  if (words.some(({ normal }) => normal === "ever")) return true;
  return words.length > 3 && isHabitual(verb) && !AT_HAND.has(last);
}

function isHabitual(verb: string): boolean {
  return [verb, `${verb}e`].some((form) => MANNERS.has(form) || TASKS.has(form) || HABITS.has(form));
}

/** "Be brief", "be a bit more formal with clients" */
const MAX_MANNER_WORDS = 5;

/** "When you propose a menu, …", "if I ask you for a route, …", "I want prices without VAT when you quote them" */
function isAboutTasks(words: Word[]): boolean {
  const canFollow = isWish(words) || isRequest(words[0]);
  return words.some(({ normal }, index) => {
    if (!WHENEVER.has(normal)) return false;
    const [who, verb, whom] = words.slice(index + 1, index + 4);
    if (who?.normal === "i") return index === 0 && isAsking(verb, whom);
    if (who?.normal !== "you") return false;
    if (index === 0) return !hasTag(verb, "Copula", "Modal") && !GENERIC.has(verb?.normal ?? "");
    return canFollow && isRequest(verb);
  });
}

/** "If I ask for recipes", "when I say …" */
function isAsking(verb: Word | undefined, whom: Word | undefined): boolean {
  return verb?.normal === "say" || (verb?.normal === "ask" && ASKED.has(whom?.normal ?? ""));
}

const ASKED = setOf("you for about how what where which whether if to");

function isRequest(word: Word | undefined): boolean {
  return word !== undefined && (MANNERS.has(word.normal) || TASKS.has(word.normal));
}

/** "I want …", "I'd rather …" */
function isWish([first, ...others]: Word[]): boolean {
  return first?.normal === "i" && others.slice(0, MAX_WISH_WORDS).some(({ normal }) => WISHES.has(normal));
}

const WHENEVER = setOf("when whenever if");
const MAX_WISH_WORDS = 4;
/** Verbs after "when you" that are about anybody: "When you get to my age". */
const GENERIC = setOf("ask want like need get have think know see come go live grow lose feel");

/** "Answer in German", "no emojis", "go easy on the bullet points", "I'd rather you wrote in full sentences" */
function isAboutForm(words: Word[], text: string): boolean {
  if (words.some(({ isDate }) => isDate)) return false;
  const [first, second, third] = words;
  const hasForm = words.some(({ normal }) => FORM_OF_ANSWERS.has(normal));
  if (BANS.has(first?.normal ?? ""))
    return words.slice(1, MAX_BANNED_WORDS).some(({ normal }) => FORM_OF_ANSWERS.has(normal));
  if (isRule(words)) return hasForm;
  const isLasting = FROM_NOW_ON.test(text);
  if (isWish(words) && words.some(({ normal }) => normal === "you")) return hasForm || isLasting;
  if (isLasting) {
    const verb = words.findIndex(isRequest);
    return verb === 0 || ENDS_OF_FROM_NOW_ON.has(words[verb - 1]?.normal ?? "");
  }
  // "List of messages", "plan: messages to send"
  const isNote = first?.after !== " " || second?.normal === "of";
  const isOrder = MANNERS.has(first?.normal ?? "") && !isNote && !hasTag(first, "PastTense", "Gerund");
  const isInLanguage = TALKS.has(first?.normal ?? "") && second?.normal === "in" && hasTag(third, "Demonym");
  return isOrder && (hasForm || isInLanguage);
}

const BANS = setOf("no never not none without");
/** "no", words before the form, and the form: "no long bullet points", "none of those bullet things" */
const MAX_BANNED_WORDS = 4;

/** "Metres with me, always": a clause without a subject, verb or date that says "always" or "never". */
function isRule(words: Word[]): boolean {
  const end = words.findIndex(({ after }) => /[.;!?]/.test(after));
  const clause = end === -1 ? words : words.slice(0, end + 1);
  const always = clause.findIndex(({ normal }) => normal === "always" || normal === "never");
  return always > 0 && !clause.slice(0, always).some((word) => hasTag(word, "Verb", "Pronoun") && word.normal !== "me");
}

const ADVICE = setOf("recommend suggest advise try");
/** What an assistant can promise; "I'll cross my fingers" promises nothing. */
const PROMISES = setOf(
  "remind look check find search send write draft prepare plan book order list ask tell call translate summarise summarize use give spell rewrite update",
);

/** Returns what the assistant recommends or promises; its other sentences yield no drafts. */
export function readAssistant(text: string, words: Word[]): Draft[] {
  const index = words.findIndex(({ normal }, at) => normal === "i" && hasTag(words[at + 1], "Verb", "Modal"));
  if (index === -1) return [];
  const helper = words[index + 1]?.normal ?? "";
  const verb = words.slice(index + 1, index + 4).find(({ normal }) => ADVICE.has(normal));
  const isPromise = helper === "will" && words.slice(index + 2, index + 4).some(({ normal }) => PROMISES.has(normal));
  const attribute = verb !== undefined ? "recommended" : isPromise ? "promised" : undefined;
  if (attribute === undefined) return [];
  const promised = words.slice(verb === undefined ? index + 1 : words.indexOf(verb) + 1);
  const value = textBetween(text, promised);
  return value === "" || hasUnresolvedReference(promised)
    ? []
    : [
        draftOf({
          subject: ASSISTANT,
          attribute,
          value,
          act: "state",
          confidence: CONFIDENCE.plan,
        }),
      ];
}
