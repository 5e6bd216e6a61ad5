import { asLine } from "../../kernel/text/prompt-text.ts";
import { dayHeading } from "../../language/statements/recalled.ts";
import { mostCommonWeekday } from "./mine.ts";
import { daysOf, type FoundPattern } from "./pattern.ts";

const WEEKDAYS = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"];
/** Maximum values of a series in its line: the latest ones. */
const MAX_VALUES = 8;

/** Returns a pattern in one line that states no more than what was counted; of an observation, the model's sentence. */
export function describePattern({ type, label, evidence, earlier }: Omit<FoundPattern, "key">): string {
  const [first, last] = [evidence[0], evidence.at(-1)];
  if (first === undefined || last === undefined || type === "observation") return asLine(label);
  if (type === "series") {
    const values = evidence.slice(-MAX_VALUES).map(({ value = "", day }) => `${value} (${dayHeading(day)})`);
    return asLine(`${label}: ${values.join(", ")}`);
  }
  const days = daysOf({ evidence, earlier });
  const { weekday } = mostCommonWeekday(evidence.map(({ day }) => day));
  const mostly = type === "habit" ? `, mostly ${WEEKDAYS[weekday]}` : "";
  const verb = type === "name" ? "mentioned" : "stated";
  const since = earlier > 0 ? "" : `${dayHeading(first.day)} to `;
  return asLine(`${label}: ${verb} on ${days} days${mostly}, ${since}${dayHeading(last.day)}`);
}
