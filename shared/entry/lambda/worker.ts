import middy, { type MiddyfiedHandler } from "@middy/core";
import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
} from "aws-lambda";
import { readChanges } from "../../adapters/aws/stream-event.ts";
import { withFields } from "../../kernel/logger.ts";
import { inParallel } from "../../kernel/parallel.ts";
import { isBackendFault, isOutOfSpace } from "../../ports/backend-faults.ts";
import type { ChangeConsumer, RecordChange } from "../../ports/changes.ts";
import { deployedNameOf, type WorkerManifest } from "../../ports/manifest.ts";
import type { MessageConsumer } from "../../ports/messages.ts";
import { type Runtime, restrictPorts } from "../../runtime/context.ts";
import { loadConfig } from "../config.ts";
import { openFunctionRuntime } from "../runtime.ts";
import { openAtInit, openOnce } from "./open-once.ts";
import { inParts } from "./parts.ts";
import { quarantinePoisonRecords } from "./poisoned-changes.ts";

/**
 * Options without an early timeout: its error would end the invocation while the work continues, in parallel with the
 * redelivery.
 */
const NO_EARLY_TIMEOUT = { timeoutEarlyInMillis: 0 };

type Handler<Event, Answer> = (event: Event) => Promise<Answer>;

/** A worker's entry. `handler` is the entry point on Lambda; `bind` returns the same handler for a given runtime. */
export interface WorkerEntry<Event, Answer> {
  worker: WorkerManifest;
  bind(runtime: Runtime): Handler<Event, Answer>;
  handler: MiddyfiedHandler<Event, Answer>;
  /** Creates the runtime of `handler` before its first invocation. */
  open(): Promise<Runtime>;
}

/** What a worker's `worker.ts` exports: its manifest, and its code for the manifest's source. */
export type WorkerModule = { worker: WorkerManifest } & (
  | { createChangeConsumer(runtime: Runtime): ChangeConsumer }
  | { createMessageConsumer(runtime: Runtime): MessageConsumer }
  | { createScheduledJob(runtime: Runtime): () => Promise<void> }
);

/** Returns the handler of a worker, opened if that succeeds. */
export async function workerHandler(module: WorkerModule) {
  const { handler, open } = workerEntry(module);
  await openAtInit(open);
  return handler;
}

/** Returns the entry of a worker of any kind. */
export function workerEntry(module: WorkerModule) {
  if ("createChangeConsumer" in module) return streamWorker(module.worker, module.createChangeConsumer);
  if ("createMessageConsumer" in module) return queueWorker(module.worker, module.createMessageConsumer);
  return scheduleWorker(module.worker, module.createScheduledJob);
}

/** A worker's entry on the change feed. `follow` returns its handler of changes that are not encoded as an event. */
export interface StreamEntry extends WorkerEntry<DynamoDBStreamEvent, DynamoDBBatchResponse> {
  follow(runtime: Runtime): Handler<RecordChange[], DynamoDBBatchResponse>;
}

/** The runtime with the worker's own logger and ports. */
function ofWorker(worker: WorkerManifest, runtime: Runtime): Runtime {
  const logger = withFields(runtime.logger, { service: deployedNameOf(worker) });
  return { ...runtime, logger, ports: restrictPorts(runtime.ports, worker.capabilities, worker.name) };
}

function createEntry<Event, Answer>(
  worker: WorkerManifest,
  makeHandler: (runtime: Runtime) => Handler<Event, Answer>,
  /** A wrapper that only Lambda needs. */
  onLambda = (handle: Handler<Event, Answer>, _runtime: Runtime) => handle,
): WorkerEntry<Event, Answer> {
  const bind = (runtime: Runtime) => makeHandler(ofWorker(worker, runtime));
  // A configuration that is not valid must reject, so that the first invocation reports it.
  const open = openOnce(async () => openFunctionRuntime(loadConfig(process.env), worker.capabilities));
  let handle: Handler<Event, Answer> | undefined;
  const handler = middy(async (event: Event) => {
    const runtime = await open();
    handle ??= onLambda(bind(runtime), runtime);
    const answer = await handle(event);
    // The function may be frozen after its response.
    await runtime.rollups.flush();
    return answer;
  }, NO_EARLY_TIMEOUT);
  return { worker, bind, handler, open };
}

