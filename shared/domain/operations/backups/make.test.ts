import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { movableClock } from "../../../../test/contract/movable-clock.ts";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { replaced } from "../../../../test/support/replaced.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { BACKUP_QUEUE } from "../../../ports/queues.ts";
import type { RecordSnapshot } from "../../../ports/record-inventory.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { ARCHIVE_PREFIX, expireBackups } from "./archives.ts";
import { backupHandler, newBackup } from "./make.ts";
import { type Backup, findBackup, findLatest, insertBackup, listBackups, removeBackup } from "./records.ts";

/** Longer than a lease. */
const LAPSE_MS = 5 * 60_000;

const time = movableClock();
let runtime: Runtime;

beforeEach(async () => {
  ({ runtime } = await openIdleRuntime({ clock: time.now, queues: [BACKUP_QUEUE] }));
});

async function ask(more: Partial<Backup> = {}): Promise<string> {
  const wanted = {
    components: ["memories" as const, "users" as const, "config" as const, "blobs" as const],
    include_logs: false,
    compression_enabled: true,
    retention_days: 3,
    ...more,
  };
  const { backup, job } = newBackup(runtime, wanted, "user_1");
  await runtime.ports.records.write(insertBackup(backup), insertJob(job));
  return job.id;
}

const make = (by: Runtime, id: string) => runJob(by, [backupHandler], { org: OPERATOR_ORG, job: id }, 0);
const read = async (id: string) => (await findBackup(runtime.ports.records, id)) as Backup;
const archives = async () => {
  const { blobs } = await runtime.ports.blobs.list({ prefix: ARCHIVE_PREFIX, limit: 100 });
  return blobs.map(({ key }) => key);
};

/** Returns a runtime whose blob store runs `how` after each part of a write. */
function breaking(how: () => Promise<void>): Runtime {
  const { blobs } = runtime.ports;
  const write: typeof blobs.write = (key, { contentType, parts }) =>
    blobs.write(key, {
      contentType,
      parts: (async function* () {
        for await (const part of parts) {
          yield part;
          await how();
        }
      })(),
    });
  return { ...runtime, ports: { ...runtime.ports, blobs: replaced(blobs, { write }) } };
}

