import type { Json, JsonObject } from "./json.ts";

export interface QueueMessage {
  body: Json;
  /** 0..900. */
  delaySeconds?: number;
}

export interface QueueDepth {
  waiting: number;
  inFlight: number;
  delayed: number;
}

/** Work in progress when a process died, by its worker's message. */
export interface QuarantinedWork {
  id: string;
  queue: string;
  body: JsonObject;
  /** Epoch milliseconds, like `quarantinedAt`. */
  startedAt: number;
  quarantinedAt: number;
}

/** Queues are named by their workers' manifests; consumers receive real SQSEvents, at least once, in any order. */
export interface Queue {
  send(queue: string, messages: QueueMessage[]): Promise<void>;
  depth(queue: string): Promise<QueueDepth>;
  /** Every queue, including dead-letter queues, in alphabetical order. */
  names(): string[];
  /**
   * Runs in this process what a message asks a worker to do, marked like that worker's work: if the process dies
   * meanwhile, it is quarantined. Lifts an earlier quarantine of the same work.
   */
  working<T>(queue: string, body: JsonObject, work: () => Promise<T>): Promise<T>;
  /** Work that no schedule restarts, oldest first. Empty on AWS: see redrive policies. */
  quarantined(): Promise<QuarantinedWork[]>;
  /** Sends quarantined work to its queue, which lifts the quarantine. */
  resume(work: QuarantinedWork): Promise<void>;
  /** As `RecordInventory.scrub`. */
  scrub?(): Promise<boolean>;
  ping(): Promise<void>;
}
