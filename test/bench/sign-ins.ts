/**
 * Measures GET /health during many concurrent sign-ins, relative to the same without sign-ins: password hashing must
 * not starve other requests. Server, flood and probe are separate processes; quiet and flooded rounds alternate, so
 * that other load on the machine affects both. On two cores the three processes share what hashing leaves, so the
 * figures include contention for cores.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ratio, readable, report } from "./report.ts";
import { serve } from "./served.ts";
import type { Flood } from "./sign-in-flood.ts";
import { sized } from "./sizes.ts";
import { summarize } from "./timing.ts";

/** More than may hash and queue at once, so that some are refused. */
const CLIENTS = 60;
const ROUNDS = sized(5, 2);
const READS = sized(150, 50);
const RISE_MS = 1000;
/** Other requests may typically wait no more than twice as long. The tail depends on the machine and has no limit. */
const LIMIT = { atMost: 2 };

/** Sign-in limits count by network, so each sign-in claims another client address, which the server trusts. */
const service = await serve(undefined, { TRUSTED_PROXIES: "1" });
const flood = start("sign-in-flood.ts", String(CLIENTS));
const probe = start("health-probe.ts");
await timeReads();
const [quiet, flooded, answers] = [[] as number[], [] as number[], [] as Flood[]];
let floodedMs = 0;
for (let round = 0; round < ROUNDS; round++) {
  quiet.push(...(await timeReads()));
  const begin = performance.now();
  flood.send("start");
  await delay(RISE_MS);
  flooded.push(...(await timeReads()));
  flood.send("stop");
  answers.push(await answerOf<Flood>(flood));
  floodedMs += performance.now() - begin;
}
for (const child of [flood, probe]) child.disconnect();
await service.close();

const rate = (status: number) => answers.reduce((sum, each) => sum + (each[status] ?? 0), 0) / (floodedMs / 1000);
report([
  ratio(`GET /health while ${CLIENTS} clients sign in`, "while nobody does", [summarize(flooded), summarize(quiet)], {
    limit: LIMIT,
    from: `${readable(rate(401))} passwords checked and ${readable(rate(503))} sign-ins refused a second`,
  }),
]);

function start(script: string, ...more: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(script, import.meta.url)), [service.url, ...more]);
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = await once(child, "message");
  return answer;
}

function timeReads(): Promise<number[]> {
  probe.send(READS);
  return answerOf<number[]>(probe);
}
