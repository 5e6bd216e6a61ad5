import { compareTexts } from "../../../kernel/strings.ts";
import type { TokenCounter } from "../../compression/condensing/tokens.ts";
import type { Line } from "./line.ts";

/** A line of the block, with the label that cites it. */
export interface LabelledLine extends Line {
  label: string;
}

export interface Block {
  context: string;
  /** In the order of the block. */
  lines: LabelledLine[];
  tokens: number;
}

/**
 * Renders the chosen lines as a block: instructions first, then oldest first, grouped by day. The tokens of lines do
 * not add up exactly, so the last chosen lines are dropped until the block fits.
 */
export function render(chosen: Line[], maxTokens: number, counter: TokenCounter): Block {
  for (let kept = chosen; ; kept = kept.slice(0, -1)) {
    const lines = kept
      .toSorted((one, other) => one.order - other.order || compareTexts(one.id, other.id))
      .map((line, index) => ({ ...line, label: `[${index + 1}]` }));
    const context = textOf(lines);
    const tokens = counter.count(context);
    if (tokens <= maxTokens || kept.length === 0) return { context, lines, tokens };
  }
}

function textOf(lines: LabelledLine[]): string {
  return lines
    .flatMap(({ heading, label, text }, index) => [
      ...(heading === lines[index - 1]?.heading ? [] : [heading]),
      `${label} ${text}`,
    ])
    .join("\n");
}
