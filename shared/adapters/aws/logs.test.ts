import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  GetQueryResultsCommand,
  StartQueryCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, expect, it } from "vitest";
import { openLogs } from "./logs.ts";

const cloudWatch = mockClient(CloudWatchLogsClient);
const logs = openLogs({ LOG_GROUP_PREFIX: "/memory-service/test/" });
const RANGE = { from: "2026-01-31T12:00:00.500Z", to: "2026-01-31T12:59:59.100Z" };
const started = () => cloudWatch.commandCalls(StartQueryCommand).map(({ args }) => args[0].input);

function row(second: number, fields: object = {}) {
  const at = `2026-01-31T12:00:0${second}.600Z`;
  const line = { level: "INFO", message: "REQUEST", timestamp: at, service: "memories", ...fields };
  const cells = { "@timestamp": at, "@message": JSON.stringify(line), "@ptr": "x" };
  return Object.entries(cells).map(([field, value]) => ({ field, value }));
}

function haveGroups(count: number) {
  const logGroups = Array.from({ length: count }, (_, index) => ({ logGroupName: `/memory-service/test/${index}` }));
  cloudWatch.on(DescribeLogGroupsCommand).resolves({ logGroups });
  cloudWatch.on(StartQueryCommand).resolves({ queryId: "q" });
}

afterEach(() => cloudWatch.reset());

it("queries all groups for the matching lines only, and quotes values from users", async () => {
  haveGroups(2);
  cloudWatch.on(GetQueryResultsCommand).resolves({ status: "Complete", results: [row(1)] });
  const { lines, total } = await logs.find({ ...RANGE, level: "warn", service: 'x" or level = "INFO' }, 10);
  const listing = cloudWatch.commandCalls(DescribeLogGroupsCommand)[0]?.args[0].input;
  expect(listing).toMatchObject({ logGroupNamePrefix: "/memory-service/test/" });
  const [query] = started();
  expect(query).toMatchObject({
    logGroupNames: ["/memory-service/test/0", "/memory-service/test/1"],
    startTime: Date.parse("2026-01-31T12:00:00Z") / 1000,
    endTime: Date.parse("2026-01-31T13:00:00Z") / 1000,
  });
  expect(query?.queryString).toContain('level = "WARN"');
  expect(query?.queryString).toContain('service = "x\\" or level = \\"INFO"');
  expect(query?.queryString).toMatch(/sort @timestamp desc \| limit 10$/);
  // Lines that do not match the request are dropped, whatever the engine returns.
  expect({ lines, total }).toEqual({ lines: [], total: 0 });
});

it("waits until the query has ended, and counts the matches beyond the limit", async () => {
  haveGroups(1);
  cloudWatch
    .on(GetQueryResultsCommand)
    .resolvesOnce({ status: "Scheduled" })
    .resolvesOnce({ status: "Running", results: [row(1)] })
    .resolves({ status: "Complete", results: [row(2), row(1)], statistics: { recordsMatched: 700 } });
  const { lines, total } = await logs.find(RANGE, 2);
  expect(lines.map(({ at }) => at)).toEqual(["2026-01-31T12:00:02.600Z", "2026-01-31T12:00:01.600Z"]);
  expect(total).toBe(700);
});

it("splits more groups than one query allows", async () => {
  haveGroups(120);
  cloudWatch
    .on(GetQueryResultsCommand)
    .resolvesOnce({ status: "Complete", results: [row(3), row(1)], statistics: { recordsMatched: 9 } })
    .resolvesOnce({ status: "Complete", results: [row(4)], statistics: { recordsMatched: 1 } })
    .resolves({ status: "Complete", results: [] });
  const { lines, total } = await logs.find(RANGE, 2);
  expect(started().map(({ logGroupNames = [] }) => logGroupNames.length)).toEqual([50, 50, 20]);
  expect(lines.map(({ at }) => at.slice(17, 19))).toEqual(["04", "03"]);
  expect(total).toBe(10);
});

it("throws if a query fails", async () => {
  haveGroups(1);
  cloudWatch.on(GetQueryResultsCommand).resolves({ status: "Failed" });
  await expect(logs.find(RANGE, 2)).rejects.toThrow("Failed");
});

it("leaves pruning to the groups' retention", async () => {
  expect(await logs.prune(0, false)).toBeUndefined();
});
