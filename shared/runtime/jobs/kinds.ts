/**
 * Every kind of background work with its request (`input`, which never changes) and its progress (`checkpoint`); both
 * are JSON. To add a kind: declare it in the `job-kinds.ts` of its domain, write its `JobHandler` beside it, pass the
 * handler to the worker of its queue (`jobConsumer`), add the kind to
 * shared/domain/operations/backups/components.ts, and add a scenario to test/jobs/scenarios.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the domains add its properties.
export interface JobTypes {}

export type JobKind = keyof JobTypes;
export type JobInput<Kind extends JobKind> = JobTypes[Kind]["input"];
export type JobCheckpoint<Kind extends JobKind> = JobTypes[Kind]["checkpoint"];

/** The properties of a kind that the engine needs besides its handler. Data only, so the sweep needs no handler. */
export interface JobPolicy<Kind extends JobKind = JobKind> {
  /** The queue of its messages, whose worker has the handler. */
  queue: string | ((input: JobInput<Kind>) => string);
  /** Maximum number of attempts without progress, including crashed ones; then the job fails. */
  maxAttempts: number;
  /** Milliseconds to wait after a failed attempt, given the number of attempts. */
  retryMs(attempts: number): number;
  /**
   * Milliseconds of a lease: longer than the time between two `save` or `renew` calls, and than a worker may run on
   * AWS.
   */
  leaseMs: number;
  /** Milliseconds without a worker after which a due job is enqueued again. */
  overdueMs: number;
  /** Milliseconds for which a finished job is kept; forever if absent. With 0, the end deletes the record. */
  keptMs?: number;
  /** How an organization's jobs are listed (`listJobs`); not listed if absent. Kinds may share a list. */
  list?: { name: string; by: "submission" | "state" };
  /** A job that used up its attempts leaves a message in its queue's dead-letter queue; a redrive restarts it. */
  leavesDeadLetter?: true;
}

/** A kind of job. */
export interface JobDefinition<Kind extends JobKind = JobKind> {
  kind: Kind;
  policy: JobPolicy<Kind>;
}

const POLICIES = new Map<JobKind, JobPolicy>();

/** Declares a kind of job. Its handler is a `JobHandler`, which the worker of its queue receives. */
export function defineJob<Kind extends JobKind>(kind: Kind, policy: JobPolicy<Kind>): JobDefinition<Kind> {
  POLICIES.set(kind, policy as JobPolicy);
  return { kind, policy };
}

/**
 * Returns the policy of a kind. Code that creates, finds or processes a job imports its definition, so the kind is
 * declared by then.
 */
export function policyOf(kind: JobKind): JobPolicy {
  const policy = POLICIES.get(kind);
  if (policy === undefined) throw new Error(`this process loaded no declaration of jobs of kind '${kind}'`);
  return policy;
}
