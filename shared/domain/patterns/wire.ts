import * as z from "zod";
import { describePattern } from "./describe.ts";
import { daysOf, PATTERN_TYPES } from "./pattern.ts";
import { PATTERN_STATES, stateOf } from "./read-patterns.ts";
import type { Pattern as StoredPattern } from "./records.ts";

/** A pattern as the API returns it. */
export const Pattern = z.object({
  id: z.string(),
  user_id: z.string(),
  type: z
    .enum(PATTERN_TYPES)
    .describe(
      "`count`: said on several days. `habit`: mostly on one day of the week. `series`: a quantity over time. `name`: a person, a project or another name that recurs. `observation`: what a language model states about several memories, with quotes.",
    ),
  derived: z.literal(true).describe("It was counted or observed in memories; nobody said it as a whole."),
  label: z
    .string()
    .describe("What recurs, in the user's words; the sentence of an observation.")
    .meta({ examples: ["flew + Lisbon"] }),
  text: z
    .string()
    .describe("The pattern in one line.")
    .meta({ examples: ["flew + Lisbon: stated on 4 days, 2 Mar 2026 to 8 Jul 2026"] }),
  days: z.int().describe("The number of days on which it was said."),
  confidence: z.number(),
  status: z.enum(PATTERN_STATES),
  evidence: z
    .array(
      z.object({
        memory_id: z.string(),
        day: z
          .string()
          .describe("When it was said or happened.")
          .meta({ examples: ["2026-03-02"] }),
        value: z
          .string()
          .optional()
          .describe("What it says in a series.")
          .meta({ examples: ["82 kg"] }),
        quote: z
          .string()
          .optional()
          .describe("The user's words that show an observation.")
          .meta({ examples: ["took the night train again"] }),
      }),
    )
    .describe("The latest memories that it rests on, oldest first: one per day, or all of an observation."),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});

/** The last time a language model observed a user, as the API returns it. */
export const Observed = z
  .object({
    at: z.string(),
    memories: z.int().describe("The number of memories that the model was shown."),
    provider: z.string(),
    model: z.string(),
    kept: z.int().describe("The number of observations that were stored."),
    dropped: z.int().describe("Without evidence in the memories, or declined before."),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number().describe("At the price in the settings of the deployment."),
    failure: z.string().optional().describe("Why there is no usable answer: the earlier observations stay."),
  })
  .describe("The last time a language model observed the user; missing without a model.");

export function presentPattern(pattern: StoredPattern): z.output<typeof Pattern> {
  const { id, user_id, type, label, confidence, evidence, created_at, updated_at, version } = pattern;
  const counted = { text: describePattern(pattern), days: daysOf(pattern), status: stateOf(pattern) };
  return { id, user_id, type, derived: true, label, ...counted, confidence, evidence, created_at, updated_at, version };
}
