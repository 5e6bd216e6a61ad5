import type { OrgHome } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordKey, RecordStore } from "../platform/ports.ts";
import { bucketOf, percentile, sumCounters } from "../stats/histogram.ts";
import { countEvent, type Granularity, type Point, readSeries, readTotal, type Subject } from "../stats/series.ts";
import { webhookKey } from "./records.ts";
import type { WebhookEventName } from "./webhook.ts";

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** How far back the points of a series go. */
const SHOWN_MS: Record<Granularity, number> = { hour: DAY_MS, day: KEPT_DAYS * DAY_MS };
/** Records of figures read at a time. */
const PAGE = 1000;

type Counters = Record<string, number>;

const OF_WEBHOOK = "webhook#";
const OF_EVENT = "event#";
const figuresOf = (org: string): string => `${org}#webhook-figures`;
const ofWebhook = (org: string, id: string): RecordKey => ({ pk: figuresOf(org), sk: OF_WEBHOOK + id });
const ofEvent = (org: string, event: string): RecordKey => ({ pk: figuresOf(org), sk: OF_EVENT + event });
const deliveriesOf = (org: string): Subject => ({ scope: org, name: "webhook-deliveries" });

/** What came of one step of a delivery: an attempt, its end, or both. */
export interface DeliveryCounts {
  webhook_id: string;
  event: WebhookEventName;
  /** How the delivery ended, if it did. */
  settled?: "success" | "failed";
  /** The attempt that was made, if one was; `at` is ISO. */
  attempt?: { at: string; durationMs: number };
}

/** Counts in memory; the home's roll-ups carry it to the records every few seconds. */
export function countDelivery(
  { rollups, clock, org }: Pick<OrgHome, "rollups" | "clock" | "org">,
  { webhook_id, event, settled, attempt }: DeliveryCounts,
): void {
  const counts: Counters = { ...(settled && { [settled]: 1 }), ...(attempt && { attempts: 1 }) };
  const duration = attempt && { duration_ms: attempt.durationMs, [bucketOf(attempt.durationMs)]: 1 };
  const add = { ...counts, ...duration };
  const last: Record<string, string> = attempt ? { last_delivery: attempt.at } : {};
  const set = { kind: "webhook_figures" };
  countEvent(rollups, deliveriesOf(org), clock(), counts, attempt?.durationMs, KEPT_DAYS);
  rollups.count(ofEvent(org, event), { add, set });
  rollups.count(ofWebhook(org, webhook_id), { add, set: { ...set, ...last }, owner: webhookKey(org, webhook_id) });
}

/** Deliveries are counted when they end; times are of attempts, in milliseconds. Null where there is nothing to take it of. */
export interface DeliveryStatistics {
  total_deliveries: number;
  successful_deliveries: number;
  failed_deliveries: number;
  /** Share of deliveries that succeeded, 0..1. */
  success_rate: number | null;
  total_attempts: number;
  avg_delivery_time_ms: number | null;
  p95_delivery_time_ms: number | null;
}

export function statisticsOf(counters: Counters): DeliveryStatistics {
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

/** What was counted of one webhook, and when it was last sent anything (ISO). */
export interface WebhookFigures {
  last_delivery: string | null;
  delivery_stats: DeliveryStatistics;
}

export const NO_FIGURES: WebhookFigures = { last_delivery: null, delivery_stats: statisticsOf({}) };

function toFigures(record: object): WebhookFigures {
  const { last_delivery } = record as { last_delivery?: unknown };
  return {
    last_delivery: typeof last_delivery === "string" ? last_delivery : null,
    delivery_stats: statisticsOf(sumCounters([record as Record<string, unknown>])),
  };
}

/** By the webhooks' ids; one that was never sent anything is not among them. */
export async function readWebhookFigures(
  records: RecordStore,
  org: string,
  ids: string[],
): Promise<Map<string, WebhookFigures>> {
  const found = await records.getMany(ids.map((id) => ofWebhook(org, id)));
  return new Map(found.map((record) => [record.sk.slice(OF_WEBHOOK.length), toFigures(fromItem(record))]));
}

/** Everything that was counted in an organization. */
export interface OrganizationFigures {
  overall: DeliveryStatistics;
  webhooks: Map<string, WebhookFigures>;
  events: Record<string, DeliveryStatistics>;
  series: Record<Granularity, Point[]>;
}

export async function readFigures(records: RecordStore, org: string, now: number): Promise<OrganizationFigures> {
  const subject = deliveriesOf(org);
  const [total, each, hour, day] = await Promise.all([
    readTotal(records, subject),
    readEach(records, org),
    readSeries(records, subject, "hour", now - SHOWN_MS.hour),
    readSeries(records, subject, "day", now - SHOWN_MS.day),
  ]);
  const under = (prefix: string) =>
    each.flatMap(({ name, figures }) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), figures] as const] : [],
    );
  return {
    overall: statisticsOf(total),
    webhooks: new Map(under(OF_WEBHOOK)),
    events: Object.fromEntries(under(OF_EVENT).map(([event, { delivery_stats }]) => [event, delivery_stats])),
    series: { hour, day },
  };
}

async function readEach(records: RecordStore, org: string): Promise<{ name: string; figures: WebhookFigures }[]> {
  const found: { name: string; figures: WebhookFigures }[] = [];
  for await (const items of queryPages(records, { pk: figuresOf(org), limit: PAGE })) {
    found.push(...items.map((record) => ({ name: record.sk, figures: toFigures(fromItem(record)) })));
  }
  return found;
}

/** Takes away what was counted of a webhook that is deleted. */
export function removeWebhookFigures(org: string, id: string) {
  return { delete: ofWebhook(org, id) };
}
