import { Duration, ReferenceStrength, Stack, type StackProps } from "aws-cdk-lib";
import { HttpApi, type IHttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  PeriodOverride,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { REQUEST_METRICS } from "../../../shared/adapters/aws/request-metric-names.ts";
import { TABLE_INDEXES } from "../../../shared/adapters/aws/table.ts";
import { inBatches } from "../../../shared/kernel/parallel.ts";
import type { Deployment } from "../../config.ts";
import { Budget } from "../constructs/budget.ts";
import { type DeadLetteredQueue, fixedNameOf } from "../constructs/dead-lettered-queue.ts";
import { errorPercent, sumOf } from "../constructs/error-rate.ts";
import { ServiceAlarms } from "../constructs/service-alarms.ts";
import { fallbackMetric, requestMetric, type ServiceFunction } from "../constructs/service-function.ts";
import type { WorkerFunction } from "../constructs/worker-function.ts";
import type { ApiStack } from "./api.ts";
import type { DataStack } from "./data.ts";
import type { WorkersStack } from "./workers.ts";

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);
const FIVE_MINUTE_SUM = { period: FIVE_MINUTES, statistic: Stats.SUM };
const FULL_ROW = 24;
const HALF_ROW = 12;
/** CloudWatch's maximum per widget. */
const MAX_ALARMS_PER_WIDGET = 100;
/** CloudWatch allows ten metrics of an expression. */
const MAX_METRICS_PER_ALARM = 10;

/** Thresholds of the alarms. */
const LIMITS = {
  /** Of the requests in five minutes, and how many of them at least. */
  apiErrorPercent: 1,
  minApiErrors: 5,
  apiP99Milliseconds: 3000,
  functionErrors: 5,
  /** Maximum p99 as a share of a function's timeout. */
  timeoutShare: 0.8,
  changeFeedLagMinutes: 5,
  queueAgeMinutes: 15,
  /** In five minutes: far more than mistyped passwords. */
  signInFailures: 100,
  /** In each of three periods: more than single answers that a model got wrong. */
  modelFallbacks: 5,
  /** OpenSearch blocks writes at 92 %. */
  searchJvmPercent: 85,
  searchFreeDiskShare: 0.2,
  searchProcessorPercent: 80,
  /** In each of three periods. */
  searchRejections: 10,
} as const;

/** The endpoint group of sign-ins. */
const SIGN_IN_GROUP = "auth";

const THROTTLES = { read: "ReadThrottleEvents", write: "WriteThrottleEvents" } as const;

export interface ObservabilityStackProps extends StackProps {
  deployment: Deployment;
  data: DataStack;
  workers: WorkersStack;
  api: ApiStack;
}

/** The resources that the dashboard shows. */
interface Watched extends Pick<ObservabilityStackProps, "deployment" | "data" | "workers">, Pick<ApiStack, "groups"> {
  api: IHttpApi;
}

