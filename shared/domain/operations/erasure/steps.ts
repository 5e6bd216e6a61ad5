import type { JobEnd, JobReached } from "../../../runtime/jobs/handler.ts";

/** The number of records that a step erased, and the next position; without one, the pass is over. */
export interface StepResult {
  erased: number;
  after?: string;
  /** How long to wait for other work that must end before the pass continues. */
  delayMs?: number;
}

/** A part of an erasure, with the delay before it. */
export interface Pass<Name extends string> {
  /** Shown by `GET /admin/jobs`. */
  name: Name;
  delayMs?: number;
}

/** The current pass, its position, and the number of erased records. */
export type ErasureCheckpoint = { pass: number; after?: string; erased: number };

type Outcome = Omit<JobReached<"erase_user" | "erase_organization">, "writes" | "commit"> | Pick<JobEnd<never>, "end">;

/** Time in which the change feed processes earlier writes. */
export const FEED_LAG_MS = 15_000;

/** Takes one step of an erasure's current pass. */
export async function takeStep<Name extends string>(
  passes: readonly Pass<Name>[],
  { pass, after: from, erased }: ErasureCheckpoint,
  step: (name: Name, after: string | undefined) => Promise<StepResult>,
): Promise<Outcome> {
  const current = passes[pass];
  if (!current) return { end: "completed" };
  const reached = await step(current.name, from === "" ? undefined : from);
  const { after, delayMs = after === undefined ? passes[pass + 1]?.delayMs : undefined } = reached;
  const position = after === undefined ? { pass: pass + 1 } : { pass, after };
  return { checkpoint: { ...position, erased: erased + reached.erased }, delayMs };
}
