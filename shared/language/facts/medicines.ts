import { setOf } from "../../kernel/strings.ts";
import { type Draft, draftOf } from "./draft.ts";
import { objectOf, type Predicate } from "./phrases.ts";
import { slotOfThing } from "./properties.ts";
import type { Speaker, Subject } from "./topic.ts";
import type { Validity } from "./validity.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, upToComma, type Word, withoutDeterminer } from "./words.ts";

/** Endings of the international names of medicines, which show their class: "lisinopril", "bisoprolol". */
const MEDICINE =
  /^\p{L}{2,}(?:pril|sartan|olol|dipine|statin|prazole|tidine|formin|glipti?n|gliflozin|glutide|cillin|mycin|floxacin|conazole|cycline|oxetine|opram|traline|azepam|azolam|xaban|parin|farin|codone|profen|proxen|triptan|setron|thyroxine|semide|thiazide|lactone|isolone|isone|sonide|metasone|ticasone|adol|amol|purinol|dronate|ciclovir|phylline|trexate|lukast|terol|tropium|bapentin|gabalin|triptyline|oxicam|calciferol|calcidol|lamer|mumab|ximab|zumab)s?$/iu;
const UNITS = /^(?:mg|mcg|µg|ug|g|ml|iu|milligrams?|micrograms?|units?|tablets?|pills?)$/iu;
const AMOUNT = /^\d+(?:[.,]\d+)?(?:mg|mcg|µg|ml|iu)?$/iu;

/** Words before a medicine that was replaced or stopped: "pravastatin 10 rather than simvastatin 40", "instead of". */
const REPLACED_MARKERS = setOf("than of off from not no");

/** Whether a word is the international name of a medicine, by its ending. */
export function isMedicine(word: string): boolean {
  return MEDICINE.test(word);
}

/** Returns the doses in the words, the numbers after a medicine: "lisinopril 20 at night, metoprolol now, 50 mg". */
export function readDoses(words: Word[], text: string, speaker: Speaker): Draft[] {
  return words.flatMap((word, index): Draft[] => {
    if (!isMedicine(word.normal)) return [];
    let found = index + 1;
    while (AFTER_MEDICINE.has(words[found]?.normal ?? "")) found++;
    const amount = words[found];
    if (amount === undefined || !AMOUNT.test(amount.text)) return [];
    const unitWords = amount.after === " " && UNITS.test(words[found + 1]?.text ?? "") ? 1 : 0;
    const isRegular = amount.after === " " && FREQUENCIES.has(words[found + 1]?.normal ?? "");
    const marks = words
      .slice(index, found)
      .map(({ after }) => after.trim())
      .join("");
    // "Ramipril, 5 mg": after a comma, only a unit or a frequency shows that the number is a dose.
    if (marks !== "" && !(marks === "," && (unitWords === 1 || isRegular))) return [];
    const value = textBetween(text, words.slice(found, found + 1 + unitWords));
    const previous = words[index - 1];
    const slot = slotOfThing("dose", word.normal, speaker);
    const owner = OWNER.exec(previous?.text ?? "")?.[1];
    const act = REPLACED_MARKERS.has(previous?.normal ?? "") ? "end" : "state";
    return [draftOf({ ...slot, ...(owner !== undefined && { subject: owner }), value, act })];
  });
}

/** "Ann's ramipril" */
const OWNER = /^(\p{Lu}\p{L}*)['’]s?$/u;
const AFTER_MEDICINE = setOf("up down back again now too also instead");
const FREQUENCIES = setOf("once twice daily");

/** Returns the dose of a medicine that words consist of, as a subject: later words may say what it is now. */
export function doseOf(words: Word[], speaker: Speaker): Subject | undefined {
  const [medicine, ...others] = withoutDeterminer(trimEdges(upToComma(words)));
  const isAlone = others.every(({ normal }) => AFTER_MEDICINE.has(normal));
  if (medicine === undefined || !isAlone || !isMedicine(medicine.normal)) return undefined;
  const { subject, attribute } = slotOfThing("dose", medicine.normal, speaker);
  return { name: subject, property: attribute, isPerson: false };
}

/** Verbs before "off": "I'm off", "they took me off", "come off". */
const OFF_VERBS = setOf("be take come go");

/** Returns the end of a medicine's dose: "I'm off the ramipril", "they took me off atenolol". */
export function readOff(
  { words }: Predicate,
  { lemma, isNegated, isWished, isHypothetical }: VerbGroup,
  { text, speaker, validity }: Pick<Said, "text" | "speaker" | "validity">,
): Draft | undefined {
  const off = words.findIndex(({ normal }) => normal === "off");
  if (off === -1 || !OFF_VERBS.has(lemma) || isNegated || isWished || isHypothetical) return undefined;
  return doseEndOf(textBetween(text, withoutDeterminer(trimEdges(upToComma(words.slice(off + 1))))), speaker, validity);
}

/** Returns the end of a medicine's dose: "the ramipril has been stopped", "I stopped ramipril". */
export function readStopped(
  said: Pick<Said, "text" | "speaker" | "validity" | "subject" | "group" | "predicate">,
): Draft | undefined {
  const { text, speaker, validity, subject, group, predicate } = said;
  if (group.isNegated || group.isWished) return undefined;
  const object = textBetween(text, withoutDeterminer(trimEdges(upToComma(objectOf(predicate)))));
  return doseEndOf(object === "" ? subject : object, speaker, validity);
}

/** Returns the end of a dose; undefined if the first word of `text` is no medicine. */
function doseEndOf(text: string, speaker: Speaker, validity: Validity): Draft | undefined {
  const [medicine = ""] = text.toLowerCase().split(" ", 1);
  if (!isMedicine(medicine)) return undefined;
  return draftOf({ ...slotOfThing("dose", medicine, speaker), value: "", act: "end", validity });
}
