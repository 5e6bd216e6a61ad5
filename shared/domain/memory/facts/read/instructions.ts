import { hasTag } from "../../extraction/tagging.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { textBetween, type Word } from "./words.ts";

const OPENS = new Set("always never don't please remember only".split(" "));
/** Words before an instruction. */
const FILLERS = new Set("and so also oh ok okay yes but please".split(" "));
const LASTING = new Set("always never whenever every only".split(" "));

/** "Don't ask": said, but not meant to be obeyed for ever. */
const SAYINGS = new Set("ask worry laugh tease panic judge bother mind tell".split(" "));

/** Returns a standing instruction to the assistant: "always …", "never …", "don't …", "when you write …: …". */
export function readInstruction(text: string, words: Word[]): Draft | undefined {
  const start = words.findIndex(({ normal }) => !FILLERS.has(normal));
  const [first, second, third] = words.slice(Math.max(0, start));
  if (first === undefined || second === undefined) return undefined;
  if (first.isQuoted) return undefined;
  const isBan = first.normal === "do" && hasTag(second, "Negative") && hasTag(third, "Verb");
  if (isBan && third === words.at(-1) && SAYINGS.has(third?.normal ?? "")) return undefined;
  const isLasting =
    OPENS.has(first.normal) && hasTag(second, "Verb") && !hasTag(second, "PastTense", "Gerund", "Copula");
  const isWhen = ["when", "whenever", "if"].includes(first.normal) && second.normal === "you";
  const isOrder =
    hasTag(first, "Infinitive") &&
    !hasTag(second, "Verb", "Pronoun") &&
    words.some(({ normal }) => LASTING.has(normal));
  if (!isBan && !isLasting && !isWhen && !isOrder) return undefined;
  const value = textBetween(text, words.slice(Math.max(0, start)));
  return draftOf({ subject: "user", attribute: "instruction", value, act: "state", confidence: CONFIDENCE.property });
}
