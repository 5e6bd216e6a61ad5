import { expect } from "vitest";
import { BEGINNING } from "../../../shared/domain/memory/conversation-steps.ts";
import { REMEMBER_SESSION_JOB } from "../../../shared/domain/sessions/job-kinds.ts";
import { rememberSession } from "../../../shared/domain/sessions/remember.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf } from "./events.ts";

const TOWNS = ["Boston", "Lisbon"];

export const remember_session: JobScenario<"remember_session"> = {
  handlers: [rememberSession],
  async begin({ runtime, org, key, request }) {
    const user_id = runtime.ids("test");
    const given = { agent_id: "guide", user_id, config: { memory: "off" } };
    const session_id = (await request("POST", "/sessions", { key, body: given })).body.data.id;
    for (const town of TOWNS) {
      const body = { role: "user", content: `I lived in ${town} for years. I worked there as a nurse.` };
      await request("POST", `/sessions/${session_id}/messages`, { key, body });
    }
    const checkpoint = { position: 1, place: BEGINNING };
    const job = newJob({ ...runtime, org }, REMEMBER_SESSION_JOB, {
      input: { session_id },
      checkpoint,
      submitted_by: user_id,
    });
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone(stage, { submitted_by }) {
    const stored = await contentsOf(stage, submitted_by);
    for (const town of TOWNS) expect(stored.filter((content) => content.includes(town))).toHaveLength(1);
    expect(new Set(stored).size).toBe(stored.length);
  },
};
