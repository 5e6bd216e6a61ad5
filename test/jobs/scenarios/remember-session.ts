import { expect } from "vitest";
import { newJob } from "../../../shared/jobs/job.ts";
import { insertJob } from "../../../shared/jobs/records.ts";
import { BEGINNING } from "../../../shared/memory/reading-place.ts";
import { rememberSession } from "../../../shared/sessions/remember.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf } from "./events.ts";

const TOWNS = ["Boston", "Lisbon"];

export const remember_session: JobScenario<"remember_session"> = {
  handlers: [rememberSession],
  async begin({ home, org, key, request }) {
    const user_id = home.ids("test");
    const given = { agent_id: "guide", user_id, config: { memory: "off" } };
    const session_id = (await request("POST", "/sessions", { key, body: given })).body.data.id;
    for (const town of TOWNS) {
      const body = { role: "user", content: `I lived in ${town} for years. I worked there as a nurse.` };
      await request("POST", `/sessions/${session_id}/messages`, { key, body });
    }
    const checkpoint = { position: 1, place: BEGINNING };
    const job = newJob({ ...home, org }, "remember_session", {
      input: { session_id },
      checkpoint,
      submitted_by: user_id,
    });
    await home.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone(stage, { submitted_by }) {
    const stored = await contentsOf(stage, submitted_by);
    for (const town of TOWNS) expect(stored.filter((content) => content.includes(town))).toHaveLength(1);
    expect(new Set(stored).size).toBe(stored.length);
  },
};
