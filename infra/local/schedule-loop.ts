import { randomUUID } from "node:crypto";
import type { ScheduledEvent } from "aws-lambda";
import { type Clock, timestamp } from "../../shared/kernel/clock.ts";
import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import type { Logger } from "../../shared/kernel/logger.ts";

export interface ScheduleLoopOptions {
  /** Name of the worker, for the rule in events and logs. */
  name: string;
  everyMinutes: number;
  handler: (event: ScheduledEvent) => Promise<unknown>;
  clock: Clock;
  logger: Logger;
}

/**
 * Runs a worker at a fixed rate, never concurrently. The first run is at the start, because a frequently restarted
 * process would otherwise never run it. A failed run is logged; the next one makes up for it.
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

  /** Starts no more runs and resolves when the current one is done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#run;
  }

  /** Runs the worker now, or joins the current run; never rejects. */
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

/** The event that EventBridge sends for a rate rule. */
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
