import type { Capability } from "./ports.ts";

/** What `group.ts` of an endpoint group says of it; data only, read by the CDK app, the local host, OpenAPI and the tests. */
export interface GroupManifest {
  name: string;
  /** What the paths this group answers begin with: one segment (`/memories`) or two, where groups share the first. */
  prefixes: string[];
  /** Ports its verbs may use; also what its function is granted. Asking for another port throws. */
  capabilities: Capability[];
  memoryMb: number;
  timeoutSeconds: number;
  /** Files of packages that its code reads while it runs, as globs that begin with the package; deployed beside the code. */
  packageFiles?: string[];
  /** Files of its own folder that its code reads while it runs, as globs; deployed in a folder of the group's name. */
  files?: string[];
  /** Takes keys made for an agent: its verbs show them nothing but what is that agent's. Other groups refuse such keys. */
  admitsAgents?: true;
  /** Speaks as clients of mem0 expect: errors tell their message in `detail` too, and the document marks the routes. */
  compatibility?: true;
}

export type WorkerSource =
  /**
   * The table's change feed, confined to records of these kinds. Each shard is worked off by one batch after the other, or
   * so many at once (to 10); the changes of one record stay in order either way.
   */
  | { stream: { kinds: string[]; batchesAtOnce?: number } }
  /**
   * One worker may read several queues. On one machine none of a later one is taken while any message of an earlier one
   * waits; with `concurrency`, each is read by itself, up to so many batches at a time. On AWS each always is: Lambda polls
   * them side by side, so that what is urgent waits for nothing else, and the rest need not wait for it.
   */
  | {
      queues: {
        names: string[];
        batchSize: number;
        maxReceives: number;
        concurrency?: number;
        /** What was worked on when the process died comes again, within `maxReceives`: the work is too small to harm it. */
        redeliverAfterCrash?: true;
      };
    }
  /** What the readers of these queues, which others make, gave up on. */
  | { deadLetters: { of: string[]; batchSize: number } }
  /** Every so many minutes. */
  | { schedule: { everyMinutes: number } };

/** What `worker.ts` of a worker says of it. */
export interface WorkerManifest {
  name: string;
  source: WorkerSource;
  capabilities: Capability[];
  memoryMb: number;
  timeoutSeconds: number;
}
