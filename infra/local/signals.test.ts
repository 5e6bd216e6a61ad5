import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/fixtures/temporary-folder.ts";

/** What a stop may take: an exit before it does not come from this limit. */
const MAX_STOP_MS = 8_000;
const SIGNALS = new URL("signals.ts", import.meta.url).href;

/** Runs a script, sends it the signals, and returns how it ended and after how long. */
async function endOf(body: string, ...signals: NodeJS.Signals[]) {
  const folder = temporaryFolder();
  execFileSync("mkfifo", [path.join(folder, "fifo")]);
  const script = path.join(folder, "script.mjs");
  writeFileSync(
    script,
    `import { open } from "node:fs/promises";\nimport { stopOnSignal } from ${JSON.stringify(SIGNALS)};\n${body}\nconsole.log("up");`,
  );
  const child = spawn(process.execPath, [script], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const exited = once(child, "exit");
  const beganAt = performance.now();
  for (const signal of signals) {
    child.kill(signal);
    await Promise.race([exited, sleep(600)]);
  }
  const [code, signal] = await exited;
  return { code, signal, ms: performance.now() - beganAt };
}

const KEEP_RUNNING = "setInterval(() => {}, 1_000);";

it.each(["SIGINT", "SIGTERM"] as const)("exits with 0 once it has stopped after %s", async (name) => {
  expect(await endOf(`${KEEP_RUNNING} stopOnSignal(async () => {});`, name)).toMatchObject({ code: 0, signal: null });
});

it("exits with 1 at any second signal, and when stopping takes too long", async () => {
  const hanging = `${KEEP_RUNNING} stopOnSignal(() => new Promise(() => {}));`;
  const [twice, late] = await Promise.all([endOf(hanging, "SIGINT", "SIGTERM"), endOf(hanging, "SIGTERM")]);
  expect(twice).toMatchObject({ code: 1, signal: null });
  expect(twice.ms).toBeLessThan(MAX_STOP_MS);
  expect(late).toMatchObject({ code: 1, signal: null });
  expect(late.ms).toBeGreaterThanOrEqual(MAX_STOP_MS);
});

it("exits even if a system call hangs", async () => {
  const { signal, ms } = await endOf(`void open("fifo", "r"); stopOnSignal(async () => {});`, "SIGTERM");
  expect(signal).toBe("SIGKILL");
  expect(ms).toBeLessThan(MAX_STOP_MS);
});
