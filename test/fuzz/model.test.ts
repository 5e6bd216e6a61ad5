/**
 * Generated sequences of requests about memories, keys and webhooks; a model of the three tells what each must answer.
 * FUZZ_RUNS and FUZZ_SEED make a longer or another run; a failure prints the seed and the shortest sequence that fails.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startReceiver } from "../fixtures/webhook-receiver.ts";
import { eventually, openTarget, type Target } from "../support/target.ts";
import { AT_ONCE, COMMAND, CREATION, Model, type Real, runAtOnce, tellings } from "./model.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? 15);
/** Of one sequence on a busy machine. */
const SLOWEST_MS = 10_000;
const MAX_SEQUENCE_LENGTH = 100;
/** The same sequences each time unless another seed is asked for. */
const PARAMETERS = { numRuns: RUNS, seed: Number(process.env.FUZZ_SEED ?? 1) };

let target: Target;

beforeAll(async () => {
  target = await openTarget({ ALLOW_PRIVATE_TARGETS: "1" });
});
afterAll(() => target.close());

/** Runs in an organization of its own, and closes when its webhooks have told what they should. */
async function inNewOrganization(run: (model: Model, real: Real) => Promise<void>): Promise<void> {
  const receiver = await startReceiver();
  try {
    const [model, real] = [new Model(), { admin: await target.organization(), receiver }];
    await run(model, real);
    await eventually(async () => {
      expect(tellings(model, real).filter(({ told, least }) => told < least)).toEqual([]);
    });
    expect(tellings(model, real).filter(({ told, most }) => told > most)).toEqual([]);
  } finally {
    await receiver.close();
  }
}

describe("memories, keys and webhooks", () => {
  it(
    "do what a model of them does, one request after the other",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands([COMMAND], { maxCommands: MAX_SEQUENCE_LENGTH, size: "max" }), (commands) =>
          inNewOrganization((model, real) => fc.asyncModelRun(() => ({ model, real }), commands)),
        ),
        PARAMETERS,
      );
    },
    RUNS * SLOWEST_MS,
  );

  it(
    "answer requests that are in flight at once as they would one after the other",
    async () => {
      await fc.assert(
        fc.asyncProperty(CREATION, fc.array(AT_ONCE, { minLength: 1, maxLength: 4 }), (create, rounds) =>
          inNewOrganization(async (model, real) => {
            await create.run(model, real);
            let now = model;
            for (const commands of rounds) now = await runAtOnce(commands, now, real);
          }),
        ),
        PARAMETERS,
      );
    },
    RUNS * SLOWEST_MS,
  );
});
