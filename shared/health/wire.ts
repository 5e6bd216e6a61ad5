import * as z from "zod";

const messages = z.int().nullable();

/** What the API tells of a queue. */
export const QueueState = z
  .object({ name: z.string(), waiting: messages, in_flight: messages, delayed: messages, dead_letters: z.int() })
  .describe("Approximate on AWS. Of what is no queue, such as the change feed, only the dead letters are told.");
