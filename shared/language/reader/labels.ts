import * as z from "zod";
import { MENTION_ACTS } from "../../ports/fact-reader.ts";

/**
 * What the confidence of a mention is computed from: log odds of its four decisions and their product; whether it is in
 * the message before, has a subject, its length; how many mentions there are, of the same slot, and how sure the surest
 * other one is; whether the text asks or quotes something.
 */
export const SIGNS = [
  "inside",
  "slot",
  "act",
  "about",
  "all",
  "before",
  "subject",
  "length",
  "count",
  "same",
  "others",
  "asked",
  "quoting",
] as const;

/** What the outputs of a reading model mean, as its manifest says. */
export const Labels = z.strictObject({
  slots: z.array(z.string().regex(/^[a-z][a-z_]*$/)).min(1),
  acts: z
    .array(z.enum(MENTION_ACTS))
    .refine((acts) => acts.join() === MENTION_ACTS.join(), "must be all acts in order"),
  /**
   * A logistic model of whether a mention is right, fitted on voices that the network was not trained on: weights of its
   * signs, and what each slot and act adds.
   */
  confidence: z.strictObject({
    bias: z.number(),
    signs: z.record(z.enum(SIGNS), z.number()),
    slots: z.array(z.number()),
    acts: z.array(z.number()),
  }),
  /** Mentions that are less likely to be right are no facts. */
  least: z.number().min(0).max(1),
});

export type Labels = z.infer<typeof Labels>;
