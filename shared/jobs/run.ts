import { timestamp } from "../kernel/clock.ts";
import { isOutOfSpace } from "../platform/backend-faults.ts";
import type { Home, OrgHome } from "../platform/context.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { isTooComplex } from "../text-work/task.ts";
import type { AnyJobHandler, JobEnd, JobHandler, JobReached, JobTurn, JobWrites } from "./handler.ts";
import { describeError, due, ended, isOver, type Job, type JobProgress, leased } from "./job.ts";
import { type JobKind, policyOf } from "./kinds.ts";
import { enqueueJob, type JobMessage, leaveDeadLetter } from "./queue.ts";
import { findJob, replaceJob } from "./records.ts";

/** Clocks of machines differ, so a message may seem to arrive before its time. */
const CLOCK_DIFFERENCE_MS = 5_000;

/**
 * Works on the job that a message names for about `turnMs`, then leaves the rest to the next message, so that others have
 * their turn. A message may come twice, late, or when the job is over. Resolves to the job as this turn left it, undefined
 * where there is none; what goes wrong in a step is stored with the job and retried.
 */
export async function runJob(
  home: Home,
  handlers: readonly AnyJobHandler[],
  { org, job: id, retry }: JobMessage,
  turnMs: number,
): Promise<Job | undefined> {
  const job = await findJob(home.ports.records, org, id);
  const isAgain = retry === true && job?.state === "failed";
  if (!job || (isOver(job) && !isAgain) || isLeased(job, home) || !isDue(job, home)) return job;
  const handler = handlers.find(({ kind }) => kind === job.kind);
  if (!handler) throw new Error(`this worker has no handler for jobs of kind '${job.kind}'`);
  const turn = new Turn({ ...home, org }, handler as unknown as JobHandler<JobKind>, job, performance.now() + turnMs);
  const name = nameOf(job);
  turns.set(name, turn);
  try {
    await turn.run();
  } finally {
    if (turns.get(name) === turn) turns.delete(name);
  }
  return turn.job;
}

/** Turns of this process that have not ended, by their jobs. */
const turns = new Map<string, Turn>();

const nameOf = ({ org, id }: Job): string => `${org}#${id}`;

/**
 * Whether a worker is at work on it. On one machine there is one process: a lease that it does not hold was left by one
 * that died, or by a turn that could not end it because the disk was full.
 */
function isLeased(job: Job, { clock, config }: Home): boolean {
  if (job.lease_until === undefined || job.lease_until <= clock()) return false;
  return config.PLATFORM !== "local" || turns.has(nameOf(job));
}

function isDue({ queued_at, lease_until }: Job, { clock }: Home): boolean {
  return lease_until !== undefined || Date.parse(queued_at) <= clock() + CLOCK_DIFFERENCE_MS;
}

class Turn implements JobTurn<JobKind> {
  readonly #home: OrgHome;
  readonly #handler: JobHandler<JobKind>;
  readonly #until: number;
  #job: Job;

  constructor(home: OrgHome, handler: JobHandler<JobKind>, job: Job, until: number) {
    this.#home = home;
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
        await this.#giveUp(new Error(this.#job.error ?? "Its worker stopped before the end each time."));
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
    return this.#store({ ...reached, ...leased(this.#job.kind, this.#home.clock()) }, writes);
  }

  async renew(progress?: JobProgress): Promise<void> {
    await this.#store({ ...leased(this.#job.kind, this.#home.clock()), ...(progress && { progress }) });
  }

