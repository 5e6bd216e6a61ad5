import { excerpt, trimmedEnd } from "../../../../kernel/strings.ts";
import type { Tagger } from "../../../../language/statements/tagging.ts";
import { isInstruction, type Pattern } from "./patterns.ts";

const ITEM = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+(?<text>\S.*)$/;
const HEADING_MARK = /^\s*#{1,6}\s+/;
const OPENING =
  /^(?:how to|how do (?:i|we|you)|steps (?:to|for)|procedure (?:to|for)|checklist (?:to|for)|instructions (?:to|for)|to)\s+/i;
const MAX_HEADING_LENGTH = 120;
const MAX_ITEMS = 20;
const MIN_ITEMS = 2;
const MAX_ACTION_LENGTH = 4_000;
/** Minimum share of list items that are instructions. */
const MIN_SHARE = 0.6;
const CONFIDENCE = 0.8;

/** A heading, or a line with a final colon, with the list of instructions below it. */
export function* findLists(lines: string[], tag: Tagger): Generator<Pattern> {
  let heading: string | undefined;
  let items: string[] = [];
  for (const line of [...lines, ""]) {
    const item = ITEM.exec(line)?.groups?.text;
    if (item !== undefined) {
      items.push(item);
      continue;
    }
    if (items.length > 0) {
      yield* procedureOf(heading, items, tag);
      [heading, items] = [undefined, []];
    }
    if (line.trim() !== "") heading = headingIn(line);
  }
}

function headingIn(line: string): string | undefined {
  const isHeading = HEADING_MARK.test(line) || line.trimEnd().endsWith(":");
  if (!isHeading || line.length > MAX_HEADING_LENGTH) return undefined;
  return trimmedEnd(line.replace(HEADING_MARK, "").trim().replace(OPENING, ""), /[:?\s]/);
}

function* procedureOf(heading: string | undefined, items: string[], tag: Tagger): Generator<Pattern> {
  if (heading === undefined || heading === "" || items.length < MIN_ITEMS) return;
  const kept = items.slice(0, MAX_ITEMS);
  const instructions = kept.filter((item) => isInstruction(item, tag));
  if (instructions.length < MIN_SHARE * kept.length) return;
  const action = kept.map((item, index) => `${index + 1}. ${item}`).join("\n");
  yield {
    trigger: heading,
    action: action.length <= MAX_ACTION_LENGTH ? action : excerpt(action, MAX_ACTION_LENGTH),
    confidence: CONFIDENCE,
    source: `${heading}: ${items.length} steps`,
  };
}
