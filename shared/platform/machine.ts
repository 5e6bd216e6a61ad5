import { cpus, totalmem } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

const SAMPLE_MS = 100;

/** How busy the machine is, or as much of it as the process may use. Shares are 0..1. */
export interface MachineLoad {
  /** Of all its processors together, while it was looked at for a tenth of a second. */
  cpu: number;
  memory: number;
  /** Memory that the process itself holds, in bytes. */
  resident: number;
}

export async function readMachineLoad(): Promise<MachineLoad> {
  const before = processorTimes();
  await delay(SAMPLE_MS);
  const after = processorTimes();
  const passed = after.all - before.all;
  const total = memoryLimit();
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

/** What a container is held to; zero or beyond the machine's own memory where it is not. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < totalmem() ? constrained : totalmem();
}
