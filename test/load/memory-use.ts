import { setTimeout as sleep } from "node:timers/promises";
import type { Held, ServiceUnderLoad } from "./service-under-load.ts";

export const MB = 1024 * 1024;

export interface Sample extends Held {
  /** Milliseconds since sampling started. */
  at: number;
}

/** Samples the memory of the process every second until aborted. */
export async function sampleMemory(service: ServiceUnderLoad, ending: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const beganAt = performance.now();
  while (!ending.aborted) {
    samples.push({ at: performance.now() - beganAt, ...(await service.held()) });
    // Rejects if aborted; the loop then ends.
    await sleep(1_000, undefined, { signal: ending }).catch(() => {});
  }
  return samples;
}

/** Slope of the least-squares line through the samples, in MB per minute. */
export function growth(samples: Sample[], what: keyof Held): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanAt = mean(samples.map(({ at }) => at));
  const meanHeld = mean(samples.map((sample) => sample[what]));
  const together = samples.reduce((sum, sample) => sum + (sample.at - meanAt) * (sample[what] - meanHeld), 0);
  const spread = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  return ((together / spread) * 60_000) / MB;
}

/** The heap in use after a garbage collection, in bytes. */
export async function liveHeap(service: ServiceUnderLoad): Promise<number> {
  await service.inspector.ask("HeapProfiler.collectGarbage");
  return (await service.held()).heap;
}

export const megabytes = (bytes: number): number => Math.round(bytes / MB);
