import { expect } from "vitest";
import { newMemoryJob } from "../../../shared/domain/memory/jobs.ts";
import { memoryProcessing } from "../../../shared/domain/memory/pipeline.ts";
import { amendMemory, getMemory } from "../../../shared/domain/memory/revise.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario } from "../scenario.ts";

export const memory_processing: JobScenario<"memory_processing"> = {
  handlers: [memoryProcessing],
  async begin({ runtime, org, key, request }) {
    const body = { content: "Alice Johnson moved to Lisbon in March 2024.", metadata: { of: runtime.ids("test") } };
    const { id: memory_id } = (await request("POST", "/memories", { key, body })).body.data;
    const scope = { ...runtime, org, viewer: undefined };
    const job = newMemoryJob(scope, "ak_test", { memory_id, options: {} });
    const waiting = () => ({ facts: [], processing: { status: "queued" as const, job_id: job.id } });
    await amendMemory(scope, memory_id, waiting, () => [insertJob(job)]);
    return job;
  },
  former: ({ id, org, input, submitted_at }) => [
    {
      ...{ pk: `${org}#${id}`, sk: "job", kind: "job", id, org, memory_id: input.memory_id, priority: 2, options: {} },
      ...{ gsi1pk: `${org}#jobs`, gsi1sk: `processing#${submitted_at}#${id}` },
      ...{ gsi2pk: "pending-jobs#3", gsi2sk: `${submitted_at}#${id}` },
      ...{ state: "processing", attempts: 1, submitted_at, queued_at: submitted_at },
    },
  ],
  async expectDone({ runtime, org }, { id, input }) {
    const memory = await getMemory({ ...runtime, org, viewer: undefined }, input.memory_id);
    expect(memory).toMatchObject({ revision: 3, processing: { status: "done", job_id: id } });
    expect(memory.facts.length).toBeGreaterThan(0);
  },
  async expectFailed({ runtime, org }, { id, input }) {
    const { processing } = await getMemory({ ...runtime, org, viewer: undefined }, input.memory_id);
    expect(processing).toEqual({ status: "failed", job_id: id });
  },
};