/**
 * Returns the entry of a worker on the change feed. If a batch fails, its changes are processed one by one and the
 * first failing one is reported: the feed resumes there, so a bad record blocks only its own shard. A backend outage is
 * thrown, because no change is at fault.
 */
export function streamWorker(
  worker: WorkerManifest,
  createConsumer: (runtime: Runtime) => ChangeConsumer,
): StreamEntry {
  const handlerOf = (runtime: Runtime) => {
    const consume = createConsumer(runtime);
    return (changes: RecordChange[]) => consumeChanges(runtime, worker.name, consume, changes);
  };
  const entry = createEntry<DynamoDBStreamEvent, DynamoDBBatchResponse>(
    worker,
    (runtime) => {
      const handle = handlerOf(runtime);
      return (event) => handle(readChanges(event));
    },
    (handle, { logger }) => {
      const { name, source } = worker;
      const partSize = "stream" in source ? source.stream.partSize : undefined;
      const inOrder = partSize === undefined ? handle : inParts(handle, partSize, { logger, name });
      return quarantinePoisonRecords(inOrder, { name, logger, park: parkOnAws });
    },
  );
  return { ...entry, follow: (runtime) => handlerOf(ofWorker(worker, runtime)) };
}

async function parkOnAws(record: DynamoDBRecord): Promise<void> {
  const { sendDeadLetter } = await import("../../adapters/aws/dead-letters.ts");
  await sendDeadLetter(record, process.env);
}

async function consumeChanges(
  { logger }: Runtime,
  worker: string,
  consume: ChangeConsumer,
  changes: RecordChange[],
): Promise<DynamoDBBatchResponse> {
  try {
    await consume(changes);
    return { batchItemFailures: [] };
  } catch (error) {
    if (isBackendFault(error)) throw error;
    logger.warn("CHANGES_FAILED_TOGETHER", { worker, changes: changes.length, error });
  }
  for (const change of changes) {
    try {
      await consume([change]);
    } catch (error) {
      if (isBackendFault(error)) throw error;
      logger.error("CHANGE_FAILED", { worker, sequence: change.sequence, error });
      return { batchItemFailures: [{ itemIdentifier: change.sequence }] };
    }
  }
  return { batchItemFailures: [] };
}

/**
 * Returns the entry of a worker on queues. Messages fail individually and are redelivered until they move to the
 * dead-letter queue. A full disk is thrown at the end, because no message is at fault.
 */
export function queueWorker(worker: WorkerManifest, createConsumer: (runtime: Runtime) => MessageConsumer) {
  return createEntry(worker, (runtime) => {
    const consumer = createConsumer(runtime);
    return (event: SQSEvent) => consumeMessages(runtime, worker.name, consumer, event);
  });
}

async function consumeMessages(
  { logger }: Runtime,
  worker: string,
  consumer: MessageConsumer,
  { Records }: SQSEvent,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse["batchItemFailures"] = [];
  let fullDisk: unknown;
  await inParallel(Records, await consumer.width(), async ({ messageId, body, attributes }) => {
    try {
      await consumer.consume({ body: JSON.parse(body), receiveCount: Number(attributes.ApproximateReceiveCount) });
    } catch (error) {
      if (isOutOfSpace(error)) fullDisk = error;
      else logger.error("MESSAGE_FAILED", { worker, message_id: messageId, error });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  });
  if (fullDisk !== undefined) throw fullDisk;
  return { batchItemFailures };
}

/** Returns the entry of a worker that runs on a schedule. It may run twice, so each run does only what is due. */
function scheduleWorker(worker: WorkerManifest, createJob: (runtime: Runtime) => () => Promise<void>) {
  return createEntry(worker, (runtime) => {
    const run = createJob(runtime);
    return (_event: unknown) => run();
  });
}
