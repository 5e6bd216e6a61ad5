import type * as z from "zod";

/** The output type of a schema, for input that it accepts. */
export type Input<Schema extends z.ZodType> = z.output<Schema>;
