import { expect } from "vitest";
import { eraseOrganization } from "../../../shared/domain/operations/erasure/erase-organization.ts";
import { ERASE_ORGANIZATION_JOB } from "../../../shared/domain/operations/erasure/job-kinds.ts";
import { OPERATOR_ORG } from "../../../shared/runtime/access/operator.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario } from "../scenario.ts";

const OTHER = "org_erased";

export const erase_organization: JobScenario<"erase_organization"> = {
  handlers: [eraseOrganization],
  async begin({ runtime }) {
    const { records, blobs } = runtime.ports;
    const organization_id = `${OTHER}${runtime.ids("test")}`;
    for (const org of [organization_id, `${organization_id}0`]) {
      await records.write(
        { put: { pk: org, sk: "admins", kind: "admins" } },
        { put: { pk: `${org}#mem_1`, sk: "trace", kind: "trace" } },
        { put: { pk: `credential#${org}`, sk: "credential", kind: "credential", org } },
      );
      await blobs.put(`content/${org}/mem_1/a`, { bytes: Buffer.from("a"), contentType: "text/plain" });
    }
    const work = { input: { organization_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: "ak_1" };
    const job = newJob({ ...runtime, org: OPERATOR_ORG }, ERASE_ORGANIZATION_JOB, work);
    await records.write(insertJob(job));
    return job;
  },
  async expectDone({ runtime }, { input: { organization_id } }) {
    const { inventory, blobs } = runtime.ports;
    for (const [org, count] of [
      [organization_id, 0],
      [`${organization_id}0`, 3],
    ] as const) {
      const { items } = await inventory.list({ kinds: ["admins", "trace", "credential"], limit: 1000 });
      expect(items.filter(({ pk, org: owner }) => owner === org || pk.split("#")[0] === org)).toHaveLength(count);
      const { blobs: left } = await blobs.list({ prefix: `content/${org}/`, limit: 10 });
      expect(left).toHaveLength(Math.min(count, 1));
    }
  },
};
