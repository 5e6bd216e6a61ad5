import { randomUUID } from "node:crypto";
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  DeleteLogGroupCommand,
  PutLogEventsCommand,
} from "@aws-sdk/client-cloudwatch-logs";

const STREAM = "stand-in";

/** A separate log group, into which lines are written as Lambda writes a function's output. */
export async function openLogGroup() {
  const client = new CloudWatchLogsClient();
  const prefix = `/memory-service/${randomUUID()}/`;
  const logGroupName = `${prefix}all`;
  await client.send(new CreateLogGroupCommand({ logGroupName }));
  await client.send(new CreateLogStreamCommand({ logGroupName, logStreamName: STREAM }));
  let writing: Promise<unknown> = Promise.resolve();
  let isDropped = false;
  const put = (lines: string) => {
    const events = lines.split("\n").map((message) => ({ message, timestamp: momentOf(message) }));
    const logEvents = events.sort((a, b) => a.timestamp - b.timestamp);
    return client.send(new PutLogEventsCommand({ logGroupName, logStreamName: STREAM, logEvents }));
  };
  return {
    prefix,
    /** Resolves when the lines can be queried. Lines logged during the teardown belong to no test. */
    write: (lines: string): Promise<unknown> => {
      if (isDropped) return writing;
      writing = writing.then(() => put(lines));
      return writing;
    },
    drop: async () => {
      isDropped = true;
      await writing;
      await client.send(new DeleteLogGroupCommand({ logGroupName }));
    },
  };
}

function momentOf(line: string): number {
  const found = /"timestamp":"([^"]+)"/.exec(line)?.[1];
  return found === undefined ? Date.now() : Date.parse(found);
}