/**
 * One dashboard and the alarms for everything in the other stacks, without manual lists. Functions and queues are
 * referenced by fixed names, so that they can be deleted independently of this stack.
 */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { deployment, data, workers, api, ...props }: ObservabilityStackProps) {
    super(scope, id, props);
    const functions = [...api.groups, ...workers.workers];
    const alarms = new ServiceAlarms(this, "Alarms", deployment, data.key);
    const watchedApi = this.lookUp(api);
    watchApi(alarms, watchedApi);
    if (deployment.alarmScope === "function") for (const watched of functions) watchFunction(alarms, watched);
    else watchTogether(alarms, workers.workers);
    for (const worker of workers.workers) watchWorker(alarms, worker);
    for (const [name, queue] of workers.queues) watchQueue(alarms, name, queue);
    watchSearch(alarms, data, deployment);
    watchTable(alarms, data);
    watchSignIns(alarms, deployment);
    watchModels(alarms, deployment);
    this.createBudget(deployment);
    this.createDashboard(alarms, functions, { deployment, data, workers, groups: api.groups, api: watchedApi });
  }

  private createBudget({ alarmEmail, monthlyBudget }: Deployment): void {
    if (alarmEmail === undefined || monthlyBudget === 0) return;
    new Budget(this, "Budget", { name: this.stackName, limit: monthlyBudget, email: alarmEmail });
  }

  /** API Gateway generates an API's id, which its metrics use: resolved at deployment without an export. */
  private lookUp({ api }: ApiStack): IHttpApi {
    const httpApiId = Stack.consumeReference(api.apiId, ReferenceStrength.WEAK);
    return HttpApi.fromHttpApiAttributes(this, "Api", { httpApiId });
  }

  private createDashboard(
    alarms: ServiceAlarms,
    functions: ServiceFunction[],
    { deployment, data, workers, groups, api }: Watched,
  ): void {
    const dashboard = new Dashboard(this, "Dashboard", {
      dashboardName: this.stackName,
      periodOverride: PeriodOverride.AUTO,
    });
    for (const batch of inBatches(alarms.all, MAX_ALARMS_PER_WIDGET)) {
      dashboard.addWidgets(new AlarmStatusWidget({ title: "Alarms", alarms: batch, width: FULL_ROW }));
    }
    dashboard.addWidgets(
      graph("Requests", [api.metricCount(), api.metricClientError(), api.metricServerError()]),
      graph("Latency", [api.metricLatency({ statistic: Stats.p(50) }), api.metricLatency({ statistic: Stats.p(99) })]),
    );
    const requestTimes = groups.map(({ node: { id } }) =>
      requestMetric(deployment, id, REQUEST_METRICS.duration, { statistic: Stats.p(95), period: FIVE_MINUTES }).with({
        label: id,
      }),
    );
    dashboard.addWidgets(
      graph("Requests by group, p95", requestTimes),
      graph("Sign-ins refused", [signInFailures(deployment)]),
    );
    const ofEach = (metricName: string, statistic: string) =>
      functions.map((fn) => functionMetric(fn, metricName, statistic).with({ label: fn.node.id }));
    dashboard.addWidgets(
      graph("Function errors", ofEach("Errors", Stats.SUM)),
      graph("Function p99", ofEach("Duration", Stats.p(99))),
    );
    const deadLetters = workers.workers.flatMap((worker) => worker.deadLetters);
    const lags = workers.workers
      .filter(readsStream)
      .map((worker) => iteratorAge(worker).with({ label: worker.node.id }));
    dashboard.addWidgets(
      graph(
        "Dead letters",
        deadLetters.map((queue) => deadLetterCount(queue).with({ label: nameOfDeadLetters(queue) })),
      ),
      graph("Change feed lag", lags),
    );
    const waits = [...workers.queues].map(([label, { queue }]) => oldestMessage(queue).with({ label }));
    const throttled = Object.values(THROTTLES).flatMap((metricName) => throttles(data, metricName));
    dashboard.addWidgets(graph("Oldest message", waits), graph("Throttled table requests", throttled));
    const { domain } = data.search;
    dashboard.addWidgets(
      graph("Search latency", [domain.metricSearchLatency(), domain.metricIndexingLatency()]),
      graph("Search heap and disk", [domain.metricJVMMemoryPressure(), domain.metricFreeStorageSpace()]),
    );
  }
}

function watchApi(alarms: ServiceAlarms, api: IHttpApi): void {
  const errors = api.metricServerError(FIVE_MINUTE_SUM);
  const requests = api.metricCount(FIVE_MINUTE_SUM);
  alarms.watch("api-errors", {
    metric: errorPercent(errors, requests, LIMITS.minApiErrors, FIVE_MINUTES),
    threshold: LIMITS.apiErrorPercent,
    periods: 2,
    problem: "The API keeps answering requests with 5xx.",
    runbook: "api-errors",
  });
  alarms.watch("api-latency", {
    metric: api.metricLatency({ statistic: Stats.p(99), period: FIVE_MINUTES }),
    threshold: LIMITS.apiP99Milliseconds,
    periods: 3,
    problem: "The p99 latency of requests is too high.",
    runbook: "api-latency",
  });
}

