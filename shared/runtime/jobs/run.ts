import { timestamp } from "../../kernel/clock.ts";
import { isOutOfSpace } from "../../ports/backend-faults.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { ConditionFailedError, StaleJobError } from "../../ports/errors.ts";
import type { OrgRuntime, Runtime } from "../context.ts";
import { isTooComplex } from "../text-work/task.ts";
import type { AnyJobHandler, JobEnd, JobHandler, JobReached, JobTurn, JobWrites } from "./handler.ts";
import { describeError, due, ended, isOver, type Job, type JobProgress, leased } from "./job.ts";
import { type JobKind, policyOf } from "./kinds.ts";
import { enqueueJob, type JobMessage, leaveDeadLetter } from "./queue.ts";
import { findJob, replaceJob } from "./records.ts";

/** Maximum difference of hosts' clocks, because of which a message may seem to arrive early. */
const CLOCK_DIFFERENCE_MS = 5_000;

/**
 * Processes the job of a message for about `turnMs`, then leaves the rest to the next message so that other jobs get
 * their turn. A message may arrive twice, late, or after the end. Returns the job after this turn, undefined if it does
 * not exist; errors of a step are stored with the job and retried.
 */
export async function runJob(
  runtime: Runtime,
  handlers: readonly AnyJobHandler[],
  { org, job: id, retry }: JobMessage,
  turnMs: number,
): Promise<Job | undefined> {
  const job = await findJob(runtime.ports.records, org, id);
  const isRestart = retry === true && job?.state === "failed";
  if (!job || (isOver(job) && !isRestart) || isLeased(job, runtime) || !isDue(job, runtime)) return job;
  const handler = handlers.find((each) => each.job.kind === job.kind);
  if (!handler) throw new Error(`this worker has no handler for jobs of kind '${job.kind}'`);
  const turn = new Turn(
    { ...runtime, org },
    handler as unknown as JobHandler<JobKind>,
    job,
    performance.now() + turnMs,
  );
  const name = nameOf(job);
  turns.set(name, turn);
  try {
    await turn.run();
  } finally {
    if (turns.get(name) === turn) turns.delete(name);
  }
  return turn.job;
}

/** Active turns of this process by job. */
const turns = new Map<string, Turn>();

const nameOf = ({ org, id }: Job): string => `${org}#${id}`;

/**
 * Whether a worker holds the job. On one machine there is one process, so a lease that this process does not hold was
 * left by a crash, or by a turn that could not end it because the disk was full.
 */
function isLeased(job: Job, { clock, config }: Runtime): boolean {
  if (job.lease_until === undefined || job.lease_until <= clock()) return false;
  return config.PLATFORM !== "local" || turns.has(nameOf(job));
}

function isDue({ queued_at, lease_until }: Job, { clock }: Runtime): boolean {
  return lease_until !== undefined || Date.parse(queued_at) <= clock() + CLOCK_DIFFERENCE_MS;
}

class Turn implements JobTurn<JobKind> {
  readonly #runtime: OrgRuntime;
  readonly #handler: JobHandler<JobKind>;
  readonly #until: number;
  #job: Job;

  constructor(runtime: OrgRuntime, handler: JobHandler<JobKind>, job: Job, until: number) {
    this.#runtime = runtime;
    this.#handler = handler;
    this.#job = job;
    this.#until = until;
  }

  get job(): Job {
    return this.#job;
  }

  isOver(): boolean {
    return performance.now() >= this.#until;
  }

  async run(): Promise<void> {
    try {
      if (!isOver(this.#job) && this.#hasNoAttemptLeft()) {
        await this.#giveUp(new Error(this.#job.error ?? "The worker stopped before the end of every attempt."));
        return;
      }
      await this.#claim();
      while (await this.#step());
    } catch (error) {
      await this.#afterError(error);
    }
  }

  save(reached: Omit<JobReached<JobKind>, "delayMs">): Promise<void> {
    return this.#keep(reached, { attempts: 1, error: undefined });
  }

  note(reached: Omit<JobReached<JobKind>, "delayMs">): Promise<void> {
    return this.#keep(reached, {});
  }

  #keep(
    { checkpoint, progress, ...writes }: Omit<JobReached<JobKind>, "delayMs">,
    change: Partial<Job>,
  ): Promise<void> {
    const reached = { checkpoint, ...(progress && { progress }), ...change };
    return this.#store({ ...reached, ...leased(this.#job.kind, this.#runtime.clock()) }, writes);
  }

  async renew(progress?: JobProgress): Promise<void> {
    await this.#store({ ...leased(this.#job.kind, this.#runtime.clock()), ...(progress && { progress }) });
  }

  /** Counts the attempt before it starts, so that an attempt that crashes the process is counted too. */
  async #claim(): Promise<void> {
    const { kind, state, attempts, started_at } = this.#job;
    const writes = started_at === undefined ? await this.#handler.onStarted?.(this.#runtime, this.#job) : undefined;
    const now = this.#runtime.clock();
    const before = state === "failed" ? 0 : attempts;
    const started = { attempts: before + 1, started_at: started_at ?? timestamp(now), finished_at: undefined };
    await this.#store({ ...leased(kind, now), ...started }, writes);
  }

