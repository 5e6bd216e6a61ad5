import { words } from "../retrieval/text.ts";
import type { Line } from "./line.ts";
import { capitalizedIn } from "./names.ts";

/** A name in more lines than this leads nowhere. */
const MAX_HOLDING = 4;
/** Share of a line's worth that goes to another which alone has a name in common with it. */
const BRIDGE_SHARE = 0.2;

/**
 * For a line, the others that name somebody or something that it names and the query does not, worth more by it: what a
 * question asks of "my sister's employer" is said where the employer is named. A name is a word that stands with a
 * capital inside a sentence of any of the lines.
 */
export function bridgesAmong(lines: Line[], query: string): (line: Line) => Line[] {
  const names = new Set(lines.flatMap(({ text }) => [...capitalizedIn(text)]));
  const namesOf = (text: string) => new Set(words(text).flatMap(({ folded }) => (names.has(folded) ? [folded] : [])));
  const asked = namesOf(query);
  const named = new Map(lines.map((line) => [line.id, namesOf(line.text)]));
  const holding = new Map<string, Line[]>();
  for (const line of lines) {
    for (const name of named.get(line.id) ?? [])
      if (!asked.has(name)) holding.set(name, [...(holding.get(name) ?? []), line]);
  }
  return (line) => {
    const fewest = new Map<Line, number>();
    for (const name of named.get(line.id) ?? []) {
      const others = holding.get(name) ?? [];
      if (others.length > MAX_HOLDING) continue;
      for (const other of others) fewest.set(other, Math.min(others.length, fewest.get(other) ?? MAX_HOLDING));
    }
    return [...fewest]
      .filter(([other]) => other.id !== line.id)
      .map(([other, count]) => ({ ...other, worth: other.worth + (BRIDGE_SHARE * line.worth) / count }));
  };
}
