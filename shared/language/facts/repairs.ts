import { setOf } from "../../kernel/strings.ts";
import { type Draft, draftOf } from "./draft.ts";
import { isSimilarValue, termsOf } from "./similarity.ts";
import { textBetween, trimEdges, upToComma, type Word } from "./words.ts";

const BE = setOf("is 's was");
const IT = setOf("it that");

/**
 * Reads a sentence that corrects the value stated last in the same text, without its subject: "No, it's Tuesday, not
 * Monday", "can't do Mondays any more, it's Thursdays". The wrong value must be named.
 */
export function readRepair(words: Word[], text: string, last: Draft | undefined): Draft | undefined {
  if (last === undefined || last.value === "") return undefined;
  const verb = words.findIndex(({ normal }, index) => BE.has(normal) && IT.has(words[index - 1]?.normal ?? ""));
  if (verb === -1) return undefined;
  const before = words.slice(0, verb - 1);
  if (before.some(({ normal }) => CONDITIONS.has(normal))) return undefined;
  const comma = words.findIndex(({ after }, index) => index > verb && /[,;–—-]/u.test(after));
  const value = textBetween(text, trimEdges(undated(words.slice(verb + 1, comma === -1 ? undefined : comma + 1))));
  if (value === "" || words.at(-1)?.after.includes("?")) return undefined;
  const { subject, attribute, cardinality, confidence } = last;
  const slot = { subject, attribute, cardinality, confidence, value };
  const rest = comma === -1 ? [] : words.slice(comma + 1);
  const wrong = rest[0]?.normal === "not" ? textBetween(text, trimEdges(undated(upToComma(rest.slice(1))))) : "";
  if (wrong !== "") return isAbout(wrong, last) ? draftOf({ ...slot, act: "correct", replaces: wrong }) : undefined;
  const isEnded = before.some(
    ({ normal }, index) =>
      normal === "anymore" || ((normal === "any" || normal === "no") && FURTHER.has(before[index + 1]?.normal ?? "")),
  );
  return isEnded && isAbout(textBetween(text, before), last) ? draftOf({ ...slot, act: "state" }) : undefined;
}

const CONDITIONS = setOf("if whether unless when suppose imagine");
const FURTHER = setOf("more longer");

/** Dates are values here, which `trimEdges` would remove. */
function undated(words: Word[]): Word[] {
  return words.map((word) => ({ ...word, isDate: false }));
}

function isAbout(mention: string, { value }: Draft): boolean {
  return isSimilarValue(termsOf(mention), termsOf(value));
}
