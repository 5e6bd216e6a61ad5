/**
 * Times sequential GET /health requests, as many as each message asks for; run by `sign-ins.ts` in a process that does
 * nothing else.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../support/service.ts";

const PAUSE_MS = 10;

const service = createClient(process.argv[2] ?? "", "");

process.on("message", async (reads: number) => {
  const times: number[] = [];
  for (let read = 0; read < reads; read++) {
    await delay(PAUSE_MS);
    const begin = performance.now();
    const { status } = await service.request("GET", "/health", { key: null });
    if (status !== 200) throw new Error(`GET /health answered ${status}`);
    times.push(performance.now() - begin);
  }
  process.send?.(times);
});
