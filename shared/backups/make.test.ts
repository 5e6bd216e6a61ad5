import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { movableClock } from "../../test/contract/movable-clock.ts";
import { openIdleHome } from "../../test/support/idle-home.ts";
import type { Home } from "../platform/context.ts";
import type { RecordSnapshot } from "../platform/ports.ts";
import { BACKUP_QUEUE } from "../platform/queues.ts";
import { ARCHIVE_PREFIX } from "./archives.ts";
import { makeBackup } from "./make.ts";
import { type Backup, findBackup, findLatest, insertBackup, listBackups } from "./records.ts";
import { tendBackups } from "./tend.ts";

const DAY_MS = 86_400_000;
/** Longer than a lease lasts. */
const LAPSE_MS = 5 * 60_000;

const time = movableClock();
let home: Home;

beforeEach(async () => {
  const queues = [{ name: BACKUP_QUEUE, maxReceives: 5, visibilitySeconds: 60 }];
  ({ home } = await openIdleHome({ clock: time.now, queues }));
});

async function ask(more: Partial<Backup> = {}): Promise<string> {
  const id = home.ids("backup");
  const now = new Date(time.now()).toISOString();
  const backup: Backup = {
    id,
    status: "queued",
    components: ["memories", "users", "config", "blobs"],
    include_logs: false,
    compression_enabled: true,
    retention_days: 3,
    progress: { records: 0, blobs: 0, bytes: 0 },
    created_at: now,
    created_by: "user_1",
    expires_at: new Date(time.now() + 3 * DAY_MS).toISOString(),
    attempts: 0,
    queued_at: now,
    revision: 1,
    ...more,
  };
  await home.ports.records.write(insertBackup(backup));
  return id;
}

const read = async (id: string) => (await findBackup(home.ports.records, id)) as Backup;
const archives = async () => {
  const { blobs } = await home.ports.blobs.list({ prefix: ARCHIVE_PREFIX, limit: 100 });
  return blobs.map(({ key }) => key);
};

/** A home whose blob store breaks off writing, as `how` tells, after the first part. */
function breaking(how: () => Promise<void>): Home {
  const { blobs } = home.ports;
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
  const broken = new Proxy(blobs, {
    get: (store, name) => (name === "write" ? write : Reflect.get(store, name).bind(store)),
  });
  return { ...home, ports: { ...home.ports, blobs: broken } };
}

