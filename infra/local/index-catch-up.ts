import { setTimeout as sleep } from "node:timers/promises";
import { catchUpIndex } from "../../shared/maintenance/catch-up.ts";
import type { Home } from "../../shared/platform/context.ts";
import { logFailure } from "../../shared/platform/full-disk.ts";
import type { IndexFollowing } from "../../shared/platform/local/ports.ts";

const RETRY_MS = 10_000;

/** Brings indexes that are behind in line with the records, in the background. Answers how to stop. */
export function startCatchUp(home: Home, index: IndexFollowing): () => Promise<void> {
  const stopping = new AbortController();
  const running = index.behind?.length === 0 ? undefined : run(home, index, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Tries until it succeeds: what fails may be a full disk, or an embedder that is down. */
async function run(home: Home, index: IndexFollowing, signal: AbortSignal): Promise<void> {
  const { behind, markInLine } = index;
  if (behind !== undefined) home.logger.warn("INDEX_BEHIND", { organizations: behind.length });
  while (!signal.aborted) {
    try {
      const done = await catchUpIndex(home, behind, signal);
      markInLine();
      home.logger[behind === undefined ? "info" : "warn"]("INDEX_CAUGHT_UP", { ...done });
      return;
    } catch (error) {
      if (signal.aborted) return;
      logFailure(home.logger, "INDEX_CATCH_UP_FAILED", { error });
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