function watchFunction(alarms: ServiceAlarms, watched: ServiceFunction): void {
  const { node, timeout } = watched;
  alarms.watch(`${node.id}-errors`, {
    metric: functionMetric(watched, "Errors", Stats.SUM),
    threshold: LIMITS.functionErrors,
    problem: `Function '${node.id}' fails.`,
    runbook: "function-errors",
  });
  alarms.watch(`${node.id}-throttles`, {
    metric: functionMetric(watched, "Throttles", Stats.SUM),
    threshold: 1,
    problem: `Function '${node.id}' is throttled.`,
    runbook: "function-throttles",
  });
  alarms.watch(`${node.id}-duration`, {
    metric: functionMetric(watched, "Duration", Stats.p(99)),
    threshold: timeout.toMilliseconds() * LIMITS.timeoutShare,
    periods: 3,
    problem: `Function '${node.id}' comes close to its timeout.`,
    runbook: "function-duration",
  });
}

/** The functions of a small deployment. Failures of those behind the API are in the API's own errors and latency. */
function watchTogether(alarms: ServiceAlarms, workers: WorkerFunction[]): void {
  for (const [index, batch] of inBatches(workers, MAX_METRICS_PER_ALARM).entries()) {
    const errors = batch.map((worker) => functionMetric(worker, "Errors", Stats.SUM));
    alarms.watch(`worker-errors-${index + 1}`, {
      metric: sumOf(errors, FIVE_MINUTES),
      threshold: LIMITS.functionErrors,
      problem: `One of these workers fails: ${batch.map(({ node }) => node.id).join(", ")}.`,
      runbook: "function-errors",
    });
  }
  alarms.watch("function-throttles", {
    metric: new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", ...FIVE_MINUTE_SUM }),
    threshold: 1,
    problem: "A function of this account and region is throttled.",
    runbook: "function-throttles",
  });
}

function watchWorker(alarms: ServiceAlarms, worker: WorkerFunction): void {
  for (const queue of worker.deadLetters) {
    alarms.watch(nameOfDeadLetters(queue), {
      metric: deadLetterCount(queue),
      threshold: 1,
      problem: `Worker '${worker.node.id}' sent a message to its dead-letter queue.`,
      runbook: "dead-letters",
    });
  }
  if (!readsStream(worker)) return;
  alarms.watch(`${worker.node.id}-lag`, {
    metric: iteratorAge(worker),
    threshold: Duration.minutes(LIMITS.changeFeedLagMinutes).toMilliseconds(),
    periods: 3,
    problem: `Worker '${worker.node.id}' lags behind the change feed.`,
    runbook: "change-feed-lag",
  });
}

function watchQueue(alarms: ServiceAlarms, name: string, { queue }: DeadLetteredQueue): void {
  alarms.watch(`${name}-age`, {
    metric: oldestMessage(queue),
    threshold: Duration.minutes(LIMITS.queueAgeMinutes).toSeconds(),
    periods: 5,
    problem: `The oldest message of queue '${name}' has waited too long.`,
    runbook: "queue-age",
  });
}

function watchSearch(alarms: ServiceAlarms, { search: { domain }, key }: DataStack, deployment: Deployment): void {
  const { searchVolumeGb } = deployment;
  alarms.watch("search-red", {
    metric: domain.metricClusterStatusRed({ period: MINUTE }),
    threshold: 1,
    problem: "A primary shard of the search domain is missing.",
    runbook: "search-red",
  });
  alarms.watch("search-memory", {
    metric: domain.metricJVMMemoryPressure({ period: FIVE_MINUTES }),
    threshold: LIMITS.searchJvmPercent,
    periods: 3,
    problem: "The search domain is short of heap.",
    runbook: "search-memory",
  });
  alarms.watch("search-disk", {
    metric: domain.metricFreeStorageSpace({ period: FIVE_MINUTES, statistic: Stats.MINIMUM }),
    threshold: searchVolumeGb * 1024 * LIMITS.searchFreeDiskShare,
    falling: true,
    problem: "A node of the search domain is short of disk.",
    runbook: "search-disk",
  });
  alarms.watch("search-processor", {
    metric: domain.metricCPUUtilization({ period: FIVE_MINUTES }),
    threshold: LIMITS.searchProcessorPercent,
    periods: 3,
    problem: "The processors of the search domain are busy.",
    runbook: "search-processor",
  });
  const rejected = ["ThreadpoolSearchRejected", "ThreadpoolWriteRejected"].map((name) =>
    domain.metric(name, FIVE_MINUTE_SUM),
  );
  alarms.watch("search-rejections", {
    metric: sumOf(rejected, FIVE_MINUTES),
    threshold: LIMITS.searchRejections,
    periods: 3,
    problem: "The search domain rejects searches or writes.",
    runbook: "search-rejections",
  });
  alarms.watch("search-write-block", {
    metric: domain.metricClusterIndexWritesBlocked({ period: MINUTE }),
    threshold: 1,
    problem: "The search domain accepts no writes.",
    runbook: "search-write-block",
  });
  alarms.watch("search-snapshots", {
    metric: domain.metricAutomatedSnapshotFailure({ period: MINUTE }),
    threshold: 1,
    problem: "The automated snapshot of the search domain failed.",
    runbook: "search-snapshots",
  });
  if (key === undefined) return;
  alarms.watch("search-key", {
    metric: sumOf([domain.metricKMSKeyError(), domain.metricKMSKeyInaccessible()], FIVE_MINUTES),
    threshold: 1,
    problem: "The search domain cannot use its encryption key.",
    runbook: "search-key",
  });
}

