import { setTimeout as sleep } from "node:timers/promises";
import type { IndexFollowing } from "../../shared/adapters/local/ports.ts";
import { catchUpIndex } from "../../shared/domain/operations/maintenance/catch-up.ts";
import { logFailure } from "../../shared/ports/full-disk.ts";
import type { Runtime } from "../../shared/runtime/context.ts";

const RETRY_MS = 10_000;

/** Brings outdated indexes up to date in the background. Returns a function that stops it. */
export function startCatchUp(runtime: Runtime, index: IndexFollowing): () => Promise<void> {
  const stopping = new AbortController();
  const running = index.behind?.length === 0 ? undefined : run(runtime, index, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Retries until it succeeds: the cause may be a full disk or an unavailable embedder. */
async function run(runtime: Runtime, index: IndexFollowing, signal: AbortSignal): Promise<void> {
  const { behind, markCaughtUp } = index;
  if (behind !== undefined) runtime.logger.warn("INDEX_BEHIND", { organizations: behind.length });
  while (!signal.aborted) {
    try {
      const done = await catchUpIndex(runtime, behind, signal);
      markCaughtUp();
      runtime.logger[behind === undefined ? "info" : "warn"]("INDEX_CAUGHT_UP", { ...done });
      return;
    } catch (error) {
      if (signal.aborted) return;
      logFailure(runtime.logger, "INDEX_CATCH_UP_FAILED", { error });
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
