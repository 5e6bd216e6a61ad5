import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest that a loop over much work holds the event loop in a row, in milliseconds. */
const SLICE_MS = 8;

/** For a loop over work of unknown length: what it answers, awaited after each step, lets others in after each slice. */
export function createSlices(sliceMs = SLICE_MS): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < sliceMs) return;
    await nextTurn();
    startedAt = performance.now();
  };
}
