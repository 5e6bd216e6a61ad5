import { afterEach, describe, expect, it } from "vitest";
import { compressionTask } from "../../shared/domain/compression/text-tasks.ts";
import { TextPool } from "../../shared/runtime/text-work/pool.ts";
import { ShortTasks } from "../../shared/runtime/text-work/short-tasks.ts";

const MEGABYTE = 1024 * 1024;
const TEXTS = Array.from({ length: 30 }, (_, n) => `Ada prefers tea to coffee, and has ${n} cups of it. `.repeat(8));

let pool: TextPool | undefined;
let runsHere = 0;

function shortTasksIn(file: string): ShortTasks {
  pool = new TextPool({
    threads: 1,
    maxWaiting: 100,
    idleMs: 5_000,
    file: new URL(file, import.meta.url),
    limits: { heapBytes: 192 * MEGABYTE, bufferBytes: 96 * MEGABYTE, timeMs: 10_000, waitMs: 10_000 },
  });
  return new ShortTasks(pool);
}

const counted: typeof compressionTask = {
  ...compressionTask,
  run: (input) => {
    runsHere++;
    return compressionTask.run(input);
  },
};

async function compressAll(tasks: ShortTasks, texts: string[]): Promise<string[]> {
  runsHere = 0;
  const results = await Promise.all(texts.map((text) => tasks.run(counted, { text, options: {} }, { org: "org_1" })));
  return results.map(({ content }) => content);
}

afterEach(async () => pool?.close());

describe("short tasks", () => {
  it("are shared with a warm thread while many wait, with the same results in order", async () => {
    const tasks = shortTasksIn("../../infra/text-work/urgent-thread.ts");
    const here = await compressAll(tasks, TEXTS);
    expect(runsHere).toBe(TEXTS.length);
    await expect.poll(() => pool?.isReady("org_1"), { timeout: 20_000 }).toBe(true);
    expect(await compressAll(tasks, TEXTS)).toEqual(here);
    expect(runsHere).toBeLessThan(TEXTS.length);
    expect(await compressAll(tasks, TEXTS.slice(0, 3))).toEqual(here.slice(0, 3));
    expect(runsHere).toBe(3);
  }, 30_000);

  it("run here if the thread fails", async () => {
    const tasks = shortTasksIn("thread.ts");
    await compressAll(tasks, TEXTS);
    await expect.poll(() => pool?.isReady("org_1"), { timeout: 10_000 }).toBe(true);
    await compressAll(tasks, TEXTS);
    expect(runsHere).toBe(TEXTS.length);
  }, 30_000);
});
