import { expect } from "vitest";
import { factsBackfill } from "../../../shared/domain/memory/fact-backfill.ts";
import { READ_FACTS_JOB } from "../../../shared/domain/memory/job-kinds.ts";
import { memoryKey } from "../../../shared/domain/memory/memory-keys.ts";
import { OPERATOR_ORG } from "../../../shared/runtime/access/operator.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

const MEMORIES = 3;

export const read_facts: JobScenario<"read_facts"> = {
  handlers: [factsBackfill],
  async begin({ runtime, org, key, request }: Stage) {
    const user_id = runtime.ids("test");
    for (let index = 0; index < MEMORIES; index++) {
      const body = { content: "I live in Lisbon.", user_id, options: { extract_facts: false } };
      const { id } = (await request("POST", "/memories", { key, body })).body.data;
      const remove = ["observations", "facts_format"];
      await runtime.ports.records.write({ update: memoryKey(org, id), remove, condition: "present" });
    }
    const job = newJob({ ...runtime, org: OPERATOR_ORG }, READ_FACTS_JOB, {
      input: { format: 1 },
      checkpoint: { checked: 0, read: 0 },
      submitted_by: user_id,
    });
    await runtime.ports.records.write(insertJob(job));
    expect((await request("GET", `/facts?user_id=${user_id}`, { key })).body.data.facts).toEqual([]);
    return job;
  },
  async expectDone({ key, request }, { submitted_by }) {
    const { body } = await request("GET", `/facts?user_id=${submitted_by}`, { key });
    const told = body.data.facts.map(({ value, status }: { value: string; status: string }) => [value, status]);
    expect(told).toEqual(Array.from({ length: MEMORIES }, () => ["Lisbon", "current"]));
    const memories = await request("GET", `/memories?user_id=${submitted_by}`, { key });
    for (const { version } of memories.body.data.memories) expect(version).toBe(1);
  },
};
