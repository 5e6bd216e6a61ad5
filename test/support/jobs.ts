import { JOBS } from "../../functions/workers/sweep/jobs.ts";
import { SHARDS, unfinishedIn } from "../../shared/runtime/jobs/stored-form.ts";
import { expectEventually } from "../contract/eventually.ts";
import type { TestedService } from "./service.ts";

/** Waits until every job has ended, except those that collect new memories for minutes before they begin. */
export async function waitForJobs({ runtime }: Pick<TestedService, "runtime">): Promise<void> {
  const { records } = runtime.ports;
  const shards = JOBS.filter(({ kind }) => kind !== "find_patterns").flatMap(({ kind }) =>
    Array.from({ length: SHARDS }, (_, shard) => unfinishedIn(kind, shard)),
  );
  const left = async () => Promise.all(shards.map((pk) => records.count({ index: "gsi3", pk }, 1)));
  await expectEventually(async () => (await left()).some((count) => count > 0), false);
}
