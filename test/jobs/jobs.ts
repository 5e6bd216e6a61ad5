import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { PortName, Ports } from "../../shared/ports/ports.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type { AnyJobHandler, JobHandler } from "../../shared/runtime/jobs/handler.ts";
import { ended, isOver, type Job } from "../../shared/runtime/jobs/job.ts";
import { type JobKind, policyOf } from "../../shared/runtime/jobs/kinds.ts";
import { messageOf } from "../../shared/runtime/jobs/queue.ts";
import { findJob, replaceJob } from "../../shared/runtime/jobs/records.ts";
import { runJob } from "../../shared/runtime/jobs/run.ts";
import { sweepJobs } from "../../shared/runtime/jobs/sweep.ts";
import { replaceItem } from "../../shared/runtime/upgrades/item-upgrade.ts";
import { WORK_STEPS } from "../../shared/runtime/upgrades/steps/item-steps.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import type { JobScenario, Stage } from "./scenario.ts";
import { SCENARIOS, VARIANTS } from "./scenarios/index.ts";

const A_TURN_MS = 60_000;
/** A turn of no length takes one step. */
const ONE_STEP_MS = 0;
const MAX_TURNS = 200;

let service: LocalService;
let stage: Stage;
/** Messages that were sent to the queues of jobs since the last test. */
let sent: unknown[] = [];
let ahead = 0;

/** Opens a stage per kind, so that no job has to go through the data of another kind. */
async function openStage(): Promise<void> {
  service = await openService();
  ahead = 0;
  sent = [];
  const { org, key } = await createOrganization(service);
  const { queue } = service.runtime.ports;
  const silent = new Proxy(queue, {
    get: (_, name: keyof typeof queue) => {
      if (name === "send") return async (_queue: string, messages: unknown[]) => void sent.push(...messages);
      return (queue[name] as () => unknown).bind(queue);
    },
  });
  const runtime: Runtime = {
    ...service.runtime,
    clock: () => service.runtime.clock() + ahead,
    logger: silentLogger,
    ports: withPorts(service.runtime.ports, { queue: silent }),
  };
  stage = { request: service.request, runtime, org, key };
}

/** Ports some of which are others. */
function withPorts(ports: Ports, others: Partial<Ports>): Ports {
  return new Proxy(ports, { get: (target, name: PortName) => others[name] ?? target[name] });
}

/** A runtime whose process is killed at its write of that number: before it is made, or before its answer arrives. */
function dying(runtime: Runtime, at: number, isWritten: boolean): { runtime: Runtime; isDead: () => boolean } {
  let writes = 0;
  const dead = () => new Error("the process was killed");
  const { records, queue } = runtime.ports;
  const write: typeof records.write = async (...given) => {
    writes++;
    if (writes > at || (writes === at && !isWritten)) throw dead();
    await records.write(...given);
    if (writes === at) throw dead();
  };
  const send: typeof queue.send = async (...given) => {
    if (writes >= at) throw dead();
    await queue.send(...given);
  };
  const replaced = <T extends object>(port: T, verbs: Partial<T>) =>
    new Proxy(port, {
      get: (target, name) => {
        const verb = Reflect.get(verbs, name) ?? Reflect.get(target, name);
        return typeof verb === "function" ? verb.bind(target) : verb;
      },
    });
  const others = { records: replaced(records, { write }), queue: replaced(queue, { send }) };
  return { runtime: { ...runtime, ports: withPorts(runtime.ports, others) }, isDead: () => writes >= at };
}

/** Lets every lease, wait and queue of a job run out, and has the sweep enqueue it. */
async function sweepLater(job: Job): Promise<void> {
  ahead += DAY_MS / 2;
  sent = [];
  await sweepJobs(stage.runtime, [job]);
  const message = messageOf(job);
  expect(sent).toContainEqual(expect.objectContaining({ body: message }));
}

function find({ org, id }: Job): Promise<Job | undefined> {
  return findJob(stage.runtime.ports.records, org, id);
}

async function now(job: Job): Promise<Job> {
  const found = await find(job);
  if (!found) throw new Error(`the job is gone: ${job.id}`);
  return found;
}

async function hasEnded(job: Job): Promise<boolean> {
  const found = await find(job);
  return !found || isOver(found);
}

/** Expects a job to have ended so; one of a kind that is not kept is gone. */
async function expectEnd(job: Job, end: Partial<Job>): Promise<Job> {
  const found = await find(job);
  if (policyOf(job.kind).keptMs === 0) expect(found).toBeUndefined();
  else expect(found).toMatchObject(end);
  return found ?? job;
}

