import { expect } from "vitest";
import { SCAN_SECRETS_JOB } from "../../../shared/domain/memory/job-kinds.ts";
import { scanSecrets } from "../../../shared/domain/memory/scan-secrets.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

export const scan_secrets: JobScenario<"scan_secrets"> = {
  handlers: [scanSecrets],
  async begin({ runtime, org, key, request }: Stage) {
    const project = `/api/v1/orgs/organizations/${org}/projects/default`;
    const set = (secrets_policy: string) => request("PATCH", project, { key, body: { secrets_policy } });
    await set("store");
    const body = { content: "The wifi password is mango-kayak-42.", user_id: "ada" };
    expect((await request("POST", "/memories", { key, body })).status).toBe(201);
    await set("redact");
    const work = { input: { dry_run: false }, checkpoint: { checked: 0, changed: 0, found: {} }, submitted_by: org };
    const job = newJob({ ...runtime, org }, SCAN_SECRETS_JOB, work);
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone({ key, request }) {
    const { body } = await request("GET", "/memories?user_id=ada", { key });
    const contents = body.data.memories.map(({ content }: { content: string }) => content);
    expect(contents).toContain("The wifi password is [REDACTED:password].");
    expect(contents.join()).not.toContain("mango");
  },
};
