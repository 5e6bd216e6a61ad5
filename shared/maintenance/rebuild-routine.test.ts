import { expect, it, onTestFinished, vi } from "vitest";
import { openService } from "../../test/support/service.ts";
import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { isOver } from "../jobs/job.ts";
import { listJobs } from "../jobs/records.ts";
import { rebuildIndexIfDue } from "./rebuild-routine.ts";

const DAY_MS = 86_400_000;

it("builds the index anew once a day where that alone makes its vectors those of the embedder in use", async () => {
  let ahead = 0;
  const service = await openService({}, () => Date.now() + ahead);
  onTestFinished(() => service.close());
  const { home } = service;
  const { search } = home.ports;
  const vectorState = vi.spyOn(search, "vectorState");
  const isDue = (needsRebuild: boolean) =>
    vectorState.mockResolvedValue({
      embedder: "next",
      pending: 1,
      compared: needsRebuild ? "none" : "current",
      needsRebuild,
    });
  const syncs = async () =>
    (await listJobs(home.ports.records, OPERATOR_ORG, ["sync"], {}, { limit: 9, offset: 0 })).jobs;
  isDue(false);
  expect([await rebuildIndexIfDue(home), await syncs()]).toEqual([0, []]);
  isDue(true);
  const begun = await Promise.all([rebuildIndexIfDue(home), rebuildIndexIfDue(home)]);
  expect(begun.toSorted()).toEqual([0, 1]);
  await vi.waitFor(async () => expect((await syncs()).every(isOver)).toBe(true), { timeout: 20_000 });
  const [job] = await syncs();
  expect(job).toMatchObject({ state: "completed", input: { options: { full_sync: true } } });
  expect(await rebuildIndexIfDue(home)).toBe(0);
  ahead += DAY_MS + 1;
  expect(await rebuildIndexIfDue(home)).toBe(1);
});
