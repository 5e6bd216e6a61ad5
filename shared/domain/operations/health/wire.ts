import * as z from "zod";

const messages = z.int().nullable();

/** The API's form of a queue. */
export const QueueState = z
  .object({ name: z.string(), waiting: messages, in_flight: messages, delayed: messages, dead_letters: z.int() })
  .describe(
    "Approximate on AWS. For sources other than queues, such as the change feed, only dead letters are counted.",
  );
