import { sentenceCase } from "../../../../kernel/strings.ts";
import type { Imperative } from "./imperative.ts";
import { type Pattern, sentencesOf } from "./patterns.ts";

const TROUBLE =
  /\b(?:full|crash(?:ed|es|ing)?|fail(?:ed|s|ing|ures?)?|down|time(?:d )?-?outs?|errors?|stuck|exhausted|out of (?:memory|space|disk)|slow|unavailable|broken|leak(?:ed|ing|s)?|expired|empty|missing|hung|hanging|outages?|unreachable|corrupt(?:ed)?|overload(?:ed)?|degraded|5\d\ds?|4\d\ds?|rejected)\b/i;
const RECOVERY =
  /\b(?:recover(?:ed|s)?|normal|resolved|solved|fixed|stopped|disappeared|gone|back up|works? again|worked again|healthy|stable|returned to|went away|cleared up)\b/i;
const ACTOR =
  /^(?:(?:then|so|finally|first|therefore|to fix (?:it|this)),?\s+)?(?:we|i|they|ops|(?:the|our)\s(?:[\w-]+\s){0,2}?(?:engineer|team|operator|admin|administrator|developer|on-call|technician|crew|staff)s?)\s+(?:(?:then|also|quickly|manually|immediately|first)\s+)?(?<deed>\S.*)$/i;
const BY_MEANS =
  /\b(?:solved|fixed|resolved|mitigated|repaired|remedied|addressed)\s+(?:(?:it|this|that|the (?:issue|problem))\s+)?by\s+(?<deed>\S.*)$/i;
/** The outcome, stated after the action: "and the errors stopped". */
const OUTCOME =
  /(?:,\s{0,4}|\s{1,4})(?:and|so|which|after which)\s(?:(?:then|now)\s)?(?:the\s)?\w{1,40}(?:\s\w{1,40})?\s(?:was|were|is|are|has|have|had|went|came|recovered|stopped|disappeared|cleared|returned|resolved|works?|worked)\b/i;
/** Verbs of remedial operations. */
const REMEDIAL =
  /^(?:restart|roll|revert|flush|clear|delete|extend|raise|increase|scale|renew|replace|reboot|reinstall|update|upgrade|patch|add|remove|kill|drain|fail|switch|reset|block|disable|enable|split|rebuild|reload|move|free|clean|reduce|lower|rotate|restore|rerun|retry|stop|start|redeploy|purge|expand|grow|resize|reconnect|unplug|swap|tighten|close|reindex|vacuum|limit|throttle|lengthen|shorten|pin|downgrade|isolate|unlock|refill)\b/i;
const MOMENT =
  /^(?:(?:at|on|around|by)\s+)?(?:\d{4}-\d\d-\d\d[T ]?)?(?:\d{1,2}[:.]\d\d(?::\d\d)?\s?(?:am|pm|utc)?)?,?\s*(?:-\s+)?/i;
/** Number of sentences after the problem that may contain the remedy, and after the remedy the recovery. */
const REACH = 3;
const RECOVERED_CONFIDENCE = 0.7;
const PLAIN_CONFIDENCE = 0.6;

/** The problem of an incident report with the action that helped, as a procedure. */
export function* findInNarratives(paragraphs: string[], imperative: Imperative): Generator<Pattern> {
  for (const paragraph of paragraphs) {
    const sentences = [...sentencesOf(paragraph)].map((sentence) => sentence.replace(MOMENT, ""));
    let lastCovered = -1;
    for (const [index, sentence] of sentences.entries()) {
      if (index <= lastCovered || !TROUBLE.test(sentence) || actionIn(sentence) !== undefined) continue;
      const remedy = sentences.slice(index + 1, index + 1 + REACH).findIndex((next) => actionIn(next) !== undefined);
      if (remedy < 0) continue;
      const remedial = sentences[index + 1 + remedy] ?? "";
      const action = imperative(actionIn(remedial) ?? "");
      const after = sentences.slice(index + 1 + remedy, index + 2 + remedy + REACH).join(". ");
      const hasRecovered = RECOVERY.test(after);
      if (!REMEDIAL.test(action) && !(hasRecovered && BY_MEANS.test(remedial))) continue;
      // Sentences in between continue the same problem.
      lastCovered = index + 1 + remedy;
      const confidence = hasRecovered ? RECOVERED_CONFIDENCE : PLAIN_CONFIDENCE;
      yield { trigger: sentence, action: sentenceCase(action), confidence, source: `${sentence}. ${remedial}` };
    }
  }
}

function actionIn(sentence: string): string | undefined {
  const deed = (BY_MEANS.exec(sentence) ?? ACTOR.exec(sentence))?.groups?.deed;
  const end = OUTCOME.exec(deed ?? "")?.index;
  return end !== undefined && RECOVERY.test(deed?.slice(end) ?? "") ? deed?.slice(0, end) : deed;
}
