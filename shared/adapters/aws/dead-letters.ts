import type { DynamoDBRecord } from "aws-lambda";
import type { Json } from "../../ports/json.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";
import { openQueues } from "./queue.ts";

const DEAD_LETTERS = "dead-letters";

/**
 * Sends a change that failed permanently to its worker's dead-letter queue: the record's key and its position in the
 * stream, without its content, which may exceed a message.
 */
export async function sendDeadLetter(
  { eventName, eventSourceARN, dynamodb }: DynamoDBRecord,
  environment: Environment,
): Promise<void> {
  const queue = openQueues(new Map([[DEAD_LETTERS, required(environment, ENVIRONMENT.deadLettersUrl)]]));
  const { Keys, SequenceNumber, ApproximateCreationDateTime } = dynamodb ?? {};
  const body = { eventName, eventSourceARN, dynamodb: { Keys, SequenceNumber, ApproximateCreationDateTime } };
  await queue.send(DEAD_LETTERS, [{ body: body as unknown as Json }]);
}
