import { expect } from "vitest";
import { ARCHIVE_PREFIX } from "../../../shared/domain/operations/backups/archives.ts";
import { backupHandler, newBackup } from "../../../shared/domain/operations/backups/make.ts";
import { findBackup, findLatest, insertBackup } from "../../../shared/domain/operations/backups/records.ts";
import type { Job } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

async function archivesOf({ runtime }: Stage, { id }: Job): Promise<string[]> {
  const { blobs } = await runtime.ports.blobs.list({ prefix: `${ARCHIVE_PREFIX}${id}-`, limit: 10 });
  return blobs.map(({ key }) => key);
}

export const backup: JobScenario<"backup"> = {
  handlers: [backupHandler],
  async begin({ runtime }) {
    const wanted = {
      components: ["memories" as const],
      include_logs: false,
      compression_enabled: true,
      retention_days: 3,
    };
    const { backup, job } = newBackup(runtime, wanted, "ak_test");
    await runtime.ports.records.write(insertBackup(backup), insertJob(job));
    return job;
  },
  async expectDone(stage, job) {
    const { records } = stage.runtime.ports;
    const made = await findBackup(records, job.id);
    expect(made).toMatchObject({ status: "completed", progress: { blobs: 0 } });
    expect(await archivesOf(stage, job)).toEqual([made?.archive?.blob]);
    expect((await findLatest(records))?.id).toBe(job.id);
  },
  async expectFailed(stage, job) {
    const failed = await findBackup(stage.runtime.ports.records, job.id);
    expect(failed).toMatchObject({ status: "failed", error: expect.any(String) });
    expect(await archivesOf(stage, job)).toEqual([]);
  },
};
