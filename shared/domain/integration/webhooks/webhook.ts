import { DAY_MS } from "../../../kernel/durations.ts";
import type { Json, JsonObject } from "../../../ports/json.ts";
import type { Permission } from "../../../runtime/access/permissions.ts";
import type { KeptPayload } from "./payloads.ts";

/** Events of webhooks with the permission to receive each. The part before the last dot names the body's resource. */
export const EVENT_PERMISSIONS = {
  "memory.created": "memory:read",
  "memory.updated": "memory:read",
  "memory.deleted": "memory:read",
  "memory.expired": "memory:read",
  "memory.restored": "memory:read",
  "fact.created": "memory:read",
  "fact.superseded": "memory:read",
  "session.created": "memory:read",
  "session.closed": "memory:read",
  "session.archived": "memory:read",
  "session.restored": "memory:read",
  "session.message.created": "memory:read",
  "skill.created": "skills:read",
  "skill.updated": "skills:read",
  "skill.deleted": "skills:read",
  "skill.executed": "skills:read",
  "skill.reviewed": "skills:read",
  "agent.created": "agents:read",
  "agent.updated": "agents:read",
  "agent.deleted": "agents:read",
  "source.ingested": "memory:read",
  "source.deleted": "memory:read",
  "compression.completed": "memory:read",
  "secret.detected": "memory:read",
  "webhook.test": "agents:read",
} as const satisfies Record<string, Permission>;

export type WebhookEventName = keyof typeof EVENT_PERMISSIONS;

export const WEBHOOK_EVENTS = Object.keys(EVENT_PERMISSIONS) as WebhookEventName[];

