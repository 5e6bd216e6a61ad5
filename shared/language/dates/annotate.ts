import { type Language, languageOf, languageOfPart } from "../languages/detect.ts";
import type { Anchor } from "./calendar.ts";
import { type ClockFound, readClock } from "./clock.ts";
import { combineDates } from "./combine.ts";
import { type DatedLine, linesOf } from "./dated-text.ts";
import { type Expression, Reader } from "./expression.ts";
import { readDate } from "./grammar.ts";
import { lexiconOf, sensesOf } from "./lexicon.ts";
import type { Preference } from "./resolve.ts";
import { Resolver } from "./resolver.ts";
import { writesDayFirst } from "./runs.ts";
import type { DateAnnotation } from "./schema.ts";

export type { Anchor } from "./calendar.ts";
export type { DateAnnotation } from "./schema.ts";

/**
 * Returns the dates of a text in order, without overlaps, in linear time. Reads each line in its own language, or in the
 * text's language if that is unknown. Without an anchor, only dates with a year are found. `unstated` chooses between
 * several matching dates if neither tense nor preposition does.
 */
export function annotateDates(
  text: string,
  anchor: Anchor | undefined,
  language = languageOf(text),
  unstated?: Preference,
): DateAnnotation[] {
  return annotateLines(text, linesOf(text), anchor, language, unstated);
}

/** The same for lines that were tokenized already. */
export function annotateLines(
  text: string,
  lines: readonly DatedLine[],
  anchor: Anchor | undefined,
  language: Language,
  unstated?: Preference,
): DateAnnotation[] {
  const resolver = new Resolver(anchor, unstated);
  let dayFirst: boolean | undefined;
  const annotations: DateAnnotation[] = [];
  let offset = 0;
  for (const { text: line, tokens } of lines) {
    const lexicon = lexiconOf(languageOfPart(line, language));
    const reader = new Reader(tokens, sensesOf(tokens, lexicon), lexicon);
    if (tokens.some(({ kind }) => kind === "run")) dayFirst ??= writesDayFirst(text, lexicon, anchor?.zone);
    const found = expressionsOf(reader, { dayFirst: dayFirst ?? true, hasContext: resolver.hasContext });
    for (const annotation of resolver.annotate(reader, line, combineDates(reader, found))) {
      annotations.push({ ...annotation, start: annotation.start + offset, end: annotation.end + offset });
    }
    offset += line.length + 1;
  }
  return annotations;
}

/** Returns the dates and times of a line, in order. */
function expressionsOf(
  reader: Reader,
  { dayFirst, hasContext }: { dayFirst: boolean; hasContext: boolean },
): (Expression | ClockFound)[] {
  const found: (Expression | ClockFound)[] = [];
  let previousEnd: number | undefined = hasContext ? 0 : undefined;
  for (let index = 0; index < reader.tokens.length; ) {
    const name = reader.sense(index, "noDate");
    if (name !== undefined) {
      index += name.length;
      continue;
    }
    const date = readDate(reader, index, { dayFirst, previousEnd });
    const clock = readClock(reader, index);
    const best = clock !== undefined && clock.to > (date?.to ?? 0) ? clock : date;
    if (best !== undefined) found.push(best);
    if (best === date && date !== undefined) previousEnd = date.to;
    index = best?.to ?? index + 1;
  }
  return found;
}
