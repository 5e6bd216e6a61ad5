import type { Act } from "../fact.ts";
import { type Draft, draftOf } from "./draft.ts";
import { FOREIGN_SLOTS } from "./foreign-slots.ts";
import type { Speaker } from "./subjects.ts";

/** What a sentence of another language says of the slots that its patterns know. */
export function readForeign(sentence: string, { name }: Speaker): Draft[] {
  for (const { pattern, slot, act = "state" } of FOREIGN_SLOTS) {
    const value = pattern.exec(sentence)?.groups?.value;
    if (value === undefined) continue;
    const ended: Act = act === "state" && OVER.test(sentence) ? "end" : act;
    return [draftOf({ subject: name, attribute: slot, value: value.trim(), act: ended, confidence: CONFIDENCE })];
  }
  return [];
}

const CONFIDENCE = 0.7;
/** "no longer" in German, French and Spanish. */
const OVER = /\bnicht mehr\b|\bplus (?:à|chez|dans|de)\b|\bya no\b/iu;
