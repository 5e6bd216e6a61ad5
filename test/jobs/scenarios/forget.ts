import { expect } from "vitest";
import { deleteByNames, submitDeletion } from "../../../shared/domain/integration/compat/forget.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf, eventOf, expectFailedEvent, jobOf, newCaller } from "./events.ts";
import { formerRequest } from "./former-events.ts";

export const forget: JobScenario<"forget"> = {
  handlers: [deleteByNames],
  async begin(stage) {
    const caller = newCaller(stage);
    const user_id = caller.principal.id;
    for (const content of ["Ada drinks tea.", "Ada lives in Lisbon."]) {
      await stage.request("POST", "/memories", { key: stage.key, body: { content, user_id } });
    }
    const { id } = await submitDeletion(caller, { user_id });
    return jobOf(stage, id, "forget");
  },
  former: (job) => [formerRequest(job, { delete: { user_id: job.submitted_by } })],
  async expectDone(stage, job) {
    expect(await contentsOf(stage, job.input.names.user_id ?? "")).toEqual([]);
    const { status, progress } = await eventOf(stage, job);
    expect(status).toBe("COMPLETED");
    expect(progress?.done).toBeLessThanOrEqual(2);
  },
  expectFailed: expectFailedEvent,
};
