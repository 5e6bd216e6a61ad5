import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Longest that a loop over much work holds the event loop in a row, in milliseconds. */
const SLICE_MS = 8;

export interface SliceOptions {
  sliceMs?: number;
  /** Rests for as long as each slice took: a request needs several turns of the event loop, and nobody waits for this work. */
  inBackground?: boolean;
}

/** For a loop over work of unknown length: what it answers, awaited after each step, lets others in after each slice. */
export function createSlices({ sliceMs = SLICE_MS, inBackground = false }: SliceOptions = {}): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    const tookMs = performance.now() - startedAt;
    if (tookMs < sliceMs) return;
    await (inBackground ? sleep(tookMs) : nextTurn());
    startedAt = performance.now();
  };
}
