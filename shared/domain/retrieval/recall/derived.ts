import { DERIVED_HEADING } from "../../../language/statements/recalled.ts";
import type { TokenCounter } from "../../compression/condensing/tokens.ts";
import { describePattern } from "../../patterns/describe.ts";
import type { Pattern } from "../../patterns/records.ts";

/** A pattern as a line of the block. */
export interface DerivedLine {
  label: string;
  pattern_id: string;
  text: string;
  confidence: number;
}

/** Maximum share of a block's tokens that patterns take. */
const MAX_SHARE = 0.1;

/** The patterns of a block, which follow its memories. */
export class DerivedPart {
  readonly #patterns: Pattern[];
  readonly #counter: TokenCounter;
  readonly tokens: number;

  /** Takes as many of the patterns as fit, best first. */
  constructor(patterns: Pattern[], maxTokens: number, counter: TokenCounter) {
    this.#counter = counter;
    const tokensOf = (count: number) => counter.count(`\n${textOf(linesOf(patterns.slice(0, count), LAST_LABEL))}\n`);
    let count = patterns.length;
    while (count > 0 && tokensOf(count) > MAX_SHARE * maxTokens) count--;
    this.#patterns = patterns.slice(0, count);
    this.tokens = count === 0 ? 0 : tokensOf(count);
  }

  /** Returns the block with the patterns after its memories. */
  appendTo({ context, tokens, lines }: { context: string; tokens: number; lines: unknown[] }) {
    if (this.#patterns.length === 0) return { context, tokens, derived: [] };
    const derived = linesOf(this.#patterns, lines.length);
    const whole = context === "" ? textOf(derived) : `${context}\n${textOf(derived)}`;
    return { context: whole, tokens: this.#counter.count(whole), derived };
  }
}

/** A label as long as labels become. */
const LAST_LABEL = 998;

function linesOf(patterns: Pattern[], before: number): DerivedLine[] {
  return patterns.map((pattern, index) => ({
    label: `[${before + index + 1}]`,
    pattern_id: pattern.id,
    text: describePattern(pattern),
    confidence: pattern.confidence,
  }));
}

function textOf(lines: DerivedLine[]): string {
  return [DERIVED_HEADING, ...lines.map(({ label, text }) => `${label} ${text}`)].join("\n");
}
