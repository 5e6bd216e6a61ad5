import { expect } from "vitest";
import { ARCHIVE_PREFIX } from "../../../shared/backups/archives.ts";
import { backupHandler, newBackup } from "../../../shared/backups/make.ts";
import { findBackup, findLatest, insertBackup } from "../../../shared/backups/records.ts";
import type { Job } from "../../../shared/jobs/job.ts";
import { insertJob } from "../../../shared/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

async function archivesOf({ home }: Stage, { id }: Job): Promise<string[]> {
  const { blobs } = await home.ports.blobs.list({ prefix: `${ARCHIVE_PREFIX}${id}-`, limit: 10 });
  return blobs.map(({ key }) => key);
}

export const backup: JobScenario<"backup"> = {
  handlers: [backupHandler],
  async begin({ home }) {
    const wanted = {
      components: ["memories" as const],
      include_logs: false,
      compression_enabled: true,
      retention_days: 3,
    };
    const { backup, job } = newBackup(home, wanted, "ak_test");
    await home.ports.records.write(insertBackup(backup), insertJob(job));
    return job;
  },
  async expectDone(stage, job) {
    const { records } = stage.home.ports;
    const made = await findBackup(records, job.id);
    expect(made).toMatchObject({ status: "completed", progress: { blobs: 0 } });
    expect(await archivesOf(stage, job)).toEqual([made?.archive?.blob]);
    expect((await findLatest(records))?.id).toBe(job.id);
  },
  async expectFailed(stage, job) {
    const failed = await findBackup(stage.home.ports.records, job.id);
    expect(failed).toMatchObject({ status: "failed", error: expect.any(String) });
    expect(await archivesOf(stage, job)).toEqual([]);
  },
};
