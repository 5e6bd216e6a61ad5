/**
 * `npm run bench:hostile [-- PART…]`: measures one organization's searches while another organization sends one hostile
 * request after the other, all or those whose names contain a PART. Prints a table; exits with 1 if the 99th percentile
 * during any of them exceeds the limit.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Served, serve } from "../bench/served.ts";
import { percentile } from "../bench/timing.ts";
import { createTenant, type Tenant } from "../load/tenants.ts";
import { type Attacker, BOMBS, type Bomb } from "./bombs.ts";
import { openSite } from "./site.ts";

const EVERY_MS = 20;
/** Searches continue this long after each response, because work may follow it; and at least this long in all. */
const AFTERWARDS_MS = 400;
const MIN_MS = 2_500;
/** A request without a response within this time is reported as such. */
const GIVE_UP_MS = 60_000;
/** This many successive searches within this time each show that the service has nothing else to do. */
const CALM_SEARCHES = 25;
const CALM_MS = 20;
const MAX_P99_MS = 100;
const MEGABYTE = 1024 * 1024;

interface Row {
  bomb: string;
  status: number | string;
  tookMs: number;
  searches: number[];
  residentBytes: number;
}

const parts = process.argv.slice(2);
const chosen = BOMBS.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
const served = await serve(undefined, { DEFAULT_PLAN: "enterprise", ALLOW_PRIVATE_TARGETS: "1", LOG_LEVEL: "error" });
const site = await openSite();
try {
  const [attacking, searching] = [await createTenant(served, 1, 100), await createTenant(served, 2, 1_000)];
  const attacker: Attacker = { service: served, key: attacking.key, site };
  await searchUntil(searching, delay(MIN_MS));
  const rows = [await beside(searching, attacker, { name: "(nothing)", send: async () => 0 })];
  print(rows);
  for (const bomb of chosen) {
    const row = await beside(searching, attacker, bomb);
    print([row]);
    rows.push(row);
  }
  const over = rows.filter(({ searches }) => percentile(searches, 0.99) > MAX_P99_MS);
  process.stdout.write(`\n${rows.length - 1} hostile requests, ${over.length} with a p99 over ${MAX_P99_MS} ms\n`);
  process.exitCode = over.length > 0 ? 1 : 0;
} finally {
  site.close();
  await served.close();
}

async function beside(searching: Tenant, attacker: Attacker, bomb: Bomb): Promise<Row> {
  await calm(searching);
  const prepared = (await bomb.prepare?.(attacker)) ?? "";
  const startedAt = performance.now();
  let tookMs = GIVE_UP_MS;
  const sent = bomb.send(attacker, prepared).then((status) => {
    tookMs = performance.now() - startedAt;
    return status;
  });
  const status = Promise.race([sent, delay(GIVE_UP_MS, "none", { ref: false })]);
  const enough = Promise.all([status.then(() => delay(AFTERWARDS_MS)), delay(MIN_MS)]);
  const searches = await searchUntil(searching, enough);
  const { residentBytes } = await served.use();
  return { bomb: bomb.name, status: await status, tookMs, searches, residentBytes };
}

/** Waits until earlier requests cause no more work: successive searches are fast again. */
async function calm({ key }: Tenant): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  for (let quick = 0, n = 0; quick < CALM_SEARCHES && performance.now() < until; n++) {
    quick = (await search(served, key, n)) < CALM_MS ? quick + 1 : 0;
    await delay(EVERY_MS);
  }
}

/** Searches at a fixed rate, also while earlier ones are pending; returns the milliseconds that each took. */
async function searchUntil({ key }: Tenant, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  let isOver = false;
  void end.finally(() => {
    isOver = true;
  });
  for (let n = 0; !isOver; n++) {
    pending.push(search(served, key, n).then((took) => void times.push(took)));
    await delay(EVERY_MS);
  }
  await Promise.all(pending);
  return times;
}

async function search(service: Served, key: string, n: number): Promise<number> {
  const startedAt = performance.now();
  const { status } = await service.request("GET", `/search?q=what+does+user+${n % 50}+prefer`, { key });
  if (status !== 200) throw new Error(`a search answered ${status}`);
  return performance.now() - startedAt;
}

function print(rows: Row[]): void {
  for (const { bomb, status, tookMs, searches, residentBytes } of rows) {
    const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) =>
      percentile(searches, share).toFixed(0).padStart(5),
    );
    const answer = `${status} in ${tookMs.toFixed(0)} ms`.padEnd(18);
    process.stdout.write(
      `${bomb.padEnd(52)} ${answer} ${p50} ${p95} ${p99} ${max} ms  ${Math.round(residentBytes / MEGABYTE)} MB\n`,
    );
  }
}
