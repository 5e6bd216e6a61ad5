/** GET /health while many sign in at once, beside the same while nobody does: passwords must not starve other requests. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Figure, readable, report } from "./report.ts";
import { serve } from "./served.ts";
import type { Flood } from "./sign-in-flood.ts";
import { percentile, type Timings } from "./timing.ts";

/** More than may hash and wait at once, so that some are refused. */
const CLIENTS = 60;
const READS = 400;
const PAUSE_MS = 10;
const RISE_MS = 1000;
/** The tail is of two cores that the flood itself, its server and whoever measures share. */
const LIMITS = { p50: { atMost: 2 }, p95: { atMost: 5 } };

/** The limits on sign-ins count by network, so each sign-in claims another one and is believed. */
const service = await serve(undefined, { TRUSTED_PROXIES: "1" });
const idle = await timeReads();
const flood = fork(fileURLToPath(new URL("sign-in-flood.ts", import.meta.url)), [service.url, String(CLIENTS)]);
const startedAt = performance.now();
await delay(RISE_MS);
const flooded = await timeReads();
const seconds = (performance.now() - startedAt) / 1000;
flood.send("stop");
const [answers] = (await once(flood, "message")) as [Flood];
flood.disconnect();
await service.close();

const rate = (status: number) => (answers[status] ?? 0) / seconds;
report([
  ...(["p50", "p95"] as const).map(
    (share): Figure => ({
      what: `GET /health while ${CLIENTS} clients sign in : while nobody does, ${share}`,
      value: flooded[share] / idle[share],
      unit: "x",
      limit: LIMITS[share],
      from: `${readable(flooded[share])} : ${readable(idle[share])} ms`,
    }),
  ),
  { what: "passwords checked meanwhile", value: rate(401), unit: "/s" },
  { what: "sign-ins refused meanwhile, as too many wait", value: rate(503), unit: "/s" },
]);

async function timeReads(): Promise<Timings> {
  const times: number[] = [];
  for (let read = 0; read < READS; read++) {
    await delay(PAUSE_MS);
    const begin = performance.now();
    const { status } = await service.request("GET", "/health", { key: null });
    if (status !== 200) throw new Error(`GET /health answered ${status}`);
    times.push(performance.now() - begin);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}