/** `paused`: by its owner, or by the service after continuous failure. */
export const WEBHOOK_STATES = ["active", "inactive", "paused"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Defaults of a webhook's settings. */
export const DELIVERY_DEFAULTS = {
  timeout_ms: 10_000,
  retry_count: 5,
  retry_delay_ms: 5_000,
  signature_header: "X-Webhook-Signature",
  include_payload: true,
  include_metadata: true,
} as const;

/** Limits of a webhook's settings. */
export const DELIVERY_BOUNDS = {
  timeout_ms: [100, 30_000],
  retry_count: [0, 20],
  retry_delay_ms: [100, DAY_MS],
} as const satisfies Record<string, readonly [min: number, max: number]>;

/** Maximum delay of an attempt, even if the backoff or a receiver asks for more. */
export const MAX_DELAY_MS = DELIVERY_BOUNDS.retry_delay_ms[1];

/** Whether retries use a fixed delay or the default one, which grows. */
export const RETRY_BACKOFFS = ["fixed", "exponential"] as const;
export type RetryBackoff = (typeof RETRY_BACKOFFS)[number];

export interface DeliveryConfig {
  timeout_ms: number;
  /** Attempts after the first. */
  retry_count: number;
  /** Fixed if given; if absent, the default, which grows per attempt. */
  retry_delay_ms?: number;
  signature_header: string;
  /** Without it the body contains only the resource's id. */
  include_payload: boolean;
  /** Without it the resource has no `metadata`. */
  include_metadata: boolean;
}

/** Why the service paused a webhook. */
export type PauseReason = "gone" | "failing";

export interface Webhook {
  id: string;
  org: string;
  name: string;
  description?: string;
  url: string;
  events: WebhookEventName[];
  filters: { category?: string | string[]; user_id?: string };
  delivery_config: DeliveryConfig;
  /** Encrypted; see secrets.ts. */
  sealed_secret: string;
  /** The previous secret, encrypted; valid until `until` (ISO 8601). */
  previous_secret?: { sealed: string; until: string };
  metadata: JsonObject;
  status: WebhookState;
  pause_reason?: PauseReason;
  /** ISO 8601; the last activation, if it was not active from the start. */
  active_since?: string;
  /** ISO 8601; since when all attempts have failed. */
  failing_since?: string;
  created_at: string;
  updated_at: string;
  created_by: string;
  /** Incremented by every change of a client. */
  version: number;
}

/** An event that webhooks may receive. */
export interface WebhookEvent {
  /** `evt_`, derived from its change: the same change is the same event. */
  id: string;
  event: WebhookEventName;
  /** ISO 8601; when it happened. */
  timestamp: string;
  /** `name` is the member of the body that holds `value`. */
  resource: { name: string; value: JsonObject };
  org: string;
  /** The fields that filters use. */
  user_id?: string;
  category?: string;
}

export const DELIVERY_STATES = ["pending", "success", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The fields that a delivery shares with its log entries and its dead letter. */
export interface DeliveryNames {
  org: string;
  webhook_id: string;
  event_id: string;
  event: WebhookEventName;
}

/** A delivery of an event to a webhook: one record for all attempts. */
export interface Delivery extends DeliveryNames, KeptPayload {
  /** `dlv_`, derived from event and webhook: the same event makes one delivery. */
  id: string;
  status: DeliveryState;
  /** The number of the pending or current attempt, from 1; for a settled delivery that of the last one. */
  attempt_number: number;
  /** ISO 8601; when that attempt is due. Absent once settled. */
  next_attempt_at?: string;
  /** The owner of the attempt until `lease_until` (ISO 8601); absent while there is none. */
  lease?: string;
  lease_until?: string;
  /** How often this attempt was started; more than once if a worker did not finish it. */
  claims: number;
  /** ISO 8601; start of the first failed attempt. */
  first_failed_at?: string;
  /** The dead letter that this delivery retries. */
  dead_letter?: { id: string; attempts: number; first_failed_at: string };
  created_at: string;
  /** ISO 8601; when its state or attempt last changed. Its position in the log. */
  updated_at: string;
}

/** A receiver's response. */
export interface ReceiverResponse {
  status: number;
  /** As text; at most the first 20 KB. */
  body: string;
  /** Whether the body was longer. */
  truncated: boolean;
  headers: Record<string, string>;
}

/** Why an attempt failed, or was not made. */
export type FailureReason =
  | "http_error"
  | "gone"
  | "timeout"
  | "connection_failed"
  | "url_not_allowed"
  | "webhook_inactive"
  | "worker_failed";

/** The result of an attempt. `gone`: the receiver no longer accepts deliveries (410). Every failure may be retried. */
export interface AttemptResult {
  outcome: "success" | "retryable" | "gone";
  /** ISO 8601; its start. */
  at: string;
  delivery_time_ms: number;
  response?: ReceiverResponse;
  /** As sent in the webhook's signature header; absent if not sent. */
  signature?: string;
  failure?: { reason: FailureReason; message: string };
  /** The wait requested by the receiver; at most a day. */
  retry_after_ms?: number;
}

/** An attempt in the log. */
export interface DeliveryLogEntry
  extends DeliveryNames,
    KeptPayload,
    Pick<Delivery, "status" | "attempt_number">,
    Partial<Pick<AttemptResult, "delivery_time_ms" | "response" | "signature" | "failure">> {
  /** `dl_`. */
  id: string;
  delivery_id: string;
  /** Sent by POST /webhooks/{id}/test. */
  test?: true;
  timestamp: string;
}

/** A delivery that is no longer attempted unless a retry is requested. */
export interface DeadLetter extends DeliveryNames, KeptPayload {
  /** `dlq_`, derived from the delivery. */
  id: string;
  /** Parts of a long payload are stored under it. */
  delivery_id: string;
  failure_reason: FailureReason;
  http_status: number | null;
  error_message: string;
  /** All attempts, including those of earlier retries. */
  attempts: number;
  first_failed_at: string;
  last_failed_at: string;
  /** The delivery of its retry; that record has the result. */
  retry_delivery_id?: string;
}

/** The member of an event's body that holds the resource. */
export function resourceOf(event: WebhookEventName): string {
  return event.split(".").at(-2) ?? event;
}

/** Whether a webhook that subscribes to the event accepts this one. A filter never matches an absent field. */
export function wants(
  { events, filters }: Pick<Webhook, "events" | "filters">,
  event: Pick<WebhookEvent, "event" | "user_id" | "category">,
): boolean {
  const { category, user_id } = filters;
  if (!events.includes(event.event)) return false;
  if (user_id !== undefined && event.user_id !== user_id) return false;
  return category === undefined || (event.category !== undefined && [category].flat().includes(event.category));
}

/** The body of a delivery: signed as it is and never rebuilt. */
export function bodyOf({ id, event, timestamp, resource }: WebhookEvent, config: DeliveryConfig): string {
  return JSON.stringify({ id, event, timestamp, [resource.name]: presentedValue(resource.value, config) });
}

function presentedValue(value: JsonObject, { include_payload, include_metadata }: DeliveryConfig): Json {
  if (!include_payload) return value.id === undefined ? {} : { id: value.id };
  if (include_metadata) return value;
  const { metadata: _metadata, ...rest } = value;
  return rest;
}
