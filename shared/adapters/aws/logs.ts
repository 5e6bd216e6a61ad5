import { setTimeout as delay } from "node:timers/promises";
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  paginateDescribeLogGroups,
  StartQueryCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { inBatches } from "../../kernel/parallel.ts";
import { identified, matches, type ParsedLine, parseLine } from "../../ports/log-line.ts";
import type { LogFilter, LogLine, LogStore } from "../../ports/log-store.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";

/** Maximum log groups per query. */
const GROUPS_PER_QUERY = 50;
const POLL_MS = 250;
const TIMEOUT_MS = 20_000;
const IN_PROGRESS: ReadonlySet<string | undefined> = new Set(["Scheduled", "Running"]);

export function openLogs(environment: Environment): LogStore {
  return new CloudWatchLogStore(new CloudWatchLogsClient(), required(environment, ENVIRONMENT.logGroupPrefix));
}

/** `LogStore` on CloudWatch Logs Insights, which searches all groups at once and returns the newest lines first. */
export class CloudWatchLogStore implements LogStore {
  readonly #client: CloudWatchLogsClient;
  readonly #prefix: string;

  constructor(client: CloudWatchLogsClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async find(filter: LogFilter, limit: number): Promise<{ lines: LogLine[]; total: number }> {
    const groups = await this.#groups();
    const answers = await Promise.all(
      inBatches(groups, GROUPS_PER_QUERY).map((batch) => this.#query(batch, filter, limit)),
    );
    const lines = answers.flatMap((answer) => answer.lines).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    const total = answers.reduce((sum, answer) => sum + answer.total, 0);
    return { lines: lines.slice(0, limit).map(identified), total };
  }

  async prune(): Promise<undefined> {}

  async #groups(): Promise<string[]> {
    const names: string[] = [];
    const pages = paginateDescribeLogGroups({ client: this.#client }, { logGroupNamePrefix: this.#prefix });
    for await (const { logGroups = [] } of pages)
      names.push(...logGroups.flatMap(({ logGroupName = [] }) => logGroupName));
    return names;
  }

  async #query(
    logGroupNames: string[],
    filter: LogFilter,
    limit: number,
  ): Promise<{ lines: ParsedLine[]; total: number }> {
    const { queryId } = await this.#client.send(
      new StartQueryCommand({
        logGroupNames,
        startTime: Math.floor(Date.parse(filter.from) / 1000),
        endTime: Math.ceil(Date.parse(filter.to) / 1000),
        queryString: queryOf(filter, limit),
      }),
    );
    const { results = [], statistics } = await this.#outcome(queryId);
    const texts = results.map((row) => row.find(({ field }) => field === "@message")?.value ?? "");
    // The query's own range is in whole seconds.
    const lines = texts.flatMap((text) => parseLine(text) ?? []).filter((line) => matches(filter, line));
    return { lines, total: Math.max(lines.length, results.length < limit ? 0 : (statistics?.recordsMatched ?? 0)) };
  }

  async #outcome(queryId: string | undefined): Promise<GetQueryResultsCommandOutput> {
    for (const deadline = Date.now() + TIMEOUT_MS; ; await delay(POLL_MS)) {
      const outcome = await this.#client.send(new GetQueryResultsCommand({ queryId }));
      if (outcome.status === "Complete") return outcome;
      if (!IN_PROGRESS.has(outcome.status)) throw new Error(`a query of the logs ended as ${outcome.status}`);
      if (Date.now() > deadline) throw new Error(`a query of the logs took more than ${TIMEOUT_MS} ms`);
    }
  }
}

/** In CloudWatch Logs Insights QL. Levels and service names are not free text, but are quoted as JSON anyway. */
function queryOf({ level, service, from, to }: LogFilter, limit: number): string {
  const conditions = [
    "ispresent(level) and ispresent(service) and ispresent(message)",
    ...(level === undefined ? [] : [`level = ${JSON.stringify(level.toUpperCase())}`]),
    ...(service === undefined ? [] : [`service = ${JSON.stringify(service)}`]),
    `@timestamp >= ${Date.parse(from)} and @timestamp <= ${Date.parse(to)}`,
  ];
  return `fields @timestamp, @message | filter ${conditions.join(" and ")} | sort @timestamp desc | limit ${limit}`;
}
