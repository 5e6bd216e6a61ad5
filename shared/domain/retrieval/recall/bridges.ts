import { type Word, words } from "../../../kernel/text/text.ts";
import type { Query } from "../../../language/questions/query.ts";
import { capitalizedIn } from "../ranking/names.ts";
import type { Line } from "./line.ts";

/** Maximum lines with a name; a more common name does not connect them. */
const MAX_LINES = 4;
/** Share of a line's worth that another line with a shared name gains, divided by the number of lines with the name. */
const BRIDGE_SHARE = 0.2;

/**
 * Returns, for a line, the other lines that share a name with it that the query does not have, with increased worth:
 * the answer to a question about "my sister's employer" is where the employer is named. A name is a word that is
 * capitalized within a sentence of any of the lines.
 */
export function bridgesAmong(lines: Line[], query: Query): (line: Line) => Line[] {
  const names = new Set(lines.flatMap(({ text }) => [...capitalizedIn(text)]));
  const namesIn = (read: readonly Word[]) => new Set(read.flatMap(({ folded }) => (names.has(folded) ? [folded] : [])));
  const queryNames = namesIn(query.words);
  const named = new Map(lines.map((line) => [line.id, namesIn(words(line.text))]));
  const linesByName = new Map<string, Line[]>();
  for (const line of lines) {
    for (const name of named.get(line.id) ?? [])
      if (!queryNames.has(name)) linesByName.set(name, [...(linesByName.get(name) ?? []), line]);
  }
  return (line) => {
    const minCounts = new Map<Line, number>();
    for (const name of named.get(line.id) ?? []) {
      const others = linesByName.get(name) ?? [];
      if (others.length > MAX_LINES) continue;
      for (const other of others) minCounts.set(other, Math.min(others.length, minCounts.get(other) ?? MAX_LINES));
    }
    return [...minCounts]
      .filter(([other]) => other.id !== line.id)
      .map(([other, count]) => ({ ...other, worth: other.worth + (BRIDGE_SHARE * line.worth) / count }));
  };
}
