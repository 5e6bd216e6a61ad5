import { expect, it, onTestFinished, vi } from "vitest";
import { openService } from "../../../../test/support/service.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { isOver } from "../../../runtime/jobs/job.ts";
import { listJobs } from "../../../runtime/jobs/records.ts";
import { rebuildIndexIfDue } from "./rebuild-routine.ts";

it("builds the index anew once a day where that alone makes its vectors those of the embedder in use", async () => {
  let ahead = 0;
  const service = await openService({}, () => Date.now() + ahead);
  onTestFinished(() => service.close());
  const { runtime } = service;
  const { search } = runtime.ports;
  const vectorState = vi.spyOn(search, "vectorState");
  const isDue = (needsRebuild: boolean) =>
    vectorState.mockResolvedValue({
      embedder: "next",
      pending: 1,
      compared: needsRebuild ? "none" : "current",
      needsRebuild,
    });
  const syncs = async () =>
    (await listJobs(runtime.ports.records, OPERATOR_ORG, ["sync"], {}, { limit: 9, offset: 0 })).jobs;
  isDue(false);
  expect([await rebuildIndexIfDue(runtime), await syncs()]).toEqual([0, []]);
  isDue(true);
  const begun = await Promise.all([rebuildIndexIfDue(runtime), rebuildIndexIfDue(runtime)]);
  expect(begun.toSorted()).toEqual([0, 1]);
  await vi.waitFor(async () => expect((await syncs()).every(isOver)).toBe(true), { timeout: 20_000 });
  const [job] = await syncs();
  expect(job).toMatchObject({ state: "completed", input: { options: { full_sync: true } } });
  expect(await rebuildIndexIfDue(runtime)).toBe(0);
  ahead += DAY_MS + 1;
  expect(await rebuildIndexIfDue(runtime)).toBe(1);
});