  /** Runs a step and stores its result; returns whether another step may follow in this turn. */
  async #step(): Promise<boolean> {
    const result = await this.#handler.step(this.#runtime, this);
    if ("end" in result) {
      await this.#end(result);
      return false;
    }
    if (result.delayMs === undefined && !this.isOver()) {
      await this.save(result);
      return true;
    }
    await this.#release(result);
    return false;
  }

  async #release({ checkpoint, progress, delayMs, ...writes }: JobReached<JobKind>): Promise<void> {
    const reached = {
      checkpoint,
      ...(progress && { progress }),
      attempts: 0,
      error: undefined,
      lease_until: undefined,
    };
    await this.#store({ ...reached, ...due(this.#job.kind, this.#runtime.clock(), delayMs) }, writes);
    await enqueueJob(this.#runtime, this.#job);
  }

  async #end({ end, error, checkpoint, progress, ...writes }: JobEnd<JobKind>): Promise<void> {
    const reached = { ...(checkpoint !== undefined && { checkpoint }), ...(progress && { progress }) };
    await this.#store({ ...reached, ...ended(end, this.#runtime.clock(), error) }, writes);
    await this.#runOnEnded();
  }

  /** Stores the changed job with its writes, or nothing. Throws StaleJobError if another worker changed the job. */
  async #store(change: Partial<Job>, { writes = [], commit }: JobWrites = {}): Promise<void> {
    const { job, write } = replaceJob(this.#job, change);
    const { records } = this.#runtime.ports;
    try {
      await (commit ? commit(write) : records.write(write, ...writes));
    } catch (error) {
      throw (await this.#isStale(error)) ? new StaleJobError() : error;
    }
    this.#job = job;
  }

  /** Whether a write was refused because of the job itself and not because of the other writes. */
  async #isStale(error: unknown): Promise<boolean> {
    if (!(error instanceof ConditionFailedError)) return false;
    const { org, id, revision } = this.#job;
    const now = await findJob(this.#runtime.ports.records, org, id);
    return now?.revision !== revision;
  }

  async #afterError(error: unknown): Promise<void> {
    // Another worker processes the job, or it was cancelled.
    if (error instanceof StaleJobError) return;
    // Not the job's fault: the message is delivered again when there may be space.
    if (isOutOfSpace(error)) throw error;
    const handler = this.#handler;
    if (handler.isMoot?.(error)) return this.#cancel();
    const { org, id, kind, attempts } = this.#job;
    const level = handler.isOutside?.(error) ? "warn" : "error";
    this.#runtime.logger[level]("JOB_FAILED", { org, job: id, kind, attempts, error });
    const isPermanent = isTooComplex(error) || handler.isPermanent?.(error) === true;
    if (isPermanent) await this.#fail(error);
    else await (this.#hasNoAttemptLeft() ? this.#giveUp(error) : this.#retryLater(error));
  }

  #hasNoAttemptLeft(): boolean {
    return this.#job.attempts >= policyOf(this.#job.kind).maxAttempts;
  }

  async #retryLater(error: unknown): Promise<void> {
    const { kind, attempts } = this.#job;
    const next = due(kind, this.#runtime.clock(), policyOf(kind).retryMs(Math.max(1, attempts)));
    const change = { state: "queued" as const, error: describeError(error), lease_until: undefined, ...next };
    const { job, write } = replaceJob(this.#job, change);
    if (!(await tryWrite(this.#runtime, write))) return;
    this.#job = job;
    await enqueueJob(this.#runtime, job);
  }

  async #giveUp(error: unknown): Promise<void> {
    await this.#fail(error);
    const { kind, state } = this.#job;
    if (state === "failed" && policyOf(kind).leavesDeadLetter) await leaveDeadLetter(this.#runtime, this.#job);
  }

  async #fail(error: unknown): Promise<void> {
    try {
      const writes = await this.#handler.onFailed?.(this.#runtime, this.#job, error);
      await this.#store(ended("failed", this.#runtime.clock(), error), writes);
    } catch (fault) {
      if (fault instanceof StaleJobError) return;
      if (this.#handler.isMoot?.(fault)) return this.#cancel();
      throw fault;
    }
    await this.#runOnEnded();
  }

  async #cancel(): Promise<void> {
    const { job, write } = replaceJob(this.#job, ended("cancelled", this.#runtime.clock()));
    if (!(await tryWrite(this.#runtime, write))) return;
    this.#job = job;
    await this.#runOnEnded();
  }

  /** Runs the handler's `onEnded`; an error is only logged. */
  async #runOnEnded(): Promise<void> {
    const { org, id, kind } = this.#job;
    try {
      await this.#handler.onEnded?.(this.#runtime, this.#job);
    } catch (error) {
      this.#runtime.logger.error("JOB_END_NOT_FOLLOWED", { org, job: id, kind, error });
    }
  }
}
