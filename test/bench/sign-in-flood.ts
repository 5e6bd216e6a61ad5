/** Signs in nobody, from many networks at once, while it is told to; for `sign-ins.ts`, in a process of its own. */
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../support/service.ts";

/** Answers by their status. */
export type Flood = Record<number, number>;

/** What a refused client waits: a quarter of what it is told to. */
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
