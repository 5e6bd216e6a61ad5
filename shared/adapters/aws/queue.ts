import {
  type BatchResultErrorEntry,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { inSizedBatches } from "../../kernel/parallel.ts";
import { BackendBusyError } from "../../ports/errors.ts";
import type { JsonObject } from "../../ports/json.ts";
import { requireDelays } from "../../ports/preconditions.ts";
import type { QuarantinedWork, Queue, QueueDepth, QueueMessage } from "../../ports/queue.ts";
import { attempts } from "./backoff.ts";
import { type Environment, queueUrls } from "./environment.ts";

/** The limits of one SendMessageBatch. */
const BATCH_LIMITS = { maxItems: 10, maxSize: 262_144 };

/** Queues by name. Queue URLs of deployments name AWS's host; the SDK's settings decide where requests are sent. */
export function openQueues(urls: ReadonlyMap<string, string>): Queue {
  return new SqsQueue(new SQSClient({ useQueueUrlAsEndpoint: false }), urls);
}

export function openQueue(environment: Environment): Queue {
  return openQueues(queueUrls(environment));
}

/** Queue on SQS; `urls` maps queue names to URLs. */
export class SqsQueue implements Queue {
  readonly #client: SQSClient;
  readonly #urls: ReadonlyMap<string, string>;

  constructor(client: SQSClient, urls: ReadonlyMap<string, string>) {
    this.#client = client;
    this.#urls = urls;
  }

  async send(queue: string, messages: QueueMessage[]): Promise<void> {
    const url = this.#urlOf(queue);
    requireDelays(messages);
    for (const batch of inSizedBatches(messages.map(toEntry), bytesOf, BATCH_LIMITS)) await this.#sendBatch(url, batch);
  }

  async depth(queue: string): Promise<QueueDepth> {
    const { Attributes = {} } = await this.#client.send(
      new GetQueueAttributesCommand({
        QueueUrl: this.#urlOf(queue),
        AttributeNames: [
          "ApproximateNumberOfMessages",
          "ApproximateNumberOfMessagesNotVisible",
          "ApproximateNumberOfMessagesDelayed",
        ],
      }),
    );
    return {
      waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
      inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
      delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
    };
  }

  names(): string[] {
    return [...this.#urls.keys()].sort();
  }

  working<T>(_queue: string, _body: JsonObject, work: () => Promise<T>): Promise<T> {
    return work();
  }

  async quarantined(): Promise<QuarantinedWork[]> {
    return [];
  }

  async resume({ queue }: QuarantinedWork): Promise<void> {
    throw new Error(`'${queue}' has no quarantined work: redrive its dead letters`);
  }

  async ping(): Promise<void> {
    const [url] = this.#urls.values();
    if (url === undefined) throw new Error("no queue is configured");
    await this.#client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }));
  }

  #urlOf(queue: string): string {
    const url = this.#urls.get(queue);
    if (url === undefined) throw new Error(`no queue '${queue}' is configured`);
    return url;
  }

  /** A batch may be accepted in part: transient failures are sent again, sender faults are not. */
  async #sendBatch(url: string, batch: SendMessageBatchRequestEntry[]): Promise<void> {
    let pending = batch;
    let refused: BatchResultErrorEntry | undefined;
    for await (const _attempt of attempts()) {
      const { Failed = [] } = await this.#client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: pending }));
      if (Failed.length === 0) return;
      refused = Failed.find(({ SenderFault }) => SenderFault) ?? Failed[0];
      if (refused?.SenderFault) break;
      const failed = new Set(Failed.map(({ Id }) => Id));
      pending = pending.filter(({ Id }) => failed.has(Id));
    }
    const message = `SQS refused messages of a batch of ${batch.length}: ${refused?.Message ?? "no reason given"}`;
    throw refused?.SenderFault ? new Error(message) : new BackendBusyError(message);
  }
}

function toEntry({ body, delaySeconds }: QueueMessage, index: number): SendMessageBatchRequestEntry {
  return { Id: String(index), MessageBody: JSON.stringify(body), DelaySeconds: delaySeconds };
}

function bytesOf({ MessageBody = "" }: SendMessageBatchRequestEntry): number {
  return Buffer.byteLength(MessageBody);
}
