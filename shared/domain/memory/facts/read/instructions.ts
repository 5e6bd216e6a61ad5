import { setOf } from "../../../../kernel/strings.ts";
import { hasTag } from "../../extraction/tagging.ts";
import { ASSISTANT, USER } from "../fact.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { textBetween, type Word } from "./words.ts";

const OPENS = setOf("always never don't please remember only");
/** Words before an instruction. */
const FILLERS = setOf("and so also oh ok okay yes but please");
const LASTING = setOf("always never whenever every only");

/** Verbs of phrases that are no standing instructions: "Don't ask". */
const SAYINGS = setOf("ask worry laugh tease panic judge bother mind tell");
/** Verbs of the speaker's own mind: "Don't know yet" leaves out "I". */
const OWN_STATES = setOf("know think remember care want need have like feel see understand believe get mind");
/** "Don't tell the boss": about others, who do not hear it. */
const TOLD_OTHERS = setOf("the my our him her them anyone anybody");

/** Returns a standing instruction to the assistant ("always …", "don't …"), or the name in "call me …". */
export function readInstruction(text: string, words: Word[]): Draft | undefined {
  const start = words.findIndex(({ normal }) => !FILLERS.has(normal));
  const [first, second, third] = words.slice(Math.max(0, start));
  if (first === undefined || second === undefined) return undefined;
  if (first.isQuoted) return undefined;
  if (first.normal === "call" && second.normal === "me" && /^\p{Lu}/u.test(third?.text ?? ""))
    return draftOf({ subject: USER, attribute: "nickname", value: third?.text ?? "", act: "state" });
  const isBan = first.normal === "do" && hasTag(second, "Negative") && hasTag(third, "Verb");
  if (isBan && third === words.at(-1) && SAYINGS.has(third?.normal ?? "")) return undefined;
  if (isBan && OWN_STATES.has(third?.normal ?? "")) return undefined;
  const isSecret = second.normal === "tell" || third?.normal === "tell";
  const whom = words[words.indexOf(second) + (isBan ? 2 : 1)]?.normal ?? "";
  if (isSecret && TOLD_OTHERS.has(whom)) return undefined;
  if (first.normal === "never" && second.normal === "mind") return undefined;
  const isLasting =
    OPENS.has(first.normal) &&
    hasTag(second, "Verb") &&
    !hasTag(second, "PastTense", "Gerund", "Copula") &&
    /^\p{Ll}/u.test(second.text);
  const isWhen = ["when", "whenever", "if"].includes(first.normal) && second.normal === "you";
  const isOrder =
    hasTag(first, "Infinitive") &&
    !hasTag(second, "Verb", "Pronoun") &&
    words.some(({ normal }) => LASTING.has(normal));
  if (!isBan && !isLasting && !isWhen && !isOrder) return undefined;
  const value = textBetween(text, words.slice(Math.max(0, start)));
  return draftOf({ subject: USER, attribute: "instruction", value, act: "state", confidence: CONFIDENCE.property });
}

const ADVICE = setOf("recommend suggest advise try");
const PROMISES = new Set(["will", "have"]);

/** Returns what the assistant recommends, promises or says it has done; its other sentences yield no drafts. */
export function readAssistant(text: string, words: Word[]): Draft[] {
  const index = words.findIndex(({ normal }, at) => normal === "i" && hasTag(words[at + 1], "Verb", "Modal"));
  if (index === -1) return [];
  const helper = words[index + 1]?.normal ?? "";
  const verb = words.slice(index + 1, index + 4).find(({ normal }) => ADVICE.has(normal));
  const isPromise = PROMISES.has(helper) && hasTag(words[index + 2], "Verb", "Negative", "Adverb");
  const attribute = verb !== undefined ? "recommended" : isPromise ? "promised" : undefined;
  if (attribute === undefined) return [];
  const value = textBetween(text, words.slice(verb === undefined ? index + 1 : words.indexOf(verb) + 1));
  return value === ""
    ? []
    : [
        draftOf({
          subject: ASSISTANT,
          attribute,
          value,
          act: "state",
          cardinality: "open",
          confidence: CONFIDENCE.open,
        }),
      ];
}
