import { describe, expect, it } from "vitest";
import { compressionTask } from "../../shared/domain/compression/text-tasks.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import { isLargerThan, type TextTask } from "../../shared/runtime/text-work/task.ts";

const options = { org: "org_1" };

describe("where a text task runs", () => {
  it("is here for a small input, and a thread for a large one", async () => {
    let runsHere = 0;
    const task: typeof compressionTask = {
      ...compressionTask,
      run: (input) => {
        runsHere++;
        return compressionTask.run(input);
      },
    };
    const compress = (text: string) => runTextTask(task, { text, options: {} }, options);
    expect((await compress("Ada prefers tea.")).original_tokens).toBeGreaterThan(0);
    expect(runsHere).toBe(1);
    expect((await compress("Ada prefers tea. ".repeat(1_000))).original_tokens).toBeGreaterThan(4_000);
    expect(runsHere).toBe(1);
  });

  it("lets others in between small ones that come together", async () => {
    const busy: TextTask<number, void> = {
      name: "busy",
      inlineSize: 10,
      run: () => {
        const until = performance.now() + 5;
        while (performance.now() < until);
      },
    };
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    await Promise.all(Array.from({ length: 20 }, (_, n) => runTextTask(busy, n, options)));
    clearInterval(others);
    expect(turns).toBeGreaterThan(4);
  });
});

describe("the size of an input", () => {
  it.each([
    ["of strings", ["a".repeat(6), { b: "c".repeat(5) }], 10, true],
    ["of keys", { ["k".repeat(11)]: 1 }, 10, true],
    ["of bytes", { bytes: new Uint8Array(11) }, 10, true],
    ["of many members", Array.from({ length: 11 }, () => null), 10, true],
    ["of all of it, no more than the limit", { text: "abcde" }, 10, false],
  ])("counts the characters %s", (_what, input, limit, isLarger) => {
    expect(isLargerThan(input, limit)).toBe(isLarger);
  });
});
