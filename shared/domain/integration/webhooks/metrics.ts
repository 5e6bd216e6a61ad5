import { DAY_MS } from "../../../kernel/durations.ts";
import { fromItem } from "../../../ports/item.ts";
import { queryAll } from "../../../ports/pages.ts";
import type { RecordKey, RecordStore } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { bucketOf, percentile, sumCounters } from "../../../runtime/stats/histogram.ts";
import { countEvent, type Granularity, readSeries, readTotal, type Subject } from "../../../runtime/stats/series.ts";
import { webhookKey } from "./records.ts";
import type { WebhookEventName } from "./webhook.ts";

const KEPT_DAYS = 30;
/** The time range of a series. */
const SHOWN_MS: Record<Granularity, number> = { hour: DAY_MS, day: KEPT_DAYS * DAY_MS };
/** Metric records per read. */
const PAGE = 1000;

type Counters = Record<string, number>;

const WEBHOOK_PREFIX = "webhook#";
const EVENT_PREFIX = "event#";
const metricsOf = (org: string): string => `${org}#webhook-figures`;
const webhookMetricsKey = (org: string, id: string): RecordKey => ({ pk: metricsOf(org), sk: WEBHOOK_PREFIX + id });
const eventMetricsKey = (org: string, event: string): RecordKey => ({ pk: metricsOf(org), sk: EVENT_PREFIX + event });
const deliveriesOf = (org: string): Subject => ({ scope: org, name: "webhook-deliveries" });

/** The result of one step of a delivery: an attempt, its end, or both. */
export interface DeliveryCounts {
  webhook_id: string;
  event: WebhookEventName;
  /** How the delivery ended, if it did. */
  settled?: "success" | "failed";
  /** The attempt, if one was made; `at` is ISO 8601. */
  attempt?: { at: string; durationMs: number };
}

/** Counts in memory; the runtime's rollups write it to the records every few seconds. */
export function countDelivery(
  { rollups, clock, org }: Pick<OrgRuntime, "rollups" | "clock" | "org">,
  { webhook_id, event, settled, attempt }: DeliveryCounts,
): void {
  const counts: Counters = { ...(settled && { [settled]: 1 }), ...(attempt && { attempts: 1 }) };
  const duration = attempt && { duration_ms: attempt.durationMs, [bucketOf(attempt.durationMs)]: 1 };
  const add = { ...counts, ...duration };
  const last: Record<string, string> = attempt ? { last_delivery: attempt.at } : {};
  const set = { kind: "webhook_figures" };
  countEvent(rollups, deliveriesOf(org), clock(), counts, attempt?.durationMs, KEPT_DAYS);
  rollups.count(eventMetricsKey(org, event), { add, set });
  rollups.count(webhookMetricsKey(org, webhook_id), {
    add,
    set: { ...set, ...last },
    owner: webhookKey(org, webhook_id),
  });
}

/** The statistics of counters. Deliveries are counted when they end; times are of attempts. Null if there are none. */
export function statisticsOf(counters: Counters) {
  const { success = 0, failed = 0, attempts = 0, duration_ms = 0 } = counters;
  const total = success + failed;
  return {
    total_deliveries: total,
    successful_deliveries: success,
    failed_deliveries: failed,
    success_rate: total === 0 ? null : success / total,
    total_attempts: attempts,
    avg_delivery_time_ms: attempts === 0 ? null : duration_ms / attempts,
    p95_delivery_time_ms: percentile(counters, 0.95),
  };
}

/** The counts of one webhook and the time of its last delivery (ISO 8601). */
export interface WebhookMetrics {
  last_delivery: string | null;
  delivery_stats: ReturnType<typeof statisticsOf>;
}

export const NO_METRICS: WebhookMetrics = { last_delivery: null, delivery_stats: statisticsOf({}) };

function toMetrics(record: object): WebhookMetrics {
  const { last_delivery } = record as { last_delivery?: unknown };
  return {
    last_delivery: typeof last_delivery === "string" ? last_delivery : null,
    delivery_stats: statisticsOf(sumCounters([record as Record<string, unknown>])),
  };
}

/** The metrics of webhooks by id; those without deliveries are missing. */
export async function readWebhookMetrics(
  records: RecordStore,
  org: string,
  ids: string[],
): Promise<Map<string, WebhookMetrics>> {
  const found = await records.getMany(ids.map((id) => webhookMetricsKey(org, id)));
  return new Map(found.map((record) => [record.sk.slice(WEBHOOK_PREFIX.length), toMetrics(fromItem(record))]));
}

/** All counts of an organization. */
export async function readMetrics(records: RecordStore, org: string, now: number) {
  const subject = deliveriesOf(org);
  const [total, all, hour, day] = await Promise.all([
    readTotal(records, subject),
    queryAll(records, { pk: metricsOf(org), limit: PAGE }),
    readSeries(records, subject, "hour", now - SHOWN_MS.hour),
    readSeries(records, subject, "day", now - SHOWN_MS.day),
  ]);
  const withPrefix = (prefix: string) =>
    all
      .filter(({ sk }) => sk.startsWith(prefix))
      .map((record) => [record.sk.slice(prefix.length), toMetrics(fromItem(record))] as const);
  return {
    overall: statisticsOf(total),
    webhooks: new Map<string, WebhookMetrics>(withPrefix(WEBHOOK_PREFIX)),
    events: Object.fromEntries(withPrefix(EVENT_PREFIX).map(([event, { delivery_stats }]) => [event, delivery_stats])),
    series: { hour, day },
  };
}

/** The write that deletes the counts of a deleted webhook. */
export function removeWebhookMetrics(org: string, id: string) {
  return { delete: webhookMetricsKey(org, id) };
}
