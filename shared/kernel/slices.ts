import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { takeTurn } from "./turns.ts";

/** Milliseconds for which a long loop may block the event loop. */
const SLICE_MS = 8;

export interface SliceOptions {
  sliceMs?: number;
  /** Whether to pause after each slice for as long as the slice took: for work that no request waits for. */
  inBackground?: boolean;
  /** The organization whose turn each further slice takes; undefined for work of no organization. */
  org: string | undefined;
}

/** Returns a function to await after each step of a long loop: it yields to the event loop after each slice of time. */
export function createSlices({ sliceMs = SLICE_MS, inBackground = false, org }: SliceOptions): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    const tookMs = performance.now() - startedAt;
    if (tookMs < sliceMs) return;
    if (inBackground) await sleep(tookMs);
    await (org === undefined ? nextTurn() : takeTurn(org));
    startedAt = performance.now();
  };
}
