import { expect } from "vitest";
import type { Job } from "../../../shared/jobs/job.ts";
import type { Context } from "../../../shared/platform/context.ts";
import { beginImport, importRows } from "../../../shared/transfers/import.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf, eventOf, expectFailedEvent, newCaller } from "./events.ts";
import { formerTransfer } from "./former-events.ts";

/** More than one transaction takes, and more than one batch. */
const ROWS = 60;
const CONTENTS = Array.from({ length: ROWS }, (_, place) => `Berth ${place} is free.`);

/** An import of whole memories of the caller. */
export function beginRows(caller: Context, contents: string[]): Promise<Job<"import">> {
  const whole = {
    user_id: caller.principal.id,
    entities: [{ name: "Berth", type: "place" }],
    facts: [],
    compression: { original_tokens: 5, compressed_tokens: 5, reduction_percentage: 0 },
  };
  return beginImport(
    caller,
    contents.map((content) => ({ content, ...whole })),
  );
}

export const importing: JobScenario<"import"> = {
  handlers: [importRows],
  begin: (stage) => beginRows(newCaller(stage), [...CONTENTS, " "]),
  former: formerTransfer,
  async expectDone(stage, job) {
    expect(await contentsOf(stage, job.submitted_by)).toEqual(CONTENTS.toSorted());
    expect(await eventOf(stage, job)).toMatchObject({
      status: "COMPLETED",
      progress: { total: ROWS + 1, done: ROWS, failed: 1 },
      errors: [{ index: ROWS, code: "VALIDATION_ERROR" }],
    });
  },
  expectFailed: expectFailedEvent,
};
