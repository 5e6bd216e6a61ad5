import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND_MS } from "../../shared/kernel/durations.ts";
import type { LogStore } from "../../shared/ports/log-store.ts";

/** A store of logs and a way to write into it. */
export interface LogStoreUnderTest {
  logs: LogStore;
  /** Writes lines as the service's logger does; resolves when they can be queried. */
  write(lines: string[]): Promise<void>;
  close(): Promise<void>;
}

export interface LogStoreSuiteOptions {
  /** False for an engine that returns only the requested number of lines and counts no further. Default true. */
  countsBeyondLimit?: boolean;
}

export type OpenLogStore = () => Promise<LogStoreUnderTest>;

/** The service of lines that name none. */
const SERVICE = "memories";
const EVER = { from: "1970-01-01T00:00:00.000Z", to: "9999-12-31T23:59:59.999Z" };

/** The behaviour of every `LogStore`, tested with each adapter. */
export function describeLogStore(name: string, open: OpenLogStore, options: LogStoreSuiteOptions = {}): void {
  describe(`${name}: LogStore`, () => {
    const start = Date.now() - 3_600_000;
    const at = (second: number) => new Date(start + second * SECOND_MS).toISOString();
    const line = (second: number, fields: Record<string, unknown> = {}) =>
      JSON.stringify({ level: "INFO", message: "REQUEST", timestamp: at(second), service: SERVICE, ...fields });
    let subject: LogStoreUnderTest;
    let logs: LogStore;

    beforeAll(async () => {
      subject = await open();
      logs = subject.logs;
      await subject.write([line(1, { n: 1 }), line(2, { n: 2, level: "ERROR" })]);
      await subject.write([
        line(3, { n: 3, service: "sweep" }),
        '{"time":"2026-01-31T12:00:00Z","type":"platform.report","record":{}}',
        "a line that is no JSON",
        '{"level":"INFO","message":"CUT_OFF","times',
        line(4, { n: 4, level: "WARN", message: 'A "quoted" é😀\n line', error: { name: "TypeError" } }),
        line(5, { n: 5, service: "sweep", level: "ERROR" }),
      ]);
    });
    afterAll(() => subject.close());

    const numbers = async (filter: Partial<Parameters<LogStore["find"]>[0]>, limit = 100) => {
      const { lines } = await logs.find({ ...EVER, ...filter }, limit);
      return lines.map(({ fields }) => fields.n);
    };

    it("returns the service's own lines, newest first, with all their fields", async () => {
      const { lines, total } = await logs.find(EVER, 100);
      expect(lines.map(({ fields }) => fields.n)).toEqual([5, 4, 3, 2, 1]);
      expect(total).toBe(5);
      expect(lines[1]).toEqual({
        id: expect.stringMatching(/^log_[0-9a-f]{26}$/),
        at: at(4),
        level: "warn",
        service: "memories",
        message: 'A "quoted" é😀\n line',
        fields: { n: 4, error: { name: "TypeError" } },
      });
    });

    it("returns the same id for a line each time, and different ids for two lines", async () => {
      const [first, second] = await Promise.all([logs.find(EVER, 100), logs.find({ ...EVER, level: "error" }, 100)]);
      const ids = first.lines.map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
      expect(second.lines.map(({ id }) => id)).toEqual([ids[0], ids[3]]);
    });

    it("filters by level, by service, and by both", async () => {
      expect(await numbers({ level: "error" })).toEqual([5, 2]);
      expect(await numbers({ level: "debug" })).toEqual([]);
      expect(await numbers({ service: "sweep" })).toEqual([5, 3]);
      expect(await numbers({ service: "sweep", level: "error" })).toEqual([5]);
      expect(await numbers({ service: 'sweep" or level = "INFO' })).toEqual([]);
    });

    it("filters by time, both ends included to the millisecond", async () => {
      expect(await numbers({ from: at(2), to: at(4) })).toEqual([4, 3, 2]);
      const after = new Date(Date.parse(at(2)) + 1).toISOString();
      const before = new Date(Date.parse(at(4)) - 1).toISOString();
      expect(await numbers({ from: after, to: before })).toEqual([3]);
      expect(await numbers({ to: at(0) })).toEqual([]);
    });

    it.skipIf(options.countsBeyondLimit === false)("returns no more lines than requested, and counts all", async () => {
      const { lines, total } = await logs.find({ ...EVER, service: SERVICE }, 2);
      expect(lines.map(({ fields }) => fields.n)).toEqual([4, 2]);
      expect(total).toBe(3);
    });
  });
}