function run(runtime: Runtime, { handlers }: Pick<JobScenario<JobKind>, "handlers">, job: Job, turnMs: number) {
  return runJob(runtime, handlers, messageOf(job), turnMs);
}

/** Runs a job to its end, by turns as long as told; answers how many those were. */
async function runToEnd(scenario: JobScenario<JobKind>, job: Job, turnMs = A_TURN_MS): Promise<number> {
  for (let turns = 1; turns <= MAX_TURNS; turns++) {
    const reached = await run(stage.runtime, scenario, job, turnMs);
    if (!reached || isOver(reached)) return turns;
    // What waits for something else is due later.
    const { queued_at } = await now(job);
    ahead += Math.max(0, Date.parse(queued_at) - stage.runtime.clock());
  }
  throw new Error("the job does not come to its end");
}

async function expectDone(scenario: JobScenario<JobKind>, job: Job): Promise<void> {
  const done = await expectEnd(job, { state: "completed", kind: job.kind, input: job.input });
  expect([done.error, done.lease_until]).toEqual([undefined, undefined]);
  await scenario.expectDone(stage, done);
}

/** The same handlers, where something happens before each step's result is stored. */
function before(
  { handlers }: Pick<JobScenario<JobKind>, "handlers">,
  kind: JobKind,
  happen: (job: Job) => Promise<void>,
): readonly AnyJobHandler[] {
  return handlers.map((each) => {
    const handler = each as unknown as JobHandler<JobKind>;
    if (handler.job.kind !== kind) return each;
    const step: typeof handler.step = async (runtime, turn) => {
      const result = await handler.step(runtime, turn);
      await happen(turn.job);
      return result;
    };
    return { ...handler, step } as unknown as AnyJobHandler;
  });
}

const CASES = [...Object.entries(SCENARIOS), ...VARIANTS].map(([name, scenario]) => ({
  name,
  kind: name.split(" ")[0] as JobKind,
  scenario: scenario as unknown as JobScenario<JobKind>,
}));

/** In `npm test`; the drill kills at every write. */
const WRITES_BETWEEN_KILLS = 4;

function survivesKills(scenario: JobScenario<JobKind>, writesBetween: number): void {
  it.each([
    ["before a write", false],
    ["after a write whose answer is lost", true],
  ])("is done when the process is killed %s, whichever that is", async (_when, isWritten) => {
    for (let at = 1, hasDied = true; hasDied; at += writesBetween) {
      const job = await scenario.begin(stage);
      const { runtime, isDead } = dying(stage.runtime, at, isWritten);
      await run(runtime, scenario, job, A_TURN_MS).catch(() => undefined);
      hasDied = isDead();
      if (!(await hasEnded(job))) {
        await sweepLater(job);
        await runToEnd(scenario, job);
      }
      await expectDone(scenario, job);
      expect(at).toBeLessThan(MAX_TURNS);
    }
  });
}

/** Kills each job at each of its writes. */
export function describeKills(): void {
  describe.each(CASES)("a job of kind $name", ({ scenario }) => {
    beforeAll(openStage);
    afterAll(() => service.close());
    survivesKills(scenario, 1);
  });
}

