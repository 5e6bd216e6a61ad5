import type { Expression, Reader, RuleContext } from "./expression.ts";
import { RULES_BY_NAME } from "./rules-by-name.ts";
import { COUNTED_RULES } from "./rules-counted.ts";
import { NUMERIC_RULES } from "./rules-numeric.ts";
import { RELATIVE_RULES } from "./rules-relative.ts";

const RULES = [...NUMERIC_RULES, ...RULES_BY_NAME, ...RELATIVE_RULES, ...COUNTED_RULES];

/** Returns the longest date that any rule finds at a position. */
export function readDate(reader: Reader, index: number, context: RuleContext): Expression | undefined {
  const token = reader.tokens[index];
  if (token === undefined) return undefined;
  const isNumeric = token.kind !== "word" && token.kind !== "mark";
  const isQuarter = token.lower.length === 2 && token.lower.startsWith("q");
  if (!isNumeric && !isQuarter && !reader.hasSenses(index)) return undefined;
  let best: Expression | undefined;
  for (const rule of RULES) {
    const found = rule(reader, index, context);
    if (found !== undefined && found.to > (best?.to ?? 0)) best = found;
  }
  return best;
}
