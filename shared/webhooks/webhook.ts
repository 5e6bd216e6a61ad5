import type { Permission } from "../identity/permissions.ts";
import type { Json, JsonObject } from "../platform/ports.ts";

/** What a webhook may be told of. The part before the last dot names the resource, which is also the body's member. */
export const WEBHOOK_EVENTS = [
  "memory.created",
  "memory.updated",
  "memory.deleted",
  "memory.expired",
  "memory.restored",
  "fact.created",
  "fact.superseded",
  "session.created",
  "session.closed",
  "session.archived",
  "session.message.created",
  "skill.created",
  "skill.updated",
  "skill.deleted",
  "skill.executed",
  "skill.reviewed",
  "agent.created",
  "agent.updated",
  "agent.deleted",
  "source.ingested",
  "source.deleted",
  "compression.completed",
  "webhook.test",
] as const;

export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number];

/** `paused`: by its owner, or by the service where nothing but failures came of it. */
export const WEBHOOK_STATES = ["active", "inactive", "paused"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** What holds where a webhook does not say otherwise. */
export const DELIVERY_DEFAULTS = {
  timeout_ms: 10_000,
  retry_count: 5,
  retry_delay_ms: 5_000,
  signature_header: "X-Webhook-Signature",
  include_payload: true,
  include_metadata: true,
} as const;

/** Least and most of what a webhook may say. */
export const DELIVERY_BOUNDS = {
  timeout_ms: [100, 30_000],
  retry_count: [0, 20],
  retry_delay_ms: [100, 86_400_000],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** No attempt is put off for longer, whatever grows or a receiver asks for. */
export const LONGEST_DELAY_MS = DELIVERY_BOUNDS.retry_delay_ms[1];

/** Whether attempts are made again after the same delay each time, or after the usual one, which grows. */
export const RETRY_BACKOFFS = ["fixed", "exponential"] as const;
export type RetryBackoff = (typeof RETRY_BACKOFFS)[number];

export interface DeliveryConfig {
  timeout_ms: number;
  /** Attempts after the first. */
  retry_count: number;
  /** Fixed where it was given; where it is absent, the default one that grows from attempt to attempt. */
  retry_delay_ms?: number;
  signature_header: string;
  /** Without it the body names the resource by its id alone. */
  include_payload: boolean;
  /** Without it the resource comes without its `metadata`. */
  include_metadata: boolean;
}

/** What an event must be about besides having a name that the webhook wants. */
export interface WebhookFilters {
  category?: string | string[];
  user_id?: string;
}

/** Why the service paused a webhook by itself. */
export type PauseReason = "gone" | "failing";

export interface Webhook {
  id: string;
  org: string;
  name: string;
  description?: string;
  url: string;
  events: WebhookEventName[];
  filters: WebhookFilters;
  delivery_config: DeliveryConfig;
  /** Sealed; see secrets.ts. */
  sealed_secret: string;
  /** What was the secret before, which receivers may go by until then (ISO). */
  previous_secret?: { sealed: string; until: string };
  metadata: JsonObject;
  status: WebhookState;
  pause_reason?: PauseReason;
  /** ISO; when it last became active, if it was not from the first. */
  active_since?: string;
  /** ISO; since when there were failed attempts and no other. */
  failing_since?: string;
  created_at: string;
  updated_at: string;
  created_by: string;
  /** Raised by every change that people make. */
  version: number;
}

/** Something that happened, once. */
export interface WebhookEvent {
  /** `evt_`, derived from the change that it tells of: the same change twice is the same event. */
  id: string;
  event: WebhookEventName;
  /** ISO; when it happened. */
  timestamp: string;
  /** `name` is the member that holds `value` in the body. */
  resource: { name: string; value: JsonObject };
  org: string;
  /** What filters look at. */
  user_id?: string;
  category?: string;
}

export const DELIVERY_STATES = ["pending", "success", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event on its way to a webhook: one record across all attempts. */
export interface Delivery {
  /** `dlv_`, derived from event and webhook: the same event twice makes one delivery. */
  id: string;
  org: string;
  webhook_id: string;
  event_id: string;
  event: WebhookEventName;
  status: DeliveryState;
  /** The attempt that is awaited or made, 1..; of a settled delivery the last that was made. */
  attempt_number: number;
  /** ISO; when that attempt is due. Absent once it is settled. */
  next_attempt_at?: string;
  /** Who makes the attempt, until `lease_until` (ISO); absent while nobody does. */
  lease?: string;
  lease_until?: string;
  /** Times that this attempt was begun: more than once where whoever began it did not end it. */
  claims: number;
  /** The body exactly as it is signed and sent, unless it is too long for the record. */
  payload?: string;
  /** Parts that a long payload is kept in; see payloads.ts. */
  payload_parts?: number;
  /** ISO; begin of the first attempt that failed. */
  first_failed_at?: string;
  /** The entry that this delivery is to be the end of. */
  dead_letter?: { id: string; attempts: number; first_failed_at: string };
  created_at: string;
  /** ISO; when it last came to its state or attempt. Its place in the log. */
  updated_at: string;
}

/** What a receiver answered. */
export interface ReceiverResponse {
  status: number;
  /** As text, at most 20 KB of it. */
  body: string;
  /** Whether there was more. */
  truncated: boolean;
  headers: Record<string, string>;
}

/** Why an attempt came to nothing, or none was made. */
export type FailureReason =
  | "http_error"
  | "gone"
  | "timeout"
  | "connection_failed"
  | "url_not_allowed"
  | "webhook_inactive"
  | "worker_failed";

/** What one attempt came to. `gone`: the receiver wants nothing any more (410). All that is no success may be tried again. */
export interface AttemptResult {
  outcome: "success" | "retryable" | "gone";
  /** ISO; when it began. */
  at: string;
  delivery_time_ms: number;
  response?: ReceiverResponse;
  /** As sent in the webhook's signature header; absent where none was sent. */
  signature?: string;
  failure?: { reason: FailureReason; message: string };
  /** How long the receiver asks to be left alone; at most a day. */
  retry_after_ms?: number;
}

/** One attempt as the log keeps it. */
export interface DeliveryLogEntry {
  /** `dl_`. */
  id: string;
  org: string;
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: WebhookEventName;
  status: DeliveryState;
  attempt_number: number;
  /** Sent by POST /webhooks/{id}/test. */
  test?: true;
  timestamp: string;
  delivery_time_ms?: number;
  response?: ReceiverResponse;
  signature?: string;
  failure?: { reason: FailureReason; message: string };
  payload?: string;
  payload_parts?: number;
}

/** A delivery that nobody attempts any more, until somebody asks for it. */
export interface DeadLetter {
  /** `dlq_`, derived from the delivery. */
  id: string;
  org: string;
  webhook_id: string;
  event_id: string;
  event: WebhookEventName;
  /** Where the payload is: the delivery's own, or parts of it under `delivery_id`. */
  delivery_id: string;
  payload?: string;
  payload_parts?: number;
  failure_reason: FailureReason;
  http_status: number | null;
  error_message: string;
  /** All that were made, those of earlier retries included. */
  attempts: number;
  first_failed_at: string;
  last_failed_at: string;
  /** The delivery that was to be the end of it, or is: its own record tells. */
  retry_delivery_id?: string;
}

/** What somebody has to be allowed to read to be told of an event. */
export function permissionToRead(event: WebhookEventName): Permission {
  if (event.startsWith("skill.")) return "skills:read";
  if (event.startsWith("agent.") || event === "webhook.test") return "agents:read";
  return "memory:read";
}

/** Name of the member that holds the resource in the body of an event. */
export function resourceOf(event: WebhookEventName): string {
  return event.split(".").at(-2) ?? event;
}

/** Whether a webhook that is there for events wants this one. What an event does not have, no filter matches. */
export function wants(
  { events, filters }: Pick<Webhook, "events" | "filters">,
  event: Pick<WebhookEvent, "event" | "user_id" | "category">,
): boolean {
  const { category, user_id } = filters;
  if (!events.includes(event.event)) return false;
  if (user_id !== undefined && event.user_id !== user_id) return false;
  return category === undefined || (event.category !== undefined && [category].flat().includes(event.category));
}

/** The body that is sent to a webhook: it is signed as it is, and never made again. */
export function bodyOf({ id, event, timestamp, resource }: WebhookEvent, config: DeliveryConfig): string {
  return JSON.stringify({ id, event, timestamp, [resource.name]: shownOf(resource.value, config) });
}

function shownOf(value: JsonObject, { include_payload, include_metadata }: DeliveryConfig): Json {
  if (!include_payload) return value.id === undefined ? {} : { id: value.id };
  if (include_metadata) return value;
  const { metadata: _metadata, ...rest } = value;
  return rest;
}
