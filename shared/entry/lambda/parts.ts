import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import type { Logger } from "../../kernel/logger.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { isBackendFault } from "../../ports/backend-faults.ts";

type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** An answer to Lambda, and whether an outage is the reason why the feed resumes at the reported change. */
export interface PartsAnswer extends DynamoDBBatchResponse {
  isOutage?: boolean;
}

/**
 * Handles a batch in parts, in order, so that a failure repeats only the part that failed and those after it. A failure of
 * the first part is thrown, because nothing was done.
 */
export function inParts(
  handle: Handler,
  partSize: number,
  { logger, name }: { logger: Logger; name: string },
): (event: DynamoDBStreamEvent) => Promise<PartsAnswer> {
  return async ({ Records }) => {
    for (const [index, part] of inBatches(Records, partSize).entries()) {
      try {
        const answer = await handle({ Records: part });
        if (answer.batchItemFailures.length > 0) return answer;
      } catch (error) {
        const itemIdentifier = part[0]?.dynamodb?.SequenceNumber;
        if (index === 0 || itemIdentifier === undefined) throw error;
        logger.warn("CHANGES_INTERRUPTED", { worker: name, done: index * partSize, of: Records.length, error });
        return { batchItemFailures: [{ itemIdentifier }], isOutage: isBackendFault(error) };
      }
    }
    return { batchItemFailures: [] };
  };
}
