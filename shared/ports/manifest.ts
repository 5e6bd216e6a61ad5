import type { Capability, PortName } from "./ports.ts";
import type { SecretPurpose } from "./secret-names.ts";

/** Maximum timeout of a function behind API Gateway, whose own timeout is 30 s. */
export const API_TIMEOUT_SECONDS = 29;

/** The folder of a deployment that has a folder of files for each group with `files`. */
export const GROUP_FILES_FOLDER = "files";

/** The manifest of an endpoint group; data only, read by the CDK app, the local host, OpenAPI and the tests. */
export interface GroupManifest {
  name: string;
  /** Path prefixes of this group: one segment (`/memories`), or two if groups share the first. */
  prefixes: string[];
  /** Ports that its verbs may use and that its function is granted. Other ports throw. */
  capabilities: Capability[];
  memoryMb: number;
  /** The default is API_TIMEOUT_SECONDS, which is also the maximum. */
  timeoutSeconds?: number;
  /** Globs of package files that its code reads at run time, starting with the package; deployed beside the code. */
  packageFiles?: string[];
  /** Globs of its own files that its code reads at run time; deployed in GROUP_FILES_FOLDER/name. */
  files?: string[];
  /** Globs of files in the repository's root that its code reads at run time; deployed in the same folder. */
  rootFiles?: string[];
  /** Whether it accepts agents' keys: its verbs show only what the agent may see. Other groups refuse such keys. */
  allowsAgentKeys?: true;
  /** Path of the OAuth resource that its routes are: tokens of OAuth clients must be for it. The default is the API. */
  resource?: "/mcp";
  /** For mem0 clients: errors repeat their message in `detail`, and the document marks the routes. */
  compatibility?: true;
}

export type WorkerSource =
  /**
   * The table's change feed, limited to records of these kinds. Each shard is processed batch by batch, in order. With
   * `partSize`, Lambda's batches are consumed in parts, so that a failure does not repeat what was done before it.
   */
  | { stream: { kinds: string[]; partSize?: number } }
  /**
   * A worker may read several queues. On a local server, a later queue is read only while earlier ones are empty; with
   * `concurrency`, each is read independently with that many batches at once. On AWS, Lambda always polls each
   * independently.
   */
  | {
      queues: {
        names: string[];
        batchSize: number;
        maxReceives: number;
        /** Maximum batches of each queue at once on AWS, so that a backlog leaves executions for requests. */
        maxConcurrency: number;
        concurrency?: number;
        /** Work of a process that died is delivered again, within `maxReceives`: it is too small to cause a crash. */
        redeliverAfterCrash?: true;
      };
    }
  /** Dead letters of these queues' readers. */
  | { deadLetters: { of: string[]; batchSize: number } }
  /** A schedule with an interval in minutes. */
  | { schedule: { everyMinutes: number } };

/** The manifest of a worker in its `worker.ts`. */
export interface WorkerManifest {
  name: string;
  /** Name of the function, its log, dead letters and position in the change feed, if an earlier release chose it. */
  deployedName?: string;
  source: WorkerSource;
  capabilities: Capability[];
  memoryMb: number;
  timeoutSeconds: number;
}

/** The name of the worker in a deployment, which a renamed worker keeps. */
export function deployedNameOf({ name, deployedName = name }: WorkerManifest): string {
  return deployedName;
}

const SECRETS = "secrets:";
const SENDS = "queue:";

/** The port of a capability. */
export function portOf(capability: Capability): PortName {
  const [port] = capability.split(":", 1);
  return port as PortName;
}

/** The queue that a capability allows to send to; undefined for other capabilities. */
export function queueSentTo(capability: Capability): string | undefined {
  return capability.startsWith(SENDS) ? capability.slice(SENDS.length) : undefined;
}

/** The secret purpose of a capability; undefined for other ports. */
export function secretPurposeOf(capability: Capability): SecretPurpose | undefined {
  return capability.startsWith(SECRETS) ? (capability.slice(SECRETS.length) as SecretPurpose) : undefined;
}
