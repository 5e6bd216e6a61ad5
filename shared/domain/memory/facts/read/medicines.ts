import { setOf } from "../../../../kernel/strings.ts";
import { type Draft, draftOf } from "./draft.ts";
import { objectOf, type Predicate } from "./phrases.ts";
import { type Speaker, slotOfThing } from "./subjects.ts";
import type { Validity } from "./validity.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, upToComma, type Word, withoutDeterminer } from "./words.ts";

/** Endings of the international names of medicines, which tell their class: "lisinopril", "bisoprolol". */
const MEDICINE =
  /^\p{L}{2,}(?:pril|sartan|olol|dipine|statin|prazole|tidine|formin|glipti?n|gliflozin|glutide|cillin|mycin|floxacin|conazole|cycline|oxetine|opram|traline|azepam|azolam|xaban|parin|farin|codone|profen|triptan|setron|thyroxine|semide|thiazide|lactone|isolone|isone|lukast|terol|tropium|bapentin|gabalin|triptyline|oxicam|calciferol|calcidol|lamer|mumab|ximab|zumab)s?$/iu;
const UNITS = /^(?:mg|mcg|µg|ug|g|ml|iu|units?|tablets?|pills?)$/iu;
const AMOUNT = /^\d+(?:[.,]\d+)?(?:mg|mcg|µg|ml|iu)?$/iu;

/** "Pravastatin 10 rather than simvastatin 40", "instead of", "off" */
const FORMER = setOf("than of off from not no");

/** Whether a word is the international name of a medicine, by its ending. */
export function isMedicine(word: string): boolean {
  return MEDICINE.test(word);
}

/** "Lisinopril 20 at night, metoprolol 50 mg": a number after a medicine is its dose. */
export function readDoses(words: Word[], text: string, speaker: Speaker): Draft[] {
  return words.flatMap((word, place): Draft[] => {
    const amount = words[place + 1];
    if (amount === undefined || !isMedicine(word.normal) || word.after !== " " || !AMOUNT.test(amount.text)) return [];
    const unit = amount.after === " " && UNITS.test(words[place + 2]?.text ?? "") ? 1 : 0;
    const value = textBetween(text, words.slice(place + 1, place + 2 + unit));
    const slot = slotOfThing("dose", word.normal, speaker);
    const act = FORMER.has(words[place - 1]?.normal ?? "") ? "end" : "state";
    return [draftOf({ ...slot, value, act })];
  });
}

const LEAVES = setOf("be take come go");

/** "I'm off the ramipril", "they took me off atenolol": the dose of the medicine has ended. */
export function readOff(
  { words }: Predicate,
  { lemma, isNegated, isWished, isUnreal }: VerbGroup,
  { text, speaker, validity }: Pick<Said, "text" | "speaker" | "validity">,
): Draft | undefined {
  const off = words.findIndex(({ normal }) => normal === "off");
  if (off === -1 || !LEAVES.has(lemma) || isNegated || isWished || isUnreal) return undefined;
  return endOf(textBetween(text, withoutDeterminer(trimEdges(upToComma(words.slice(off + 1))))), speaker, validity);
}

/** "The ramipril has been stopped", "I stopped ramipril" */
export function readStopped(
  said: Pick<Said, "text" | "speaker" | "validity" | "subject" | "group" | "predicate">,
): Draft | undefined {
  const { text, speaker, validity, subject, group, predicate } = said;
  if (group.isNegated || group.isWished) return undefined;
  const object = textBetween(text, withoutDeterminer(trimEdges(upToComma(objectOf(predicate)))));
  return endOf(object === "" ? subject : object, speaker, validity);
}

function endOf(named: string, speaker: Speaker, validity: Validity): Draft | undefined {
  const [medicine = ""] = named.toLowerCase().split(" ", 1);
  if (!isMedicine(medicine)) return undefined;
  return draftOf({ ...slotOfThing("dose", medicine, speaker), value: "", act: "end", validity });
}