function watchTable(alarms: ServiceAlarms, data: DataStack): void {
  for (const [kind, metricName] of Object.entries(THROTTLES)) {
    alarms.watch(`table-${kind}-throttles`, {
      metric: sumOf(throttles(data, metricName), FIVE_MINUTES),
      threshold: 1,
      periods: 2,
      problem: `The table or one of its indexes throttles ${kind}s.`,
      runbook: "table-throttles",
    });
  }
}

function watchSignIns(alarms: ServiceAlarms, deployment: Deployment): void {
  alarms.watch("sign-in-failures", {
    metric: signInFailures(deployment),
    threshold: LIMITS.signInFailures,
    problem: "Many sign-ins are refused.",
    runbook: "sign-in-failures",
  });
}

function watchModels(alarms: ServiceAlarms, deployment: Deployment): void {
  if (deployment.languageModel !== "bedrock") return;
  alarms.watch("model-fallbacks", {
    metric: fallbackMetric(deployment, FIVE_MINUTE_SUM),
    threshold: LIMITS.modelFallbacks,
    periods: 3,
    problem: "Language models fail, and the built-in rules read texts in their place.",
    runbook: "model-fallbacks",
  });
}

function signInFailures(deployment: Deployment): Metric {
  return requestMetric(deployment, SIGN_IN_GROUP, REQUEST_METRICS.signInFailures, FIVE_MINUTE_SUM);
}

/** A metric of the table and of each index, which has a throughput of its own. */
function throttles({ table }: DataStack, metricName: string): Metric[] {
  const { tableName } = table;
  const options = { namespace: "AWS/DynamoDB", metricName, ...FIVE_MINUTE_SUM };
  const ofTable = new Metric({ ...options, dimensionsMap: { TableName: tableName }, label: `table, ${metricName}` });
  const ofIndexes = TABLE_INDEXES.map(({ name }) => {
    const dimensionsMap = { TableName: tableName, GlobalSecondaryIndexName: name };
    return new Metric({ ...options, dimensionsMap, label: `${name}, ${metricName}` });
  });
  return [ofTable, ...ofIndexes];
}

function functionMetric({ functionName }: ServiceFunction, metricName: string, statistic: string): Metric {
  const dimensionsMap = { FunctionName: functionName };
  return new Metric({ namespace: "AWS/Lambda", metricName, dimensionsMap, statistic, period: FIVE_MINUTES });
}

function queueMetric(queue: Queue, metricName: string): Metric {
  const dimensionsMap = { QueueName: fixedNameOf(queue) };
  return new Metric({ namespace: "AWS/SQS", metricName, dimensionsMap, statistic: Stats.MAXIMUM, period: MINUTE });
}

function oldestMessage(queue: Queue): Metric {
  return queueMetric(queue, "ApproximateAgeOfOldestMessage");
}

function readsStream({ source }: WorkerFunction): boolean {
  return "stream" in source;
}

/** Named after their owner: a worker or one of its queues. */
function nameOfDeadLetters(queue: Queue): string {
  return `${queue.node.scope?.node.id}-dead-letters`;
}

function deadLetterCount(queue: Queue): Metric {
  return queueMetric(queue, "ApproximateNumberOfMessagesVisible");
}

function iteratorAge(worker: WorkerFunction): Metric {
  return functionMetric(worker, "IteratorAge", Stats.MAXIMUM).with({ period: MINUTE });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: HALF_ROW });
}
