import { sentenceCase, trimmedEnd } from "../../../../kernel/strings.ts";
import { alternatives } from "../../../../language/languages/lists.ts";
import type { Imperative } from "./imperative.ts";
import type { Pattern } from "./patterns.ts";

const CONDITION = new RegExp(`^(?:${alternatives(({ procedures }) => procedures?.conditionLabels)})$`, "i");
const REMEDY = new RegExp(`^(?:${alternatives(({ procedures }) => procedures?.remedyLabels)})$`, "i");
const LABELLED = /^[\s*#-]{0,4}(?<label>[\p{L} ]{3,24}?)\**\s?[:：]\**\s*(?<text>\S.*)$/u;
/** After a sentence, if another label follows on the line. */
const INNER_LABEL = /(?<=[.!;])\s+(?=\p{Lu}[\p{L} -]{2,23}:\s)/u;
const CONFIDENCE = 0.8;

/** Notes of the form "Symptom: … Fix: …", as in incidents and runbooks. */
export function* findLabelled(lines: string[], imperative: Imperative): Generator<Pattern> {
  let condition: string | undefined;
  for (const line of lines.flatMap((text) => text.split(INNER_LABEL))) {
    const { label = "", text = "" } = LABELLED.exec(line)?.groups ?? {};
    if (CONDITION.test(label)) condition = trimmedEnd(text, /[.!\s]/);
    if (!REMEDY.test(label) || condition === undefined) continue;
    const action = sentenceCase(imperative(trimmedEnd(text, /[.!\s]/)));
    yield { trigger: condition, action, confidence: CONFIDENCE, source: `${condition} ${text}` };
    condition = undefined;
  }
}
