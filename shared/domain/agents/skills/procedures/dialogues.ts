import { excerpt, sentenceCase, trimmedEnd } from "../../../../kernel/strings.ts";
import type { Tagger } from "../../../../language/statements/tagging.ts";
import { isInstruction, type Pattern, sentencesOf } from "./patterns.ts";

const TURN = /^\s*(?<speaker>[\p{L}][\p{L}\p{N} .'-]{0,30}?)\s?[:：]\s+(?<text>\S.*)$/u;
const HELPER =
  /^(?:a|answer|agent|support(?: agent)?|assistant|advis[oe]r|help ?desk|operator|technician|expert|bot|staff|service)$/i;
const QUESTION = /^q(?:uestion)?$/i;
/** Confirmations that something helped, and that it did not. */
const CONFIRMED =
  /\b(?:work(?:s|ed)|solved|fixed|perfect|great|thank(?:s| you)|stable|it is (?:back|fine|ok)|now it)\b/i;
const DENIED = /\b(?:still|not work|n't work|did(?:n't| not) help|no change|same (?:error|problem))\b/i;
const QUESTION_OPENING =
  /^(?:what (?:do|should|can) (?:i|we|you) do (?:when|if)|how (?:do|can|should) (?:i|we|you)|what if|what to do (?:when|if))\s+/i;

const CONFIRMED_CONFIDENCE = 0.8;
const ANSWER_CONFIDENCE = 0.75;
const PLAIN_CONFIDENCE = 0.55;
const MAX_TRIGGER_LENGTH = 300;
const MAX_ACTION_LENGTH = 2_000;

/** Finds what helped in a conversation: the problem of one speaker, and the advice of the other. */
export function* findInDialogues(lines: string[], tag: Tagger): Generator<Pattern> {
  const turns = turnsOf(lines);
  for (const [index, { speaker, text }] of turns.entries()) {
    const [before, after] = [turns[index - 1], turns[index + 1]];
    if (!HELPER.test(speaker) || before === undefined || HELPER.test(before.speaker)) continue;
    const reaction = after !== undefined && after.speaker === before.speaker ? after.text : "";
    if (DENIED.test(reaction)) continue;
    const commands = [...sentencesOf(text)].filter((sentence) => isInstruction(sentence, tag) && !isWish(sentence));
    if (commands.length === 0) continue;
    yield {
      trigger: excerpt(trimmedEnd(before.text.trim().replace(QUESTION_OPENING, ""), /[?.!\s]/), MAX_TRIGGER_LENGTH),
      action: excerpt(commands.map(sentenceCase).join(". "), MAX_ACTION_LENGTH),
      confidence: QUESTION.test(before.speaker)
        ? ANSWER_CONFIDENCE
        : CONFIRMED.test(reaction)
          ? CONFIRMED_CONFIDENCE
          : PLAIN_CONFIDENCE,
      source: `${before.text} ${text}`,
    };
  }
}

function turnsOf(lines: string[]): { speaker: string; text: string }[] {
  return lines.flatMap((line) => {
    const { speaker, text } = TURN.exec(line)?.groups ?? {};
    return speaker === undefined || text === undefined ? [] : [{ speaker: speaker.trim().toLowerCase(), text }];
  });
}

function isWish(sentence: string): boolean {
  return /^(?:have a|enjoy|take care|thank|feel free|let me know|call again)\b/i.test(sentence);
}
