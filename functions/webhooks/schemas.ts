import * as z from "zod";
import {
  MASKED_SECRET,
  MAX_SECRET_LENGTH,
  MIN_SECRET_LENGTH,
} from "../../shared/domain/integration/webhooks/secrets.ts";
import { problemOfHeader } from "../../shared/domain/integration/webhooks/signing.ts";
import {
  DELIVERY_BOUNDS,
  DELIVERY_DEFAULTS,
  DELIVERY_STATES,
  RETRY_BACKOFFS,
  WEBHOOK_EVENTS,
  WEBHOOK_STATES,
} from "../../shared/domain/integration/webhooks/webhook.ts";
import {
  filledText,
  label,
  metadata,
  moment,
  optionalQueryFlag,
  Pagination,
  page,
  storedObject,
  text,
} from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

const MAX_CATEGORIES = 100;
const MAX_URL_LENGTH = 2048;

export const WebhookEvent = z.enum(WEBHOOK_EVENTS);
const events = z
  .array(WebhookEvent)
  .min(1)
  .transform((given) => [...new Set(given)]);

/** Conditions on an event; unknown names would filter nothing and are refused. */
const filters = z.strictObject({
  category: z.union([label, z.array(label).min(1).max(MAX_CATEGORIES)]).optional(),
  user_id: label.optional(),
});

const within = (name: keyof typeof DELIVERY_BOUNDS) => {
  const [min, max] = DELIVERY_BOUNDS[name];
  return z.int().min(min).max(max);
};

const signature_header = z.string().superRefine((name, context) => {
  const problem = problemOfHeader(name);
  if (problem !== undefined) context.addIssue(problem);
});

const delivery_config = z
  .object({
    timeout_ms: within("timeout_ms"),
    retry_count: within("retry_count").describe("Attempts after the first"),
    retry_delay_ms: within("retry_delay_ms")
      .nullable()
      .describe(
        `Fixed delay between attempts; null or absent: ${DELIVERY_DEFAULTS.retry_delay_ms}, doubled after each attempt`,
      ),
    retry_backoff: z
      .enum(RETRY_BACKOFFS)
      .describe(
        `exponential, without a delay or with ${DELIVERY_DEFAULTS.retry_delay_ms} (as in responses): the default delay, which doubles`,
      ),
    signature_header,
    include_payload: z.boolean().describe("false: the body contains only the resource's id"),
    include_metadata: z.boolean().describe("false: leaves out the resource's metadata"),
  })
  .partial();

const secret = z
  .string()
  .min(MIN_SECRET_LENGTH)
  .max(MAX_SECRET_LENGTH)
  .refine((value) => value.isWellFormed(), "must be well-formed text");

const name = filledText(200);
const description = text(1000);
const url = z.string().max(MAX_URL_LENGTH);

export const CreateWebhook = z.object({
  name,
  description: description.optional(),
  url,
  events,
  filters: filters.default({}),
  delivery_config: delivery_config.default({}),
  secret: secret.optional().describe("If absent, one is generated and only this response contains it"),
  metadata: metadata.default({}),
});

export const UpdateWebhook = z
  .object({
    name,
    description,
    url,
    events,
    filters,
    delivery_config: delivery_config.describe("Absent fields are not changed"),
    secret: z.union([z.literal(MASKED_SECRET), secret]).describe("The previous secret stays valid for 24 hours"),
    metadata,
    status: z.enum(WEBHOOK_STATES),
  })
  .partial();

export const ListWebhooks = z.object({
  status: z.enum(WEBHOOK_STATES).optional(),
  event: WebhookEvent.optional(),
  ...page(20, 100),
});

export const TestWebhook = z.object({
  event: WebhookEvent,
  test_payload: metadata
    .optional()
    .describe("Members of the body besides id, event and timestamp, such as {memory: {…}}; the default is a sample"),
  include_signature: z.boolean().default(true),
});

export const ListDeliveryLogs = z.object({
  webhook_id: z.string().max(256).optional(),
  status: z.enum(DELIVERY_STATES).optional(),
  event: WebhookEvent.optional(),
  start_time: moment.optional(),
  end_time: moment.optional(),
  ...page(50, 200),
});

export const ListDeadLetters = z.object({ older_than: moment.optional(), ...page(50, 200) });

const purge = { older_than: moment.optional().describe("Only entries that last failed before this time") };

/** Some clients send no body with DELETE, so both may be in the query. */
export const PurgeQuery = z.object({ confirm: optionalQueryFlag, ...purge });
export const PurgeBody = z.object({ confirm: z.boolean().optional(), ...purge });

export const RetryDeadLetters = z.object({
  webhook_id: z.string().max(256).optional().describe("Only entries of this webhook"),
  event: WebhookEvent.optional().describe("Only entries of this event"),
  ...purge,
});

const rate = z.number().nullable().describe("Share of deliveries that succeeded, 0..1");
const milliseconds = z.number().nullable();

export const DeliveryStatistics = z.object({
  total_deliveries: z.int().describe("Deliveries that ended, successful or not"),
  successful_deliveries: z.int(),
  failed_deliveries: z.int(),
  success_rate: rate,
  total_attempts: z.int(),
  avg_delivery_time_ms: milliseconds,
  p95_delivery_time_ms: milliseconds,
});

