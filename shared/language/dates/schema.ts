import * as z from "zod";

const MAX_VALUE = 64;
const MAX_TEXT = 500;

function annotationOf(offset: z.ZodNumber, value: z.ZodString, text: z.ZodString) {
  return z
    .object({
      start: offset.describe("Offset of the first character of the words in the text."),
      end: offset.describe("Offset after their last character."),
      text,
      value: value.describe(
        "ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y lasts.",
      ),
      end_value: value.optional().describe("The last day, month or year of a range."),
      precision: z.enum(["year", "season", "month", "week", "day", "hour", "minute", "range"]),
      direction: z
        .enum(["past", "future", "unknown"])
        .describe("Direction of the date from the time of the statement."),
      kind: z.enum(["point", "range", "recurring", "duration"]),
      approximate: z.boolean().optional().describe("Whether the text gives only an approximate date."),
    })
    .describe("A date that the text names, resolved.");
}

/** A date found in a text, which stays unchanged. */
export const DateAnnotation = annotationOf(z.int(), z.string(), z.string());
export type DateAnnotation = z.infer<typeof DateAnnotation>;

/** The same, as input. */
export const GivenDateAnnotation = annotationOf(
  z.int().min(0),
  z.string().min(1).max(MAX_VALUE),
  z.string().max(MAX_TEXT),
);
