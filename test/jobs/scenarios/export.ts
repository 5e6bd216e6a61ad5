import { expect } from "vitest";
import { beginExport, exportMemories } from "../../../shared/domain/integration/transfers/export.ts";
import { importRows } from "../../../shared/domain/integration/transfers/import.ts";
import { messageOf } from "../../../shared/runtime/jobs/queue.ts";
import { runJob } from "../../../shared/runtime/jobs/run.ts";
import type { JobScenario, Stage } from "../scenario.ts";
import { eventOf, expectFailedEvent, newCaller } from "./events.ts";
import { formerTransfer } from "./former-events.ts";
import { beginRows } from "./import.ts";

/** More than one page. */
const CONTENTS = Array.from({ length: 150 }, (_, index) => `Berth ${index} is free.`);
const TURN_MS = 60_000;

/** The user whose memories all exports of a stage write. */
const exported = new WeakMap<Stage, Promise<string>>();

/** Stores memories; answers the user whose they are. */
async function storeMemories(stage: Stage): Promise<string> {
  const caller = newCaller(stage);
  await runJob(stage.runtime, [importRows], messageOf(await beginRows(caller, CONTENTS)), TURN_MS);
  return caller.principal.id;
}

export const exporting: JobScenario<"export"> = {
  handlers: [exportMemories],
  async begin(stage) {
    const user = exported.get(stage) ?? storeMemories(stage);
    exported.set(stage, user);
    return beginExport(newCaller(stage), { filter: { user_id: await user } });
  },
  former: formerTransfer,
  async expectDone(stage, job) {
    const { files, written } = job.checkpoint;
    const contents: string[] = [];
    for (const { blob } of files) {
      const file = await stage.runtime.ports.blobs.get(blob);
      const { memories } = JSON.parse(Buffer.from(file?.bytes ?? []).toString("utf8"));
      contents.push(...memories.map(({ content }: { content: string }) => content));
    }
    expect(contents.sort()).toEqual(CONTENTS.toSorted());
    const total = CONTENTS.length;
    expect([written, await eventOf(stage, job)]).toMatchObject([
      total,
      { status: "COMPLETED", progress: { total, done: total, failed: 0 } },
    ]);
  },
  expectFailed: expectFailedEvent,
};
