import type { LocalService } from "../support/service.ts";
import type { House } from "./lane.ts";

/** Rounds after which remaining work counts as stuck. */
const MAX_ROUNDS = 60;
/** Longer than the time after which any lost lease, message or job is recovered. */
const ROUND_MS = 20 * 60_000;
/** Final states. */
const ENDED = new Set(["SUCCEEDED", "FAILED"]);

export interface Convergence {
  rounds: number;
  givenUp: string[];
}

/** Runs the workers and schedules, with the clock advancing, until nothing is left to do. Remaining work is a violation. */
export async function converge(
  house: House,
  service: LocalService,
  turn: (milliseconds: number) => Promise<void>,
): Promise<Convergence> {
  let left: string[] = ["not looked yet"];
  let rounds = 0;
  for (; left.length > 0 && rounds < MAX_ROUNDS; rounds++) {
    await turn(ROUND_MS);
    left = await undone(house, service);
    if (rounds % 10 === 9) await retryDeadLetters(house);
  }
  for (const each of left) house.record.violate("left undone", each);
  return { rounds, givenUp: await givenUp(house, service) };
}

async function undone({ main, side, ledger }: House, { runtime }: LocalService): Promise<string[]> {
  const left: string[] = [];
  for (const name of runtime.ports.queue.names()) {
    const { waiting, inFlight, delayed } = await runtime.ports.queue.depth(name);
    // Messages that workers could not process stay until an operator handles them.
    if (name.endsWith("-dead-letters")) continue;
    if (waiting + inFlight + delayed > 0)
      left.push(`${name}: ${waiting} waiting, ${inFlight} in flight, ${delayed} delayed`);
  }
  const { jobs } = await main.read("/compression/pipeline/status");
  if (jobs.queued + jobs.processing > 0) left.push(`jobs: ${JSON.stringify(jobs)}`);
  const { delivery_logs } = await main.read("/webhooks/delivery-logs?status=pending&limit=5");
  if (delivery_logs.length > 0) left.push(`deliveries pending: ${JSON.stringify(delivery_logs[0])}`);
  const dead = await main.read("/webhooks/dead-letter?limit=5");
  if (dead.dead_letter_entries.length > 0) left.push(`dead letters: ${JSON.stringify(dead.dead_letter_entries[0])}`);
  for (const { id } of ledger.events) {
    const { status } = await side.read(`/v1/event/${id}`);
    if (!ENDED.has(status)) left.push(`event ${id}: ${status}`);
  }
  for (const id of ledger.ids("source", ({ isDeleted }) => !isDeleted)) {
    const { status } = await side.read(`/sources/${id}`);
    if (!["active", "failed"].includes(status)) left.push(`source ${id}: ${status}`);
  }
  return left;
}

/** Retries dead letters as an operator would once receivers and workers work again. */
async function retryDeadLetters({ main }: House): Promise<void> {
  const { dead_letter_entries } = await main.read("/webhooks/dead-letter?limit=200");
  for (const { id } of dead_letter_entries) await main.change("retry", "POST", `/webhooks/dead-letter/${id}/retry`, {});
}

/** Returns the work whose every attempt failed because of faults: it is reported as failed, and left to its requester. */
async function givenUp({ main, side, ledger }: House, { runtime }: LocalService): Promise<string[]> {
  const given: string[] = [];
  const { jobs } = await main.read("/compression/pipeline/status");
  if (jobs.failed > 0) given.push(`${jobs.failed} compression jobs`);
  let failed = 0;
  for (const { id } of ledger.events) failed += (await side.read(`/v1/event/${id}`)).status === "FAILED" ? 1 : 0;
  if (failed > 0) given.push(`${failed} events of mem0's clients`);
  for (const name of runtime.ports.queue.names().filter((each) => each.endsWith("-dead-letters"))) {
    const { waiting, inFlight } = await runtime.ports.queue.depth(name);
    if (waiting + inFlight > 0) given.push(`${waiting + inFlight} messages in ${name}`);
  }
  return given;
}
