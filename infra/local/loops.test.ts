import { expect, it, onTestFinished } from "vitest";
import { openLocalPlatform } from "../../shared/adapters/local/platform.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";
import { loopFor } from "./loops.ts";

const JOB = { org: "org_1", id: "job_1" };

it("prevents schedules from sending quarantined messages again, and no others", async () => {
  const platform = await openLocalPlatform({
    dataDir: temporaryFolder(),
    clock: Date.now,
    logger: silentLogger,
    streams: [],
    logRetentionDays: 1,
    queues: [{ name: "jobs", maxReceives: 2, visibilitySeconds: 30 }],
    baseUrl: () => "",
  });
  onTestFinished(() => platform.close());
  const { queue } = platform;
  await queue.send("jobs", [{ body: JOB }]);
  queue.receive("jobs", 1);
  queue.quarantineInterrupted();
  const runtime = { clock: Date.now, logger: silentLogger, ports: { queue } } as unknown as Runtime;
  const entry = {
    worker: {
      name: "sweep",
      source: { schedule: { everyMinutes: 1 } },
      capabilities: [],
      memoryMb: 128,
      timeoutSeconds: 30,
    },
    bind:
      ({ ports }: Runtime) =>
      async () => {
        await ports.queue.send("jobs", [{ body: JOB }, { body: { ...JOB, id: "job_2" } }]);
      },
  };
  await loopFor(entry, runtime, platform).drain();
  expect(queue.receive("jobs", 10).map(({ body }) => JSON.parse(body).id)).toEqual(["job_2"]);
  expect(await queue.quarantined()).toMatchObject([{ body: JOB }]);
  await queue.send("jobs", [{ body: JOB }]);
  expect(await queue.quarantined()).toEqual([]);
});
