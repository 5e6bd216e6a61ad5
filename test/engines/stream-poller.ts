import { type _Record, type AttributeValue, DynamoDBStreams } from "@aws-sdk/client-dynamodb-streams";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { isBackendFault } from "../../shared/ports/backend-faults.ts";

/** A stream worker's handler, as Lambda calls it. */
export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/**
 * Emulates Lambda's event source of a table's stream: passes all new changes to a handler, in order. Each handler has
 * its own position; one that reports a failure receives that change and the following ones again.
 */
export function createStreamPoller(table: string) {
  const streams = new DynamoDBStreams();
  const places = new Map<StreamHandler, number>();
  const seen: DynamoDBRecord[] = [];
  /** The position in each open shard; read once, because describing a stream is slower than reading it. */
  let iterators: string[] | undefined;

  const openShards = async (): Promise<string[]> => {
    const { Streams = [] } = await streams.listStreams({ TableName: table });
    const opened: string[] = [];
    for (const { StreamArn = "" } of Streams) {
      const { StreamDescription } = await streams.describeStream({ StreamArn });
      for (const { ShardId = "" } of StreamDescription?.Shards ?? []) {
        const start = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" });
        if (start.ShardIterator) opened.push(start.ShardIterator);
      }
    }
    return opened;
  };

  const read = async (): Promise<void> => {
    iterators ??= await openShards();
    for (const [index, ShardIterator] of iterators.entries()) {
      const { Records = [], NextShardIterator } = await streams.getRecords({ ShardIterator });
      if (!NextShardIterator) throw new Error("a shard of the stream has ended, for which these tests are too short");
      seen.push(...Records.map(toRecord));
      iterators[index] = NextShardIterator;
    }
  };

  const pass = async (handler: StreamHandler): Promise<number> => {
    const index = places.get(handler) ?? 0;
    const records = seen.slice(index);
    if (records.length === 0) return 0;
    const answer = await handler({ Records: records }).catch(unlessOutage);
    if (answer === undefined) return 0;
    const failed = answer.batchItemFailures.map(({ itemIdentifier }) =>
      records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier),
    );
    const done = Math.min(records.length, ...failed);
    places.set(handler, index + done);
    return done;
  };

  /** Returns the total number of changes that the handlers have processed. Do not call it concurrently. */
  return async (...handlers: StreamHandler[]): Promise<number> => {
    await read();
    let done = 0;
    for (const handler of handlers) done += await pass(handler);
    return done;
  };
}

/** After an outage the whole batch is delivered again with the next poll. */
function unlessOutage(error: unknown): undefined {
  if (!isBackendFault(error)) throw error;
}

function toRecord({ dynamodb, ...rest }: _Record): DynamoDBRecord {
  const images = { NewImage: mendImage(dynamodb?.NewImage), OldImage: mendImage(dynamodb?.OldImage) };
  // In seconds, like the service's value; this poller reads the change soon after it.
  const ApproximateCreationDateTime = Math.floor(Date.now() / 1000);
  return asLambdaTells({ ...rest, dynamodb: { ...dynamodb, ...images, ApproximateCreationDateTime } });
}

type Image = Record<string, AttributeValue>;

/** DynamoDB Local's stream returns an empty map as `{}`, where DynamoDB returns `{"M": {}}`. */
function mendImage(image: Image | undefined): Image | undefined {
  return image && Object.fromEntries(Object.entries(image).map(([name, value]) => [name, mendValue(value)]));
}

function mendValue(value: AttributeValue): AttributeValue {
  if (value.L) return { L: value.L.map(mendValue) };
  if (value.M) return { M: mendImage(value.M) ?? {} };
  return Object.keys(value).length === 0 ? { M: {} } : value;
}

/** The SDK and Lambda use the same record; its type differs in members that are never used here. */
function asLambdaTells(record: object): DynamoDBRecord {
  return record as DynamoDBRecord;
}
