import { setTimeout as sleep } from "node:timers/promises";

/** Below the ten seconds after which `docker stop` kills. */
const MAX_STOP_MS = 8_000;
/** npm forwards Ctrl-C to a process that already received it from the terminal. */
const SAME_SIGNAL_MS = 500;
/** Time for pending system calls after everything else has ended. */
const LAST_CALLS_MS = 500;
/** System calls that may hang in a Node thread, such as a DNS lookup. */
const HANGING_CALLS: ReadonlySet<string> = new Set(["GetAddrInfoReqWrap", "FSReqCallback", "FSReqPromise"]);

/** Stops at the first SIGINT or SIGTERM, and ends the process at the second one or after a timeout. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingAt: number | undefined;
  const onSignal = async () => {
    if (stoppingAt !== undefined) {
      if (performance.now() - stoppingAt > SAME_SIGNAL_MS) end(1);
      return;
    }
    stoppingAt = performance.now();
    setTimeout(() => end(1), MAX_STOP_MS);
    await stop();
    for (const until = performance.now() + LAST_CALLS_MS; isInCall() && performance.now() < until; ) await sleep(10);
    end(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
}

/** `process.exit` waits for calls in Node's threads, so a process with a hanging one must be killed. */
function end(code: number): void {
  if (isInCall()) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

function isInCall(): boolean {
  return process.getActiveResourcesInfo().some((name) => HANGING_CALLS.has(name));
}
