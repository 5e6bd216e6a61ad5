import { sentenceCase } from "../../../../kernel/strings.ts";
import type { LanguagePack, RuleWords } from "../../../../language/languages/pack.ts";
import { PACKS } from "../../../../language/languages/packs.ts";
import { type Pattern, sentencesOf } from "./patterns.ts";

const CONFIDENCE = 0.75;
/** Confidence if the action is a statement, not an instruction. */
const STATED_CONFIDENCE = 0.4;

/** After a word: a space, or its final apostrophe. */
const BOUNDARY = "(?:\\s|(?<=['’]))";

/** Returns patterns of rules that begin with a conjunction, or with a preposition and, later, a comma or "please". */
function patternsOf({ conjunctions, consequents, prepositions, please }: RuleWords): RegExp[] {
  return [
    new RegExp(
      `^(?:${conjunctions})${BOUNDARY}(?<trigger>\\S.*?),\\s*(?:(?:${consequents})\\s+)?(?<action>\\S.*)$`,
      "iu",
    ),
    new RegExp(
      `^(?:${prepositions})${BOUNDARY}(?<trigger>[^,]+?)(?:,\\s*|\\s+(?=(?:${please})\\s))(?<action>\\S.*)$`,
      "iu",
    ),
  ];
}

/** Matches one of the words anywhere. */
const word = (alternatives: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");
/** Matches one of the words at the start. */
const opening = (alternatives: string): RegExp => new RegExp(`^(?:${alternatives})(?![\\p{L}\\p{N}])`, "iu");

const LANGUAGES = Object.values(PACKS).flatMap(({ rules }: LanguagePack) => {
  if (rules === undefined) return [];
  if ("pattern" in rules) return [{ ...rules, patterns: [rules.pattern] }];
  return [{ patterns: patternsOf(rules), personal: word(rules.personal), stated: opening(rules.stated) }];
});

/** The rules in sentences of other languages than English. */
export function findForeignRules(text: string): Pattern[] {
  return [...sentencesOf(text)].flatMap((sentence) => readForeign(sentence) ?? []);
}

/**
 * Returns the rule in a sentence. Languages share conjunctions ("si", "se"), so a sentence may match several of them:
 * if it is personal in one, it is no rule.
 */
function readForeign(sentence: string): Pattern | undefined {
  const readings = LANGUAGES.flatMap(({ patterns, ...language }) => {
    const groups = patterns.map((pattern) => pattern.exec(sentence)?.groups).find((found) => found !== undefined);
    return groups === undefined ? [] : [{ ...language, trigger: groups.trigger ?? "", action: groups.action ?? "" }];
  });
  const [first] = readings;
  if (first === undefined || readings.some(({ personal }) => personal.test(sentence))) return undefined;
  const { trigger, action } = first;
  const isStated = readings.some(({ stated }) => stated.test(action));
  return {
    trigger,
    action: sentenceCase(action),
    confidence: isStated ? STATED_CONFIDENCE : CONFIDENCE,
    source: sentence,
  };
}
