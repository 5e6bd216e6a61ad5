import type { StoredRecord } from "../../shared/ports/record-store.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type { AnyJobHandler } from "../../shared/runtime/jobs/handler.ts";
import type { Job } from "../../shared/runtime/jobs/job.ts";
import type { JobKind } from "../../shared/runtime/jobs/kinds.ts";
import type { Service } from "../support/service.ts";

/** A service whose queues are silent: jobs run when a test runs them. */
export interface Stage extends Service {
  runtime: Runtime;
  org: string;
  /** An admin key of `org`. */
  key: string;
}

/** What the table must know of a kind to try everything on it that goes wrong with jobs. */
export interface JobScenario<Kind extends JobKind> {
  handlers: readonly AnyJobHandler[];
  /** Stores a job that is not enqueued, of several steps where the kind has several. */
  begin(stage: Stage): Promise<Job<Kind>>;
  /** Expects what a job that was begun has to have done: all of it, and nothing twice. */
  expectDone(stage: Stage, job: Job<Kind>): Promise<void>;
  /** What the last release without this engine stored for such a job that it had begun; absent for later kinds. */
  former?(job: Job<Kind>): StoredRecord[];
  /** Expects what its public resource tells of a failure; nothing where the job itself is all there is. */
  expectFailed?(stage: Stage, job: Job<Kind>): Promise<void>;
}
