import { expect } from "vitest";
import { memoryKey } from "../../../shared/domain/memory/memory-keys.ts";
import { OWNERSHIP_TRANSFER_JOB } from "../../../shared/domain/operations/offboarding/job-kinds.ts";
import { ownershipTransfer } from "../../../shared/domain/operations/offboarding/ownership.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import { signInUser } from "../../support/users.ts";
import type { JobScenario, Stage } from "../scenario.ts";

const MEMORIES = 3;

async function memoriesOf({ request, key }: Stage, user_id: string): Promise<string[]> {
  const { body } = await request("GET", `/memories?user_id=${user_id}&limit=100`, { key });
  return body.data.memories.map(({ id }: { id: string }) => id);
}

export const ownership_transfer: JobScenario<"ownership_transfer"> = {
  handlers: [ownershipTransfer],
  async begin(stage) {
    const { runtime, org, request, key } = stage;
    const { user: successor } = await signInUser(stage, { org, role: "user" });
    const from = runtime.ids("user");
    for (let place = 0; place < MEMORIES; place++) {
      await request("POST", "/memories", { key, body: { content: `Ada drinks tea ${place}.`, user_id: from } });
    }
    const job = newJob({ ...runtime, org }, OWNERSHIP_TRANSFER_JOB, {
      input: { from, to: successor.id },
      checkpoint: { look: 1, place: 0, handed_on: 0 },
      submitted_by: "ak_test",
    });
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  former: ({ id, org, input: { from, to }, submitted_at: at }) => [
    {
      ...{
        pk: `${org}#${id}`,
        sk: "hand_over",
        kind: "hand_over",
        gsi1pk: "running-hand-overs",
        gsi1sk: `${at}#${id}`,
      },
      ...{
        id,
        org,
        from,
        to,
        state: "running",
        look: 1,
        place: 1,
        due_at: at,
        begun_at: at,
        handed_on: 0,
        revision: 2,
      },
    },
  ],
  async expectDone(stage, { input: { from, to = "" } }) {
    const { runtime, org } = stage;
    expect(await memoriesOf(stage, from)).toEqual([]);
    const ids = await memoriesOf(stage, to);
    expect(ids).toHaveLength(MEMORIES);
    const records = await runtime.ports.records.getMany(ids.map((id) => memoryKey(org, id)));
    expect(records.map(({ revision }) => revision)).toEqual(ids.map(() => 2));
  },
};
