import { setTimeout as sleep } from "node:timers/promises";

/** Below the ten seconds after which `docker stop` kills. */
const LONGEST_STOP_MS = 8_000;
/** npm passes Ctrl-C on to a process that got it from the terminal already. */
const SAME_SIGNAL_MS = 500;
/** How long calls of the system may take to end after all else has. */
const LAST_CALLS_MS = 500;
/** Calls of the system that may hang in a thread of Node, such as a name server's that does not answer. */
const HANGING_CALLS: ReadonlySet<string> = new Set(["GetAddrInfoReqWrap", "FSReqCallback", "FSReqPromise"]);

/** Stops at the first SIGINT or SIGTERM, and ends the process at the next one, or when stopping takes too long. */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingAt: number | undefined;
  const onSignal = async () => {
    if (stoppingAt !== undefined) {
      if (performance.now() - stoppingAt > SAME_SIGNAL_MS) end(1);
      return;
    }
    stoppingAt = performance.now();
    setTimeout(() => end(1), LONGEST_STOP_MS);
    await stop();
    for (const until = performance.now() + LAST_CALLS_MS; isInCall() && performance.now() < until; ) await sleep(10);
    end(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
}

/** `process.exit` waits for calls that Node's threads make, so that a process which is in one has to be killed. */
function end(code: number): void {
  if (isInCall()) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

function isInCall(): boolean {
  return process.getActiveResourcesInfo().some((name) => HANGING_CALLS.has(name));
}
