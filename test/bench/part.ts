import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure, Report } from "./report.ts";

/** The result of a part: its figures, or the reason why there are none. */
export interface Measured {
  part: string;
  figures: Figure[];
  /** `measured`, `skipped: …` or `failed: …`. */
  outcome: string;
  hasFailed: boolean;
  seconds: number;
}

/** Measures a part in its own process and temporary folder, both removed before it returns; never rejects. */
export async function measurePart(
  part: string,
  { minutes, isQuick }: { minutes: number; isQuick: boolean },
): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), "memory-service-bench-"));
  const began = performance.now();
  const told = (outcome: string, figures: Figure[] = []): Measured => {
    const seconds = (performance.now() - began) / 1000;
    return { part, figures, outcome, hasFailed: outcome.startsWith("failed"), seconds };
  };
  try {
    const report = await reportOf(part, minutes, { ...process.env, TMPDIR: folder, BENCH_QUICK: isQuick ? "1" : "" });
    return "skipped" in report ? told(`skipped: ${report.skipped}`) : told("measured", report.figures);
  } catch (error) {
    return told(`failed: ${(error as Error).message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As `npm start` runs the service. Servers started by the part exit with it, because they watch its channel. */
async function reportOf(part: string, minutes: number, env: NodeJS.ProcessEnv): Promise<Report> {
  const child = fork(fileURLToPath(new URL(`${part}.ts`, import.meta.url)), {
    env,
    execArgv: [...process.execArgv, "--max-semi-space-size=8"],
  });
  const ended = once(child, "exit");
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, minutes * 60_000);
  try {
    const early = ended.then(([code]) => {
      throw new Error(isLate ? `not done within ${minutes} minutes` : `ended with ${code} and no figures`);
    });
    const [report] = await Promise.race([once(child, "message"), early]);
    child.disconnect();
    await ended;
    return report as Report;
  } finally {
    clearTimeout(late);
  }
}
