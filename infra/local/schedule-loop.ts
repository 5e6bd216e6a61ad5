import { randomUUID } from "node:crypto";
import type { ScheduledEvent } from "aws-lambda";
import { type Clock, timestamp } from "../../shared/kernel/clock.ts";
import type { Logger } from "../../shared/kernel/logger.ts";

export interface ScheduleLoopOptions {
  /** Of the worker; names the rule in events and logs. */
  name: string;
  everyMinutes: number;
  handler: (event: ScheduledEvent) => Promise<unknown>;
  clock: Clock;
  logger: Logger;
}

const MINUTE_MS = 60_000;

/**
 * Runs a worker at a fixed rate, never twice at a time. The first run is at the start: a process that is restarted more
 * often than the rate would never come to it otherwise. A run that fails is logged; the next one makes up for it.
 */
export class ScheduleLoop {
  readonly #options: ScheduleLoopOptions;
  #run: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ScheduleLoopOptions) {
    this.#options = options;
  }

  start(): void {
    const run = () => void this.drain();
    this.#timer = setInterval(run, this.#options.everyMinutes * MINUTE_MS);
    run();
  }

  /** Starts no more runs and resolves when the one at work is done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#run;
  }

  /** Runs the worker now, or joins the run at work; never rejects. */
  async drain(): Promise<void> {
    this.#run ??= this.#invoke().finally(() => {
      this.#run = undefined;
    });
    await this.#run;
  }

  async #invoke(): Promise<void> {
    const { name, handler, clock, logger } = this.#options;
    try {
      await handler(toScheduledEvent(name, clock()));
    } catch (error) {
      logger.error("SCHEDULE_FAILED", { worker: name, error });
    }
  }
}

/** The event that EventBridge sends at the rate of a rule. */
function toScheduledEvent(name: string, now: number): ScheduledEvent {
  return {
    id: randomUUID(),
    version: "0",
    account: "000000000000",
    time: timestamp(now),
    region: "local",
    resources: [`arn:aws:events:local:000000000000:rule/${name}`],
    source: "aws.events",
    "detail-type": "Scheduled Event",
    detail: {},
  };
}