  /** Counts the attempt before it is made: one that ends the process has been counted as well. */
  async #claim(): Promise<void> {
    const { kind, state, attempts, started_at } = this.#job;
    const writes = started_at === undefined ? await this.#handler.onStarted?.(this.#home, this.#job) : undefined;
    const now = this.#home.clock();
    const before = state === "failed" ? 0 : attempts;
    const begun = { attempts: before + 1, started_at: started_at ?? timestamp(now), finished_at: undefined };
    await this.#store({ ...leased(kind, now), ...begun }, writes);
  }

  /** Whether another step may follow in this turn. */
  async #step(): Promise<boolean> {
    const result = await this.#handler.step(this.#home, this);
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
    await this.#store({ ...reached, ...due(this.#job.kind, this.#home.clock(), delayMs) }, writes);
    await enqueueJob(this.#home, this.#job);
  }

  async #end({ end, error, checkpoint, progress, ...writes }: JobEnd<JobKind>): Promise<void> {
    const reached = { ...(checkpoint !== undefined && { checkpoint }), ...(progress && { progress }) };
    await this.#store({ ...reached, ...ended(end, this.#home.clock(), error) }, writes);
    await this.#follow();
  }

  /** Stores what the job becomes and what belongs to that, or nothing. Throws Superseded where the job changed elsewhere. */
  async #store(change: Partial<Job>, { writes = [], commit }: JobWrites = {}): Promise<void> {
    const { job, write } = replaceJob(this.#job, change);
    const { records } = this.#home.ports;
    try {
      await (commit ? commit(write) : records.write(write, ...writes));
    } catch (error) {
      throw (await this.#isStale(error)) ? new Superseded() : error;
    }
    this.#job = job;
  }

  /** Whether a write was refused because of the job itself, not because of what was to be written with it. */
  async #isStale(error: unknown): Promise<boolean> {
    if (!(error instanceof ConditionFailed)) return false;
    const { org, id, revision } = this.#job;
    const now = await findJob(this.#home.ports.records, org, id);
    return now?.revision !== revision;
  }

  // -------------------------------------------------------------- errors

  async #afterError(error: unknown): Promise<void> {
    // Another worker continues with it, or it was cancelled.
    if (error instanceof Superseded) return;
    // No fault of the job: the message comes again when there may be room.
    if (isOutOfSpace(error)) throw error;
    const handler = this.#handler;
    if (handler.isMoot?.(error)) return this.#cancel();
    const { org, id, kind, attempts } = this.#job;
    const level = handler.isOutside?.(error) ? "warn" : "error";
    this.#home.logger[level]("JOB_FAILED", { org, job: id, kind, attempts, error });
    const isPermanent = isTooComplex(error) || handler.isPermanent?.(error) === true;
    if (isPermanent) await this.#fail(error);
    else await (this.#hasNoAttemptLeft() ? this.#giveUp(error) : this.#retryLater(error));
  }

  #hasNoAttemptLeft(): boolean {
    return this.#job.attempts >= policyOf(this.#job.kind).maxAttempts;
  }

  async #retryLater(error: unknown): Promise<void> {
    const { kind, attempts } = this.#job;
    const next = due(kind, this.#home.clock(), policyOf(kind).retryMs(Math.max(1, attempts)));
    const change = { state: "queued" as const, error: describeError(error), lease_until: undefined, ...next };
    const { job, write } = replaceJob(this.#job, change);
    if (!(await writeUnlessChanged(this.#home, write))) return;
    this.#job = job;
    await enqueueJob(this.#home, job);
  }

  async #giveUp(error: unknown): Promise<void> {
    await this.#fail(error);
    const { kind, state } = this.#job;
    if (state === "failed" && policyOf(kind).leavesDeadLetter) await leaveDeadLetter(this.#home, this.#job);
  }

  async #fail(error: unknown): Promise<void> {
    try {
      const writes = await this.#handler.onFailed?.(this.#home, this.#job, error);
      await this.#store(ended("failed", this.#home.clock(), error), writes);
    } catch (fault) {
      if (fault instanceof Superseded) return;
      if (this.#handler.isMoot?.(fault)) return this.#cancel();
      throw fault;
    }
    await this.#follow();
  }

  async #cancel(): Promise<void> {
    const { job, write } = replaceJob(this.#job, ended("cancelled", this.#home.clock()));
    if (!(await writeUnlessChanged(this.#home, write))) return;
    this.#job = job;
    await this.#follow();
  }

  async #follow(): Promise<void> {
    const { org, id, kind } = this.#job;
    try {
      await this.#handler.onEnded?.(this.#home, this.#job);
    } catch (error) {
      this.#home.logger.error("JOB_END_NOT_FOLLOWED", { org, job: id, kind, error });
    }
  }
}