export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  url: z.string(),
  events: z.array(WebhookEvent),
  filters: z.object({
    category: z.union([z.string(), z.array(z.string())]).optional(),
    user_id: z.string().optional(),
  }),
  delivery_config: z.object({
    timeout_ms: z.int(),
    retry_count: z.int(),
    retry_delay_ms: z.int(),
    retry_backoff: z.enum(RETRY_BACKOFFS).describe("exponential where retry_delay_ms is not given"),
    signature_header: z.string(),
    include_payload: z.boolean(),
    include_metadata: z.boolean(),
  }),
  secret: z.string().describe("Masked, except in the response that created a generated secret"),
  previous_secret_until: z
    .string()
    .optional()
    .describe("Until then, deliveries are also signed with the previous secret"),
  metadata: storedObject,
  status: z.enum(WEBHOOK_STATES),
  pause_reason: z
    .enum(["gone", "failing"])
    .optional()
    .describe("Why the service paused it: its receiver answered 410, or all deliveries failed for five days"),
  created_at: z.string(),
  updated_at: z.string(),
  last_delivery: measured(z.string().nullable()),
  delivery_stats: measured(DeliveryStatistics),
});

export const WebhookList = z.object({ webhooks: z.array(Webhook), pagination: Pagination });

export const WebhookDeleted = z.object({ id: z.string(), deleted_at: z.string() });

export const WebhookTested = z.object({
  test_id: z.string(),
  webhook_id: z.string(),
  event: WebhookEvent,
  test_results: z.object({
    delivery_status: z.enum(["success", "failed"]),
    http_status: z.int().nullable(),
    response_body: z.string().nullable(),
    delivery_time_ms: z.number(),
    signature_valid: z.boolean().nullable().describe("null if no signature was sent"),
    error_message: z.string().optional(),
    timestamp: z.string(),
  }),
  test_payload: storedObject.describe("The body as sent"),
});

const payload = z
  .unknown()
  .describe("null if the caller cannot read the resource, if it was deleted, or if the response would be too large");

export const DeliveryLogList = z.object({
  delivery_logs: z.array(
    z.object({
      id: z.string(),
      delivery_id: z.string().describe("Id of the delivery, the same for all its attempts"),
      webhook_id: z.string(),
      event: WebhookEvent,
      event_id: z.string(),
      status: z.enum(DELIVERY_STATES).describe("pending: the attempt has not ended"),
      http_status: z.int().nullable(),
      delivery_time_ms: z.number().nullable(),
      attempt_number: z.int(),
      timestamp: z.string(),
      test: z.boolean().optional(),
      failure_reason: z.string().optional(),
      error_message: z.string().optional(),
      payload,
      response: z
        .object({
          status: z.int(),
          body: z.string().nullable(),
          truncated: z.boolean(),
          headers: z.record(z.string(), z.string()),
        })
        .nullable(),
      signature: z.string().nullable(),
    }),
  ),
  pagination: Pagination,
});

export const DeliveryPoint = DeliveryStatistics.extend({ at: z.string() });

export const DeliveryStats = z.object({
  overall_stats: DeliveryStatistics,
  webhook_stats: z.array(
    DeliveryStatistics.extend({
      webhook_id: z.string(),
      name: z.string(),
      status: z.enum(WEBHOOK_STATES),
      last_delivery: z.string().nullable(),
    }),
  ),
  event_stats: z.record(z.string(), DeliveryStatistics).describe("Figures by event"),
  time_series: z.object({
    hourly: z.array(DeliveryPoint).describe("The last 24 hours with deliveries, oldest first"),
    daily: z.array(DeliveryPoint).describe("The last 30 days with deliveries, oldest first"),
  }),
});

export const DeadLetterList = z.object({
  dead_letter_entries: z.array(
    z.object({
      id: z.string(),
      webhook_id: z.string(),
      delivery_id: z.string(),
      event: WebhookEvent,
      event_id: z.string(),
      original_payload: payload,
      failure_reason: z.string(),
      http_status: z.int().nullable(),
      error_message: z.string(),
      attempts: z.int(),
      first_failed_at: z.string(),
      last_failed_at: z.string(),
      next_retry_at: z.string().nullable().describe("The time of the next attempt of a requested retry"),
    }),
  ),
  queue_stats: z.object({
    total_entries: z.int().describe("Counted up to 10000"),
    retried_entries: z.int().describe("Dead letters with a requested retry"),
    oldest_entry_at: z.string().nullable(),
    newest_entry_at: z.string().nullable(),
  }),
  pagination: Pagination,
});

export const RetryQueued = z.object({
  dlq_id: z.string(),
  retry_status: z.literal("queued"),
  estimated_retry_time: z.string(),
  webhook_id: z.string(),
  event: WebhookEvent,
  delivery_id: z.string(),
});

export const RetriesQueued = z.object({
  retried_count: z.int().describe("Entries that were queued for delivery"),
  skipped_count: z
    .int()
    .describe("Matching entries that cannot be retried now: a retry is in progress, or the webhook is not active"),
  has_more: z.boolean().describe("There is more to do: send the request again, with `older_than` as `continue_before`"),
  continue_before: z.string().nullable().describe("Where a request with `has_more` stopped"),
});

export const DeadLetterDeleted = z.object({ id: z.string(), deleted_at: z.string() });

export const Purged = z.object({
  purged_count: z.int(),
  has_more: z.boolean().describe("There is more to do: send the request again"),
  purged_at: z.string(),
});
