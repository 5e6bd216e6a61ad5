import middy, { type MiddyfiedHandler } from "@middy/core";
import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
} from "aws-lambda";
import { loadConfig } from "../kernel/config.ts";
import { withFields } from "../kernel/logger.ts";
import { inParallel } from "../kernel/parallel.ts";
import { readChanges } from "../platform/aws/stream-event.ts";
import { isBackendFault, isOutOfSpace } from "../platform/backend-faults.ts";
import type { ChangeConsumer, RecordChange } from "../platform/changes.ts";
import { confine, type Home } from "../platform/context.ts";
import { openFunctionHome } from "../platform/home.ts";
import type { WorkerManifest } from "../platform/manifest.ts";
import type { MessageConsumer } from "../platform/messages.ts";
import { openOnce } from "./open-once.ts";
import { parkingPoison } from "./poisoned-changes.ts";

/** An error before the end would leave the process, and what it is at would go on beside its own second delivery. */
const KILLED_WHEN_LATE = { timeoutEarlyInMillis: 0 };

type Handler<Event, Answer> = (event: Event) => Promise<Answer>;

/** A worker as its `handler.ts` exports it: `handler` is the Lambda entry point, `bind` the same in a given home. */
export interface WorkerEntry<Event, Answer> {
  worker: WorkerManifest;
  bind(home: Home): Handler<Event, Answer>;
  handler: MiddyfiedHandler<Event, Answer>;
}

function workerEntry<Event, Answer>(
  worker: WorkerManifest,
  makeHandler: (home: Home) => Handler<Event, Answer>,
  /** What Lambda alone needs around it. */
  onLambda = (handle: Handler<Event, Answer>, _home: Home) => handle,
): WorkerEntry<Event, Answer> {
  const bind = (home: Home) => {
    const logger = withFields(home.logger, { service: worker.name });
    return makeHandler({ ...home, logger, ports: confine(home.ports, worker.capabilities, worker.name) });
  };
  const open = openOnce(() => openFunctionHome(loadConfig(process.env), worker.capabilities));
  let handle: Handler<Event, Answer> | undefined;
  const handler = middy(async (event: Event) => {
    const home = await open();
    handle ??= onLambda(bind(home), home);
    const answer = await handle(event);
    // A function may be frozen for good after its answer.
    await home.rollups.flush();
    return answer;
  }, KILLED_WHEN_LATE);
  return { worker, bind, handler };
}

/**
 * A worker on the change feed. A batch that fails is gone through change by change, and the feed is told the first that
 * still fails: it comes again from there, so one bad record holds up no more than its own shard. What a backend's outage
 * fails is thrown, as no change is to blame for it, and none behind it would fare better.
 */
export function streamWorker(worker: WorkerManifest, createConsumer: (home: Home) => ChangeConsumer) {
  return workerEntry<DynamoDBStreamEvent, DynamoDBBatchResponse>(
    worker,
    (home) => {
      const consume = createConsumer(home);
      return (event) => consumeChanges(home, worker.name, consume, readChanges(event));
    },
    (handle, { logger }) => parkingPoison(handle, { name: worker.name, logger, park: parkOnAws }),
  );
}

async function parkOnAws(record: DynamoDBRecord): Promise<void> {
  const { sendDeadLetter } = await import("../platform/aws/dead-letters.ts");
  await sendDeadLetter(record, process.env);
}

async function consumeChanges(
  { logger }: Home,
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
 * A worker on queues. Messages fail one by one: those that do come again, until they end in the dead letters. A full disk
 * is thrown once all have ended, as it is no fault of a message.
 */
export function queueWorker(worker: WorkerManifest, createConsumer: (home: Home) => MessageConsumer) {
  return workerEntry(worker, (home) => {
    const consumer = createConsumer(home);
    return (event: SQSEvent) => consumeMessages(home, worker.name, consumer, event);
  });
}

async function consumeMessages(
  { logger }: Home,
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

/** A worker that runs every so many minutes; may run twice, so each run does only what is due. */
export function scheduleWorker(worker: WorkerManifest, createJob: (home: Home) => () => Promise<void>) {
  return workerEntry(worker, (home) => {
    const run = createJob(home);
    return (_event: unknown) => run();
  });
}