export function describeJobs(): void {
  describe.each(CASES)("a job of kind $name", ({ kind, scenario }) => {
    beforeAll(openStage);
    afterAll(() => service.close());

    it("is done once if its message repeats, also after its end", async () => {
      const job = await scenario.begin(stage);
      await runToEnd(scenario, job);
      await expectDone(scenario, job);
      const after = await find(job);
      await run(stage.runtime, scenario, job, A_TURN_MS);
      ahead += DAY_MS;
      await run(stage.runtime, scenario, job, A_TURN_MS);
      expect(await find(job)).toEqual(after);
      await expectDone(scenario, job);
    });

    it("is done once by workers that take it at the same time", async () => {
      const job = await scenario.begin(stage);
      for (let turn = 0; turn < MAX_TURNS && !(await hasEnded(job)); turn++) {
        await Promise.all([1, 2, 3].map(() => run(stage.runtime, scenario, job, ONE_STEP_MS)));
        const { queued_at } = (await find(job)) ?? job;
        ahead += Math.max(0, Date.parse(queued_at) - stage.runtime.clock());
      }
      await expectDone(scenario, job);
    });

    it("is left alone until the lease of a worker that died is over, and is done then", async () => {
      const job = await scenario.begin(stage);
      const elsewhere: Runtime = { ...stage.runtime, config: { ...stage.runtime.config, PLATFORM: "aws" } };
      await run(dying(elsewhere, 1, true).runtime, scenario, job, A_TURN_MS).catch(() => undefined);
      const left = await now(job);
      ahead += policyOf(kind).leaseMs - A_TURN_MS;
      await run(elsewhere, scenario, job, A_TURN_MS);
      expect(await now(job)).toEqual(left);
      ahead += A_TURN_MS;
      await run(elsewhere, scenario, job, ONE_STEP_MS);
      expect((await findJob(elsewhere.ports.records, job.org, job.id))?.revision).not.toBe(left.revision);
      await runToEnd(scenario, job);
      await expectDone(scenario, job);
    });

    it("is continued at once by the only process of a machine that another one died on", async () => {
      const job = await scenario.begin(stage);
      await run(dying(stage.runtime, 1, true).runtime, scenario, job, A_TURN_MS).catch(() => undefined);
      await runToEnd(scenario, job);
      await expectDone(scenario, job);
    });

    it("is done when its turn ends after each step", async () => {
      const job = await scenario.begin(stage);
      await runToEnd(scenario, job, ONE_STEP_MS);
      await expectDone(scenario, job);
    });

    survivesKills(scenario, WRITES_BETWEEN_KILLS);

    it.runIf(scenario.former)("is done after an upgrade that finds it as an earlier release stored it", async () => {
      const job = await scenario.begin(stage);
      const { records } = stage.runtime.ports;
      await records.write({ delete: { pk: `${job.org}#${job.id}`, sk: "job" } });
      const converted = (scenario.former?.(job) ?? []).flatMap((record) => replaceItem(record, WORK_STEPS) ?? []);
      await records.write(...converted.map((put) => ({ put })));
      sent = [];
      await sweepJobs(stage.runtime, [{ kind }]);
      expect(sent).toContainEqual(expect.objectContaining({ body: messageOf(job) }));
      await runToEnd(scenario, job);
      await expectDone(scenario, job);
    });

    it("stops at its next write when it is cancelled", async () => {
      const job = await scenario.begin(stage);
      const handlers = before(scenario, kind, async (running) => {
        const { write } = replaceJob(await now(running), ended("cancelled", stage.runtime.clock()));
        await stage.runtime.ports.records.write(write);
      });
      await run(stage.runtime, { handlers }, job, A_TURN_MS);
      await expectEnd(job, { state: "cancelled" });
      await run(stage.runtime, scenario, job, A_TURN_MS);
      await expectEnd(job, { state: "cancelled" });
    });

    it("is retried after a wait when it fails, then failed with what was wrong", async () => {
      const job = await scenario.begin(stage);
      const handlers = before(scenario, kind, () => Promise.reject(new Error("the table is away")));
      const { maxAttempts } = policyOf(kind);
      for (let attempt = 1; attempt < maxAttempts; attempt++) {
        await run(stage.runtime, { handlers }, job, A_TURN_MS);
        const waiting = await now(job);
        expect(waiting).toMatchObject({ state: "queued", attempts: attempt, error: "the table is away" });
        expect(Date.parse(waiting.queued_at)).toBeGreaterThan(stage.runtime.clock());
        ahead += Date.parse(waiting.queued_at) - stage.runtime.clock();
      }
      await run(stage.runtime, { handlers }, job, A_TURN_MS);
      const failed = await expectEnd(job, { state: "failed", attempts: maxAttempts, error: "the table is away" });
      await scenario.expectFailed?.(stage, failed);
    });

    it("that stops its worker each time is failed, and none of its messages is needed for that", async () => {
      const job = await scenario.begin(stage);
      for (let attempt = 1; attempt <= policyOf(kind).maxAttempts; attempt++) {
        const { runtime } = dying(stage.runtime, 1, true);
        await run(runtime, scenario, job, A_TURN_MS).catch(() => undefined);
        expect(await now(job)).toMatchObject({ state: "running", attempts: attempt });
        await sweepLater(job);
      }
      await run(stage.runtime, scenario, job, A_TURN_MS);
      const failed = await expectEnd(job, { state: "failed" });
      await scenario.expectFailed?.(stage, failed);
      ahead += DAY_MS / 2;
      sent = [];
      await sweepJobs(stage.runtime, [{ kind }]);
      expect(sent).not.toContainEqual(expect.objectContaining({ body: messageOf(job) }));
    });
  });
}
