import type { DynamoDBStreamEvent } from "aws-lambda";
import type { Aftermath } from "../../infra/costs/figures.ts";
import { loadGroups } from "../../infra/groups.ts";
import { createApp } from "../../shared/entry/http/app.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type { QueueHandler } from "../contract/queue.ts";
import { createClient, type Service } from "../support/service.ts";
import { Meter, meteredPorts } from "./meter.ts";
import { type EnginePlatform, openEnginePlatform } from "./platform.ts";
import { drain, type Entry, loadWorkers, namesRead, queuesOf, streamHandler } from "./service.ts";
import type { StreamHandler } from "./stream-poller.ts";

/** The service as it is on AWS, its workers at work after an answer and not before it, with all its traffic counted. */
export interface MeteredService extends Service {
  runtime: Runtime;
  meter: Meter;
  /** Lets time pass, which stands still else: caches stay as warm as they are. */
  pass(milliseconds: number): void;
  /** Has every worker do what there is to do, told all of it at once; answers what each did, worker by worker. */
  runWorkers(): Promise<Aftermath[]>;
  close(): Promise<void>;
}

/** A worker, and what has it do all there is; answers how many changes or messages that was. */
interface Runner {
  worker: string;
  run(): Promise<number>;
}

export async function openMeteredService(): Promise<MeteredService> {
  const workers = await loadWorkers();
  const queues = workers.flatMap(({ worker }) => queuesOf(worker));
  const platform = await openEnginePlatform({ queues, settings: { LOG_LEVEL: "error" } });
  let now = Date.now();
  const clock = () => now;
  const meter = new Meter();
  const ports = meteredPorts(platform, clock, meter);
  const runtime = createRuntime(createBaseRuntime(platform.config, clock, platform.logger), ports);
  const app = createApp(await loadGroups(), runtime);
  const runners = workers.map((entry) => runnerOf(entry, platform, runtime));
  return {
    ...createClient("http://localhost", "", (request) => app.fetch(request)),
    runtime,
    meter,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    runWorkers: async () => {
      const done: Aftermath[] = [];
      for (let turns = -1; turns < done.length; ) {
        turns = done.length;
        for (const runner of runners) done.push(...(await runCounted(runner, meter)));
      }
      await platform.refreshSearch();
      return done;
    },
    close: platform.close,
  };
}

function runnerOf(entry: Entry, platform: EnginePlatform, runtime: Runtime): Runner {
  const { name: worker, source } = entry.worker;
  if (!("stream" in source)) {
    const handler = entry.bind(runtime) as QueueHandler;
    const run = async () => {
      let told = 0;
      for (const queue of namesRead(source)) told += await drain(() => platform.pollQueue(queue, handler));
      return told;
    };
    return { worker, run };
  }
  let told = 0;
  const bind = (to: Runtime) => {
    const handle = entry.bind(to) as StreamHandler;
    return (event: DynamoDBStreamEvent) => {
      told += event.Records.length;
      return handle(event);
    };
  };
  const handler = streamHandler({ ...entry, bind } as Entry, runtime);
  const run = async () => {
    told = 0;
    await drain(() => platform.pollStream(handler));
    return told;
  };
  return { worker, run };
}

async function runCounted({ worker, run }: Runner, meter: Meter): Promise<Aftermath[]> {
  let [events, cpuMs] = [0, 0];
  const traffic = await meter.measure(async () => {
    cpuMs = await processorTime(async () => {
      events = await run();
    });
  });
  return events === 0 ? [] : [{ worker, events, cpuMs, ...traffic }];
}

/** Milliseconds of processor time that something took in this process. */
export async function processorTime(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
