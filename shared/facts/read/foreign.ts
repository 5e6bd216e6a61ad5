import type { Act } from "../fact.ts";
import { type Draft, draftOf } from "./draft.ts";
import { readForeignClauses } from "./foreign-clauses.ts";
import { FOREIGN_SLOTS } from "./foreign-slots.ts";
import type { Speaker } from "./subjects.ts";
import { notBefore, type Validity } from "./validity.ts";

/** What a sentence of another language says: of the slots that its patterns know, else of when and who something is. */
export function readForeign(sentence: string, speaker: Speaker, validity: Validity, day: string | undefined): Draft[] {
  const { name, topic } = speaker;
  const destination = topic.mover === undefined ? undefined : DESTINATION.exec(sentence)?.groups?.value;
  topic.mover = MOVES.test(sentence) ? name : undefined;
  if (destination !== undefined) {
    const place = { subject: name, attribute: "lives_in", value: destination } as const;
    return [draftOf({ ...place, act: "state", validity: notBefore(validity, day), confidence: CONFIDENCE })];
  }
  for (const { pattern, slot, act = "state" } of FOREIGN_SLOTS) {
    const value = pattern.exec(sentence)?.groups?.value;
    if (value === undefined) continue;
    const ended: Act = act === "state" && OVER.test(sentence) ? "end" : act;
    return [draftOf({ subject: name, attribute: slot, value: value.trim(), act: ended, confidence: CONFIDENCE })];
  }
  return readForeignClauses(sentence, speaker).map((draft) => ({ ...draft, confidence: CONFIDENCE }));
}

const CONFIDENCE = 0.7;
/** "no longer" in German, French and Spanish. */
const OVER = /\bnicht mehr\b|\bplus (?:à|chez|dans|de)\b|\bya no\b/iu;
/** "I am moving" without a place behind it; the next sentence may name it. */
const MOVES =
  /\b(?:me mudo|nos mudamos|mudanza|ich ziehe um|wir ziehen um|je déménage|on déménage)\b(?! (?:a|nach|à|en) )/iu;
const DESTINATION = /(?:^|: )(?:(?:a|en|nach|in|à) )?(?<value>\p{Lu}\p{L}{2,30}(?: \p{Lu}\p{L}{2,30}){0,2}), \d/u;
