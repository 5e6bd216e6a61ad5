import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { checkAll, type LoggedRequests } from "./checks.ts";
import { Client, Record } from "./client.ts";
import { converge } from "./converge.ts";
import { FaultPlan } from "./fault-plan.ts";
import { faultyPorts } from "./faulty-ports.ts";
import { type House, Lane } from "./lane.ts";
import { Ledger } from "./ledger.ts";
import { Chances } from "./seeded.ts";

export interface FaultRun {
  operations: number;
  seed: number;
  /** Share of the calls that fail, of those that can. */
  rate: number;
  /** Number of concurrent clients. */
  lanes: number;
  /** Wraps the ports below the faults, to test the checks themselves. */
  within?: (ports: Ports) => Ports;
}

export interface FaultReport extends FaultRun {
  plan: FaultPlan;
  record: Record;
  /** Number of log lines by message. */
  lines: Map<string, number>;
  events: { occurred: number; received: number };
  /** Rounds of workers until nothing was left to do. */
  rounds: number;
  /** Work that failed permanently, and was reported as failed. */
  givenUp: string[];
  seconds: { operations: number; convergence: number };
}

/** Operations between two advances of the clock. After each one, caches have expired, and workers and schedules run. */
const TURN_EVERY = 250;
const TURN_MS = 20 * 60_000;
const ENTITIES = ["harvest", "voyage"];
/** The receiver refuses one of this many deliveries. */
const REFUSED_EVERY = 23;
const EVENTS = [
  ...["created", "updated", "deleted", "restored"].map((each) => `memory.${each}`),
  ...["session.created", "session.message.created", "session.closed"],
  ...["skill.created", "skill.updated", "skill.deleted"],
];

/** Runs operations while ports fail, stops the faults, waits until nothing is left to do, and checks the result. */
export async function runFaults(run: FaultRun): Promise<FaultReport> {
  const plan = new FaultPlan(run.seed, run.rate);
  let offset = 0;
  const clock = () => Date.now() + offset;
  const log = new Log();
  const receiver = await startReceiver();
  const service = await openService({ ALLOW_PRIVATE_TARGETS: "1" }, clock, {
    around: (ports) => faultyPorts(run.within?.(ports) ?? ports, plan, clock),
    print: (lines) => log.take(lines),
  });
  try {
    const record = new Record();
    const house = await furnish(service, record, receiver);
    const turn = async (milliseconds: number) => {
      offset += milliseconds;
      await service.host.drain();
    };
    const startedAt = performance.now();
    plan.isOn = true;
    await operate(run, house, () => turn(TURN_MS));
    plan.isOn = false;
    receiver.respond = (response) => void response.end("thanks");
    const stoppedAt = performance.now();
    const { rounds, givenUp } = await converge(house, service, turn);
    await checkAll(house, receiver, log);
    return {
      ...run,
      plan,
      record,
      lines: log.messages,
      events: { occurred: house.ledger.occurred.length, received: receiver.received.length },
      rounds,
      givenUp,
      seconds: { operations: (stoppedAt - startedAt) / 1000, convergence: (performance.now() - stoppedAt) / 1000 },
    };
  } finally {
    await service.close();
    await receiver.close();
  }
}

async function furnish(service: LocalService, record: Record, receiver: WebhookReceiver): Promise<House> {
  const [main, side] = [await createOrganization(service), await createOrganization(service)];
  const house: House = {
    record,
    ledger: new Ledger(),
    main: new Client(service, record, main.key),
    side: new Client(service, record, side.key),
    operator: new Client(service, record, service.adminKey),
    entities: [],
    webhookUrl: receiver.url,
  };
  for (const name of ENTITIES) house.entities.push(await made(house, "/entities", { name, type: "topic" }));
  const delivery_config = { timeout_ms: 5_000, retry_count: 10, retry_delay_ms: 1_000 };
  await made(house, "/webhooks", { name: "All", url: receiver.url, events: EVENTS, delivery_config });
  receiver.respond = (response) => {
    response.statusCode = receiver.received.length % REFUSED_EVERY === 0 ? 500 : 200;
    response.end();
  };
  return house;
}

async function made({ main }: House, path: string, body: object): Promise<string> {
  const outcome = await main.change("furnish", "POST", path, body);
  if (!("done" in outcome)) throw new Error(`POST ${path} failed before any fault`);
  return outcome.done.id;
}

async function operate({ operations, seed, lanes: count }: FaultRun, house: House, turn: () => Promise<void>) {
  const lanes: Lane[] = [];
  for (let number = 0; number < count; number++) {
    const agent = await untilMade(house, "/agents", { name: `Guide ${number}`, model: "m" });
    lanes.push(new Lane(house, new Chances(seed, "lane", number), number, agent));
  }
  for (let done = 0; done < operations; done += TURN_EVERY) {
    const each = Math.ceil(Math.min(TURN_EVERY, operations - done) / count);
    await inParallel(lanes, count, async (lane) => {
      for (let deed = 0; deed < each; deed++) await lane.act();
    });
    await turn();
  }
}

/** Retries until a creation succeeds while ports fail; an unacknowledged duplicate does no harm. */
async function untilMade(house: House, path: string, body: object): Promise<string> {
  for (;;) {
    const outcome = await house.main.change(`POST ${path}`, "POST", path, body);
    if ("done" in outcome) return outcome.done.id;
  }
}

/** Counts the service's log lines and collects the ids of their requests. */
class Log implements LoggedRequests {
  readonly messages = new Map<string, number>();
  /** Ids in lines that give a reason, and not only the failure. */
  readonly explained = new Set<string>();
  readonly told = new Set<string>();

  take(lines: string): void {
    for (const line of lines.split("\n")) {
      const { message, request_id } = JSON.parse(line) as { message: string; request_id?: string };
      this.messages.set(message, (this.messages.get(message) ?? 0) + 1);
      if (request_id !== undefined) this.told.add(request_id);
      if (request_id !== undefined && message !== "REQUEST") this.explained.add(request_id);
    }
  }
}
