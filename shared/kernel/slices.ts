import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Maximum milliseconds for which a long loop blocks the event loop. */
const SLICE_MS = 8;

export interface SliceOptions {
  sliceMs?: number;
  /** Whether to pause after each slice for as long as it took, because requests need turns and nobody waits. */
  inBackground?: boolean;
}

/** For a long loop: awaiting the returned function after each step yields to the event loop after each slice. */
export function createSlices({ sliceMs = SLICE_MS, inBackground = false }: SliceOptions = {}): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    const tookMs = performance.now() - startedAt;
    if (tookMs < sliceMs) return;
    await (inBackground ? sleep(tookMs) : nextTurn());
    startedAt = performance.now();
  };
}
