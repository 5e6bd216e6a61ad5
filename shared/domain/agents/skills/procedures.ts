import { words } from "../../../kernel/text/text.ts";
import { loadTagger } from "../../../language/statements/tagging.ts";
import { findInDialogues } from "./procedures/dialogues.ts";
import { loadImperative } from "./procedures/imperative.ts";
import { findLabelled } from "./procedures/labelled.ts";
import { findForeignRules } from "./procedures/languages.ts";
import { findLists } from "./procedures/lists.ts";
import { findInNarratives } from "./procedures/narratives.ts";
import { findRules, MAX_PATTERNS, type Pattern } from "./procedures/patterns.ts";
import { findRepeatedCalls } from "./procedures/tool-calls.ts";

/** Maximum characters read per line. */
const MAX_LINE_LENGTH = 2_000;
const PARAGRAPH = /\n[^\S\n]*\n/;
/** Steps of an action that count for usefulness. */
const MAX_STEPS = 5;
/** Bonus per step after the first. */
const PER_STEP = 0.02;
const MAX_TRIGGER_LENGTH = 1_000;
const MAX_ACTION_LENGTH = 10_000;

/**
 * The procedures of a text, most useful first: rules in sentences of English and other languages, incident notes,
 * conversations in which something helped, lists of instructions under a heading, and repeated tool calls.
 */
export async function findProcedures(text: string): Promise<Pattern[]> {
  const [tag, imperative] = await Promise.all([loadTagger(), loadImperative()]);
  const lines = text.split("\n").filter((line) => line.length <= MAX_LINE_LENGTH);
  const paragraphs = text.split(PARAGRAPH).flatMap((paragraph) => paragraph.trim() || []);
  const all = [
    ...findRepeatedCalls(lines),
    ...findLists(lines, tag),
    ...findLabelled(lines, imperative),
    ...findInDialogues(lines, tag),
    ...findRules(text, tag),
    ...findForeignRules(text),
    ...findInNarratives(paragraphs, imperative),
  ];
  const found = new Map<string, Pattern>();
  for (const pattern of all) {
    if (pattern.trigger.length > MAX_TRIGGER_LENGTH || pattern.action.length > MAX_ACTION_LENGTH) continue;
    const key = keyOf(pattern);
    if ((found.get(key)?.confidence ?? 0) < pattern.confidence) found.set(key, pattern);
  }
  return [...found.values()].sort((a, b) => usefulness(b) - usefulness(a)).slice(0, MAX_PATTERNS);
}

/** Equal for procedures with the same words in trigger and action. */
function keyOf({ trigger, action }: Pattern): string {
  return JSON.stringify([trigger, action].map((text) => words(text).map(({ folded }) => folded)));
}

/** How clearly a procedure is stated, plus a bonus for its steps. */
function usefulness({ action, confidence }: Pattern): number {
  return confidence + PER_STEP * Math.min(MAX_STEPS, action.split("\n").length - 1);
}
