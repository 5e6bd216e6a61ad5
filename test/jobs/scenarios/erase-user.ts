import { expect } from "vitest";
import { eraseUser } from "../../../shared/domain/operations/erasure/erase-user.ts";
import { ERASE_USER_JOB } from "../../../shared/domain/operations/erasure/job-kinds.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf } from "./events.ts";

const NOBODYS = "erased-";

export const erase_user: JobScenario<"erase_user"> = {
  handlers: [eraseUser],
  async begin({ runtime, org, key, request }) {
    const user_id = runtime.ids("test");
    for (const about of [user_id, NOBODYS + user_id]) {
      const memory = { content: "I live in Lisbon.", user_id: about };
      await request("POST", "/memories", { key, body: memory });
      const session = { agent_id: "guide", user_id: about, config: { memory: "off" } };
      const { id } = (await request("POST", "/sessions", { key, body: session })).body.data;
      await request("POST", `/sessions/${id}/messages`, { key, body: { role: "user", content: "I sail." } });
    }
    const work = { input: { user_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: user_id };
    const job = newJob({ ...runtime, org }, ERASE_USER_JOB, work);
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone(stage, { submitted_by }) {
    const { key, request } = stage;
    for (const [user_id, count] of [
      [submitted_by, 0],
      [NOBODYS + submitted_by, 1],
    ] as const) {
      expect(await contentsOf(stage, user_id)).toHaveLength(count);
      const { body } = await request("GET", `/sessions?user_id=${user_id}`, { key });
      expect(body.data.sessions).toHaveLength(count);
    }
  },
};
