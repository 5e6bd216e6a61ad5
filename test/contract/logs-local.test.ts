import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { LocalLogStore } from "../../shared/adapters/local/logs.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { describeLogStore } from "./log-store.ts";
import { movableClock } from "./movable-clock.ts";

const EVER = { from: "1970-01-01T00:00:00.000Z", to: "9999-12-31T23:59:59.999Z" };

function openStore(limits: { segmentBytes?: number; maxSegments?: number } = {}, folder = temporaryFolder()) {
  const clock = movableClock();
  const store = new LocalLogStore({ folder, clock: clock.now, retentionDays: 30, ...limits });
  const lineAt = (at: number, n: number) =>
    JSON.stringify({ level: "INFO", message: "M", timestamp: new Date(at).toISOString(), service: "memories", n });
  const write = (n: number) => store.append(lineAt(clock.now(), n));
  const numbers = async (limit = 10_000) => (await store.find(EVER, limit)).lines.map(({ fields }) => fields.n);
  const bytes = () => readdirSync(folder).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
  const lineBytes = Buffer.byteLength(`${lineAt(clock.now(), 1)}\n`);
  return { store, clock, folder, write, numbers, bytes, lineBytes };
}

describeLogStore("local", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "contract-"));
  const store = new LocalLogStore({ folder, clock: Date.now, retentionDays: 30 });
  return {
    logs: store,
    write: async (lines) => store.append(lines.join("\n")),
    close: async () => {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

describe("the local LogStore", () => {
  it("writes lines in the background, in batches, and also returns unwritten ones", async () => {
    const { write, numbers, bytes, lineBytes } = openStore();
    write(1);
    write(2);
    expect(bytes()).toBe(0);
    expect(await numbers()).toEqual([2, 1]);
    write(3);
    await expect.poll(bytes).toBe(3 * lineBytes);
    expect(await numbers()).toEqual([3, 2, 1]);
    expect(bytes()).toBe(3 * lineBytes);
  });

  it("returns all lines after a restart, and continues", async () => {
    const first = openStore();
    first.write(1);
    first.store.close();
    first.write(2);
    const second = openStore({}, first.folder);
    second.write(3);
    expect(await second.numbers()).toEqual([3, 1]);
  });

  it("keeps the newest lines within its limits, whatever is written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 60 }), async (batches) => {
        const { store, clock, write, numbers, bytes } = openStore({ segmentBytes: 500, maxSegments: 3 });
        let n = 0;
        for (const size of batches) {
          for (let i = 0; i < size; i++) write(++n);
          clock.advance(1);
          await store.find(EVER, 1);
        }
        const kept = (await numbers()) as number[];
        expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => n - index));
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(n, 10));
        // Three files of 500 bytes, each of which a batch of five lines may exceed.
        expect(bytes()).toBeLessThan(3 * (500 + 5 * 110));
        store.close();
      }),
      { numRuns: 30 },
    );
  });

  it("returns nothing older than its retention", async () => {
    const { clock, write, numbers } = openStore();
    write(1);
    clock.advance(20 * DAY_MS);
    write(2);
    expect(await numbers()).toEqual([2, 1]);
    clock.advance(11 * DAY_MS);
    expect(await numbers()).toEqual([2]);
  });

  it("reports what pruning would delete, deletes exactly that, and accepts lines meanwhile", async () => {
    const { store, clock, write, numbers, bytes } = openStore({ segmentBytes: 300 });
    for (let n = 1; n <= 9; n++) {
      write(n);
      clock.advance(1000);
      await numbers();
    }
    const before = clock.now() - 4000;
    const size = bytes();
    const told = await store.prune(before, true);
    expect(told.lines).toBe(5);
    expect(bytes()).toBe(size);
    const pruning = store.prune(before, false);
    write(10);
    expect(await pruning).toEqual(told);
    expect(await numbers()).toEqual([10, 9, 8, 7, 6]);
    expect(await store.prune(before, true)).toEqual({ lines: 0, bytes: 0 });
    expect(bytes()).toBe(size - told.bytes + told.bytes / 5 + 1);
  });

  it("continues if lines cannot be written, and reports it once", async () => {
    const { folder, store, write, numbers } = openStore();
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
    rmSync(folder, { recursive: true });
    for (const n of [1, 2]) {
      write(n);
      await store.prune(0, true).catch(() => {});
    }
    expect(warn.mock.calls.map(([, name]) => name)).toEqual(["LogsNotKept"]);
    mkdirSync(folder);
    write(3);
    expect(await numbers()).toEqual([3]);
    warn.mockRestore();
  });

  it("ignores files that are not logs of the service", async () => {
    const { folder, store, clock, write, numbers } = openStore();
    write(1);
    store.close();
    writeFileSync(path.join(folder, "000000000002.jsonl"), "something else\n");
    const again = openStore({ segmentBytes: 1 }, folder);
    again.write(2);
    expect(await again.numbers()).toEqual([2, 1]);
    expect((await again.store.prune(clock.now() + 1000, false)).lines).toBe(2);
    expect(await numbers()).toEqual([]);
  });
});
