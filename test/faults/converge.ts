import type { LocalService } from "../support/service.ts";
import type { House } from "./lane.ts";

/** Rounds after which what is left is taken to stay. */
const MOST_ROUNDS = 60;
/** Longer than any lease, message or job is left alone by those who make up for what was lost. */
const ROUND_MS = 20 * 60_000;
/** States that nobody leaves any more. */
const ENDED = new Set(["SUCCEEDED", "FAILED"]);

export interface Convergence {
  rounds: number;
  givenUp: string[];
}

/** Has the workers and schedules run, hours on the clock, until nothing is left to do. What stays undone is a violation. */
export async function converge(
  house: House,
  service: LocalService,
  turn: (milliseconds: number) => Promise<void>,
): Promise<Convergence> {
  let left: string[] = ["not looked yet"];
  let rounds = 0;
  for (; left.length > 0 && rounds < MOST_ROUNDS; rounds++) {
    await turn(ROUND_MS);
    left = await undone(house, service);
    if (rounds % 10 === 9) await retryDeadLetters(house);
  }
  for (const each of left) house.record.violate("left undone", each);
  return { rounds, givenUp: await givenUp(house, service) };
}

async function undone({ main, side, ledger }: House, { home }: LocalService): Promise<string[]> {
  const left: string[] = [];
  for (const name of home.ports.queue.names()) {
    const { waiting, inFlight, delayed } = await home.ports.queue.depth(name);
    // What workers gave up on stays until somebody has looked at it.
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
    if (!["active", "no_text", "failed"].includes(status)) left.push(`source ${id}: ${status}`);
  }
  return left;
}

/** As whoever looks after the webhooks does, once receivers and workers are well again. */
async function retryDeadLetters({ main }: House): Promise<void> {
  const { dead_letter_entries } = await main.read("/webhooks/dead-letter?limit=200");
  for (const { id } of dead_letter_entries) await main.change("retry", "POST", `/webhooks/dead-letter/${id}/retry`, {});
}

/** What workers tried as often as they do, while ports failed: it is told as failed, and left to whoever asked for it. */
async function givenUp({ main, side, ledger }: House, { home }: LocalService): Promise<string[]> {
  const given: string[] = [];
  const { jobs } = await main.read("/compression/pipeline/status");
  if (jobs.failed > 0) given.push(`${jobs.failed} compression jobs`);
  let failed = 0;
  for (const { id } of ledger.events) failed += (await side.read(`/v1/event/${id}`)).status === "FAILED" ? 1 : 0;
  if (failed > 0) given.push(`${failed} events of mem0's clients`);
  for (const name of home.ports.queue.names().filter((each) => each.endsWith("-dead-letters"))) {
    const { waiting, inFlight } = await home.ports.queue.depth(name);
    if (waiting + inFlight > 0) given.push(`${waiting + inFlight} messages in ${name}`);
  }
  return given;
}
