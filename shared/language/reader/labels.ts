import * as z from "zod";
import { MENTION_ACTS } from "../../ports/fact-reader.ts";

/** What the outputs of a reading model mean, as its manifest says. */
export const Labels = z.strictObject({
  slots: z.array(z.string().regex(/^[a-z][a-z_]*$/)).min(1),
  acts: z
    .array(z.enum(MENTION_ACTS))
    .refine((acts) => acts.join() === MENTION_ACTS.join(), "must be all acts in order"),
  /**
   * A logistic model of whether a mention is right, fitted on voices that the network was not trained on: weights of the log
   * odds of its four decisions, and what each slot and act adds.
   */
  confidence: z.strictObject({
    bias: z.number(),
    decisions: z.strictObject({ inside: z.number(), slot: z.number(), act: z.number(), about: z.number() }),
    slots: z.array(z.number()),
    acts: z.array(z.number()),
  }),
  /** Mentions that are less likely to be right are left out. */
  least: z.number().min(0).max(1),
});

export type Labels = z.infer<typeof Labels>;