describe("a backup", () => {
  it("is made once, however often its message comes and to however many workers", async () => {
    const id = await ask();
    await Promise.all([makeBackup(home, id), makeBackup(home, id), makeBackup(home, id)]);
    await makeBackup(home, id);
    expect(await read(id)).toMatchObject({ status: "completed", attempts: 1 });
    expect(await archives()).toHaveLength(1);
    expect((await findLatest(home.ports.records))?.id).toBe(id);
  });

  it("that was never asked for is none", async () => {
    await makeBackup(home, "bak_absent");
    expect(await archives()).toEqual([]);
  });

  it("that broke off is never the latest, is tried again and then given up", async () => {
    const earlier = await ask();
    await makeBackup(home, earlier);
    const kept = await archives();
    const id = await ask();
    const broken = breaking(async () => {
      throw new Error("the disk is full");
    });
    for (const attempts of [1, 2]) {
      await makeBackup(broken, id);
      expect(await read(id)).toMatchObject({ status: "queued", attempts, error: "the disk is full" });
      expect((await findLatest(home.ports.records))?.id).toBe(earlier);
    }
    await makeBackup(broken, id);
    expect(await read(id)).toMatchObject({ status: "failed", attempts: 3, error: "the disk is full" });
    await makeBackup(home, id);
    expect((await read(id)).status).toBe("failed");
    expect(await archives()).toEqual(kept);
    expect((await findLatest(home.ports.records))?.id).toBe(earlier);
  });

  it("whose worker died is left alone until its lease is over, then begun anew", async () => {
    const id = await ask();
    // What a process leaves that is killed after its archive was stored and before its record said so.
    const stuck = { ...(await read(id)), status: "running", attempts: 1, revision: 2, lease_until: time.now() + 1000 };
    await home.ports.records.write({
      put: {
        ...stuck,
        pk: `org_operator#${id}`,
        sk: "backup",
        kind: "backup",
        gsi2pk: "org_operator#backups#unfinished",
        gsi2sk: id,
      } as never,
    });
    const left = `${ARCHIVE_PREFIX}${id}-1.jsonl.gz`;
    await home.ports.blobs.put(left, { bytes: Buffer.from("half"), contentType: "application/gzip" });
    await makeBackup(home, id);
    expect(await read(id)).toMatchObject({ status: "running", attempts: 1 });
    expect(await findLatest(home.ports.records)).toBeUndefined();
    expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 0 });
    time.advance(LAPSE_MS);
    expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 1 });
    await makeBackup(home, id);
    expect(await read(id)).toMatchObject({ status: "completed", attempts: 2 });
    expect(await archives()).toEqual([`${ARCHIVE_PREFIX}${id}-2.jsonl.gz`]);
  });

  it("that another worker took over leaves that one's archive and record alone", async () => {
    const id = await ask();
    let isTaken = false;
    const slow = breaking(async () => {
      if (isTaken) return;
      isTaken = true;
      time.advance(LAPSE_MS);
      await makeBackup(home, id);
    });
    await makeBackup(slow, id);
    expect(await read(id)).toMatchObject({ status: "completed", attempts: 2 });
    expect(await archives()).toEqual([`${ARCHIVE_PREFIX}${id}-2.jsonl.gz`]);
    const blob = await home.ports.blobs.get(`${ARCHIVE_PREFIX}${id}-2.jsonl.gz`);
    expect(gunzipSync(blob?.bytes ?? "").toString()).toContain('"manifest"');
  });

  it("is its worker's for as long as that goes through records, although none of them goes into the archive", async () => {
    for (let place = 0; place < 3; place++) {
      await home.ports.records.write({ put: { pk: `org_1#mem_${place}`, sk: "memory", kind: "memory" } });
    }
    const id = await ask({ components: ["sessions"] });
    const { inventory } = home.ports;
    const pages = async function* () {
      for await (const page of inventory.snapshot().pages) {
        for (const record of page) {
          // Each page takes nearly as long as a lease lasts.
          time.advance(80_000);
          yield [record];
          expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 0 });
        }
      }
    };
    const slow = new Proxy(inventory, {
      get: (store, name) =>
        name === "requestSnapshot"
          ? async () => ({ consistency: "pages", pages: pages() })
          : Reflect.get(store, name).bind(store),
    });
    await makeBackup({ ...home, ports: { ...home.ports, inventory: slow } }, id);
    expect(await read(id)).toMatchObject({ status: "completed", attempts: 1 });
  });

  /** A home whose backend makes snapshots by itself, as `request` tells; answers what was asked of it too. */
  function exporting(request: (id: string) => Promise<RecordSnapshot | undefined>) {
    const asked: string[] = [];
    const inventory = new Proxy(home.ports.inventory, {
      get: (store, name) => {
        if (name === "discardSnapshot") return async (id: string) => void asked.push(`discard ${id}`);
        if (name === "requestSnapshot") {
          return (id: string) => {
            asked.push(`request ${id}`);
            return request(id);
          };
        }
        return Reflect.get(store, name).bind(store);
      },
    });
    return { asked, exporter: { ...home, ports: { ...home.ports, inventory } } };
  }

  it("waits for a snapshot that the backend makes, for however long, and counts no attempt for that", async () => {
    const id = await ask();
    let looks = 0;
    const { asked, exporter } = exporting(async () => (++looks > 5 ? home.ports.inventory.snapshot() : undefined));
    for (let look = 0; look < 5; look++) {
      await makeBackup(exporter, id);
      expect(await read(id)).toMatchObject({ status: "queued", attempts: 0 });
      expect(await home.ports.queue.depth(BACKUP_QUEUE)).toMatchObject({ waiting: look, delayed: 1 });
      expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 0 });
      time.advance(120_000);
    }
    await makeBackup(exporter, id);
    expect(await read(id)).toMatchObject({ status: "completed", attempts: 1 });
    expect(asked).toEqual([...Array.from({ length: 6 }, () => `request ${id}-1`), `discard ${id}-1`]);
  });

  it("asks for another snapshot where the backend failed to make one, and discards the first", async () => {
    const id = await ask();
    const { asked, exporter } = exporting(async () => {
      throw new Error("the export failed");
    });
    for (let attempt = 1; attempt <= 3; attempt++) await makeBackup(exporter, id);
    expect(await read(id)).toMatchObject({ status: "failed", attempts: 3, error: "the export failed" });
    const requests = asked.filter((each) => each.startsWith("request"));
    expect(requests).toEqual([1, 2, 3].map((attempt) => `request ${id}-${attempt}`));
    expect(asked.indexOf(`discard ${id}-1`)).toBeLessThan(asked.indexOf(`request ${id}-2`));
  });

  it("stays completed although the answer to that write was lost", async () => {
    const id = await ask();
    const { records } = home.ports;
    const write: typeof records.write = async (...writes) => {
      await records.write(...writes);
      if (JSON.stringify(writes).includes('"completed"')) throw new Error("no answer");
    };
    const losing = new Proxy(records, {
      get: (store, name) => (name === "write" ? write : Reflect.get(store, name).bind(store)),
    });
    await makeBackup({ ...home, ports: { ...home.ports, records: losing } }, id);
    expect(await read(id)).toMatchObject({ status: "completed", attempts: 1 });
    expect(await archives()).toEqual([(await read(id)).archive?.blob]);
  });

  it("whose message was lost is queued again by the sweep", async () => {
    await ask();
    expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 0 });
    time.advance(3_600_000);
    expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 1 });
    expect(await tendBackups(home)).toEqual({ expired: 0, resumed: 0 });
  });

  it("goes with its archive when its time is over, and no other does", async () => {
    const [short, long] = [await ask({ retention_days: 2 }), await ask({ retention_days: 30 })];
    await makeBackup(home, short);
    await makeBackup(home, long);
    time.advance(2 * DAY_MS - 1000);
    expect((await tendBackups(home)).expired).toBe(0);
    time.advance(2000);
    expect((await tendBackups(home)).expired).toBe(1);
    const { backups } = await listBackups(home.ports.records, { limit: 10, offset: 0 });
    expect(backups.map(({ id }) => id)).toEqual([long]);
    expect(await archives()).toEqual([`${ARCHIVE_PREFIX}${long}-1.jsonl.gz`]);
  });

  it("has every transaction whole while others write", async () => {
    let isDone = false;
    let written = 0;
    const writing = (async () => {
      for (; !isDone; written++) {
        const value = String(written);
        const put = (side: string) => ({ put: { pk: `pair#${written % 50}`, sk: side, kind: "edge", value } });
        await home.ports.records.write(put("left"), put("right"));
      }
    })();
    const id = await ask();
    while (written < 100) await new Promise((resolve) => setTimeout(resolve, 1));
    await makeBackup(home, id);
    isDone = true;
    await writing;
    const { archive } = await read(id);
    expect(archive?.consistency).toBe("moment");
    const blob = await home.ports.blobs.get(archive?.blob ?? "");
    const pairs = gunzipSync(blob?.bytes ?? "")
      .toString()
      .split("\n")
      .filter((line) => line.includes('"pk":"pair#'))
      .map((line) => JSON.parse(line).record);
    expect(pairs).toHaveLength(100);
    for (const [, [left, right]] of Map.groupBy(pairs, ({ pk }) => pk)) expect(left.value).toBe(right.value);
  });
});
