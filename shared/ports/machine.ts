import { cpus, totalmem } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

const SAMPLE_MS = 100;

/** The load of the host; in a container with a memory limit, `memory` is the share of that limit. Shares are 0..1. */
export interface MachineLoad {
  /** The load of all processors, measured over a tenth of a second. */
  cpu: number;
  memory: number;
  /** Resident memory of the process in bytes. */
  resident: number;
}

/** Measures the load now, which takes a tenth of a second. */
export async function readMachineLoad(): Promise<MachineLoad> {
  const before = processorTimes();
  await delay(SAMPLE_MS);
  const after = processorTimes();
  const passed = after.all - before.all;
  // A container's memory limit; zero or above the host's memory if there is none.
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < totalmem() ? constrained : totalmem();
  return {
    cpu: passed > 0 ? (after.busy - before.busy) / passed : 0,
    memory: Math.min(1, Math.max(0, (total - process.availableMemory()) / total)),
    resident: process.memoryUsage.rss(),
  };
}

function processorTimes(): { busy: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.idle + each.irq, 0);
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}