describe("a backup", () => {
  it("that was interrupted is never the latest", async () => {
    const earlier = await ask();
    await make(runtime, earlier);
    const kept = await archives();
    const id = await ask();
    const broken = breaking(async () => {
      throw new Error("the disk is away");
    });
    await make(broken, id);
    expect(await read(id)).toMatchObject({ status: "queued", error: "the disk is away" });
    expect((await findLatest(runtime.ports.records))?.id).toBe(earlier);
    expect(await archives()).toEqual(kept);
  });

  it("that is deleted while it is made leaves nothing", async () => {
    const id = await ask();
    const removing = breaking(() => runtime.ports.records.write(removeBackup({ id })));
    await make(removing, id);
    expect(await findBackup(runtime.ports.records, id)).toBeUndefined();
    expect(await archives()).toEqual([]);
  });

  it("that another worker took over does not change that worker's archive and record", async () => {
    const id = await ask();
    let isTaken = false;
    const slow = breaking(async () => {
      if (isTaken) return;
      isTaken = true;
      time.advance(LAPSE_MS);
      await make(runtime, id);
    });
    await make(slow, id);
    expect(await read(id)).toMatchObject({ status: "completed" });
    const archive = (await read(id)).archive?.blob ?? "";
    expect(await archives()).toEqual([archive]);
    const blob = await runtime.ports.blobs.get(archive);
    expect(gunzipSync(blob?.bytes ?? "").toString()).toContain('"manifest"');
  });

  it("keeps its lease while its worker reads records, even if none of them is archived", async () => {
    for (let index = 0; index < 3; index++) {
      await runtime.ports.records.write({ put: { pk: `org_1#mem_${index}`, sk: "memory", kind: "memory" } });
    }
    const id = await ask({ components: ["sessions"] });
    const { inventory } = runtime.ports;
    const pages = async function* () {
      for await (const page of inventory.snapshot().pages) {
        for (const record of page) {
          // Each page takes nearly as long as a lease lasts.
          time.advance(80_000);
          yield [record];
          expect(await make(runtime, id)).toMatchObject({ state: "running", attempts: 1 });
        }
      }
    };
    const slow = replaced(inventory, { requestSnapshot: async () => ({ consistency: "pages", pages: pages() }) });
    await make({ ...runtime, ports: { ...runtime.ports, inventory: slow } }, id);
    expect(await read(id)).toMatchObject({ status: "completed" });
  });

  /** A runtime whose backend creates snapshots by itself, as `request` does, and the requests that it received. */
  function exporting(request: (id: string) => Promise<RecordSnapshot | undefined>) {
    const asked: string[] = [];
    const inventory = replaced(runtime.ports.inventory, {
      discardSnapshot: async (id) => void asked.push(`discard ${id}`),
      requestSnapshot: (id) => {
        asked.push(`request ${id}`);
        return request(id);
      },
    });
    return { asked, exporter: { ...runtime, ports: { ...runtime.ports, inventory } } };
  }

  it("waits without limit for the backend's snapshot, which does not count as an attempt", async () => {
    const id = await ask();
    let looks = 0;
    const { asked, exporter } = exporting(async () => (++looks > 5 ? runtime.ports.inventory.snapshot() : undefined));
    for (let look = 0; look < 5; look++) {
      expect(await make(exporter, id)).toMatchObject({ attempts: 0 });
      expect(await read(id)).toMatchObject({ status: "running", progress: { records: 0 } });
      time.advance(120_000);
    }
    await make(exporter, id);
    expect(await read(id)).toMatchObject({ status: "completed" });
    const requests = asked.filter((each) => each.startsWith("request"));
    expect([requests.length, new Set(requests).size]).toEqual([6, 1]);
    expect(asked.at(-1)).toBe(requests[0]?.replace("request", "discard"));
  });

  it("requests another snapshot if the backend failed to create one, and discards the first", async () => {
    const id = await ask();
    const { asked, exporter } = exporting(async () => {
      throw new Error("the export failed");
    });
    for (let attempt = 1; attempt <= 3; attempt++) {
      await make(exporter, id);
      time.advance(LAPSE_MS);
    }
    expect(await read(id)).toMatchObject({ status: "failed", error: "the export failed" });
    const requests = asked.filter((each) => each.startsWith("request"));
    expect([requests.length, new Set(requests).size]).toEqual([3, 3]);
    for (const request of requests) expect(asked).toContain(request.replace("request", "discard"));
  });

  it("is deleted with its archive when it expires, and no other is", async () => {
    const [short, long] = [await ask({ retention_days: 2 }), await ask({ retention_days: 30 })];
    await make(runtime, short);
    await make(runtime, long);
    time.advance(2 * DAY_MS - 1000);
    expect(await expireBackups(runtime)).toBe(0);
    time.advance(2000);
    expect(await expireBackups(runtime)).toBe(1);
    const { items: backups } = await listBackups(runtime.ports.records, { limit: 10, offset: 0 });
    expect(backups.map(({ id }) => id)).toEqual([long]);
    expect(await archives()).toEqual([(await read(long)).archive?.blob]);
  });

  it("contains every transaction completely during concurrent writes", async () => {
    let isDone = false;
    let written = 0;
    const writing = (async () => {
      for (; !isDone; written++) {
        const value = String(written);
        const put = (side: string) => ({ put: { pk: `pair#${written % 50}`, sk: side, kind: "edge", value } });
        await runtime.ports.records.write(put("left"), put("right"));
      }
    })();
    const id = await ask();
    while (written < 100) await new Promise((resolve) => setTimeout(resolve, 1));
    await make(runtime, id);
    isDone = true;
    await writing;
    const { archive } = await read(id);
    expect(archive?.consistency).toBe("moment");
    const blob = await runtime.ports.blobs.get(archive?.blob ?? "");
    const pairs = gunzipSync(blob?.bytes ?? "")
      .toString()
      .split("\n")
      .filter((line) => line.includes('"pk":"pair#'))
      .map((line) => JSON.parse(line).record);
    expect(pairs).toHaveLength(100);
    for (const [, [left, right]] of Map.groupBy(pairs, ({ pk }) => pk)) expect(left.value).toBe(right.value);
  });
});
