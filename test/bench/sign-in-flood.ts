/**
 * Sends failing sign-ins from many networks concurrently while instructed to; run by `sign-ins.ts` in its own process.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../support/service.ts";

/** Number of answers by status. */
export type Flood = Record<number, number>;

/** Waiting time of a refused client: a quarter of the time that it is told to wait. */
const IMPATIENT_MS = 500;

const [url = "", clients] = process.argv.slice(2);
const service = createClient(url, "");
let answers: Flood = {};
let isOn = false;
let sent = 0;

process.on("message", async (order: "start" | "stop") => {
  isOn = order === "start";
  if (!isOn) return;
  answers = {};
  await Promise.all(Array.from({ length: Number(clients) }, signInAgainAndAgain));
  process.send?.(answers);
});

async function signInAgainAndAgain(): Promise<void> {
  while (isOn) {
    const number = sent++;
    const headers = { "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` };
    const body = { email: `nobody-${number}@example.com`, password: "a password of nobody" };
    const { status } = await service.request("POST", "/auth/login", { key: null, headers, body });
    answers[status] = (answers[status] ?? 0) + 1;
    if (status !== 401) await delay(IMPATIENT_MS);
  }
}
