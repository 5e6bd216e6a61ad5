import * as z from "zod";
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
} from "../../shared/http/fields.ts";
import { measured } from "../../shared/http/schema-parts.ts";
import { LEAST_SECRET_LENGTH, MASKED_SECRET, MOST_SECRET_LENGTH } from "../../shared/webhooks/secrets.ts";
import { problemOfHeader } from "../../shared/webhooks/signing.ts";
import {
  DELIVERY_BOUNDS,
  DELIVERY_DEFAULTS,
  DELIVERY_STATES,
  RETRY_BACKOFFS,
  WEBHOOK_EVENTS,
  WEBHOOK_STATES,
} from "../../shared/webhooks/webhook.ts";

const MOST_CATEGORIES = 100;
const LONGEST_URL = 2048;

const event = z.enum(WEBHOOK_EVENTS);
const events = z
  .array(event)
  .min(1)
  .transform((given) => [...new Set(given)]);

/** What an event must be about; names that are none of these would filter nothing, and are refused. */
const filters = z.strictObject({
  category: z.union([label, z.array(label).min(1).max(MOST_CATEGORIES)]).optional(),
  user_id: label.optional(),
});

const within = (name: keyof typeof DELIVERY_BOUNDS) => {
  const [least, most] = DELIVERY_BOUNDS[name];
  return z.int().min(least).max(most);
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
        `Between attempts, always the same; null or left out: ${DELIVERY_DEFAULTS.retry_delay_ms} that doubles from attempt to attempt`,
      ),
    retry_backoff: z
      .enum(RETRY_BACKOFFS)
      .describe(
        `exponential, alone or with ${DELIVERY_DEFAULTS.retry_delay_ms} as it is answered: as if no delay were given`,
      ),
    signature_header,
    include_payload: z.boolean().describe("false: the body names the resource by its id alone"),
    include_metadata: z.boolean().describe("false: the resource comes without its metadata"),
  })
  .partial();

const secret = z
  .string()
  .min(LEAST_SECRET_LENGTH)
  .max(MOST_SECRET_LENGTH)
  .refine((value) => value.isWellFormed(), "must be well-formed text");

const name = filledText(200);
const description = text(1000);
const url = z.string().max(LONGEST_URL);

export const CreateWebhook = z.object({
  name,
  description: description.optional(),
  url,
  events,
  filters: filters.default({}),
  delivery_config: delivery_config.default({}),
  secret: secret.optional().describe("Without it one is made, which this answer alone shows"),
  metadata: metadata.default({}),
});

export const UpdateWebhook = z
  .object({
    name,
    description,
    url,
    events,
    filters,
    delivery_config: delivery_config.describe("What is not named stays as it is"),
    secret: z
      .union([z.literal(MASKED_SECRET), secret])
      .describe("The one of before stays in force beside it for 24 hours"),
    metadata,
    status: z.enum(WEBHOOK_STATES),
  })
  .partial();

export const ListWebhooks = z.object({
  status: z.enum(WEBHOOK_STATES).optional(),
  event: event.optional(),
  ...page(20, 100),
});

export const TestWebhook = z.object({
  event,
  test_payload: metadata
    .optional()
    .describe("Members of the body besides id, event and timestamp, such as {memory: {…}}; a sample unless told"),
  include_signature: z.boolean().default(true),
});

export const ListDeliveryLogs = z.object({
  webhook_id: z.string().max(256).optional(),
  status: z.enum(DELIVERY_STATES).optional(),
  event: event.optional(),
  start_time: moment.optional(),
  end_time: moment.optional(),
  ...page(50, 200),
});

export const ListDeadLetters = z.object({ older_than: moment.optional(), ...page(50, 200) });

const purge = { older_than: moment.optional().describe("Only entries that failed last before it") };

/** Some clients send no body with DELETE: both may be in the query instead. */
export const PurgeQuery = z.object({ confirm: optionalQueryFlag, ...purge });
export const PurgeBody = z.object({ confirm: z.boolean().optional(), ...purge });

const rate = z.number().nullable().describe("Share of deliveries that succeeded, 0..1");
const milliseconds = z.number().nullable();

const DeliveryStatistics = z.object({
  total_deliveries: z.int().describe("Deliveries that ended, whatever came of them"),
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
  events: z.array(event),
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
  secret: z.string().describe("Masked, but for one that was made by the service in the answer that makes it"),
  previous_secret_until: z
    .string()
    .optional()
    .describe("Until then deliveries are signed with the secret of before too"),
  metadata: storedObject,
  status: z.enum(WEBHOOK_STATES),
  pause_reason: z
    .enum(["gone", "failing"])
    .optional()
    .describe("Why the service paused it: its receiver answered 410, or nothing but failures came of it for five days"),
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
  event,
  test_results: z.object({
    delivery_status: z.enum(["success", "failed"]),
    http_status: z.int().nullable(),
    response_body: z.string().nullable(),
    delivery_time_ms: z.number(),
    signature_valid: z.boolean().nullable().describe("null where no signature was sent"),
    error_message: z.string().optional(),
    timestamp: z.string(),
  }),
  test_payload: storedObject.describe("The body as it was sent"),
});

const payload = z
  .unknown()
  .describe(
    "null where the caller may not read what it is of, where it is gone, or where the answer would be too long",
  );

export const DeliveryLogList = z.object({
  delivery_logs: z.array(
    z.object({
      id: z.string(),
      delivery_id: z.string().describe("The same across all attempts"),
      webhook_id: z.string(),
      event,
      event_id: z.string(),
      status: z.enum(DELIVERY_STATES).describe("pending: the attempt is awaited"),
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

const Point = DeliveryStatistics.extend({ at: z.string() });

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
  event_stats: z.record(z.string(), DeliveryStatistics).describe("By event"),
  time_series: z.object({
    hourly: z.array(Point).describe("The last 24 hours in which anything was sent, oldest first"),
    daily: z.array(Point).describe("The last 30 days in which anything was sent, oldest first"),
  }),
});

export const DeadLetterList = z.object({
  dead_letter_entries: z.array(
    z.object({
      id: z.string(),
      webhook_id: z.string(),
      delivery_id: z.string(),
      event,
      event_id: z.string(),
      original_payload: payload,
      failure_reason: z.string(),
      http_status: z.int().nullable(),
      error_message: z.string(),
      attempts: z.int(),
      first_failed_at: z.string(),
      last_failed_at: z.string(),
      next_retry_at: z.string().nullable().describe("When a retry that was asked for makes its next attempt"),
    }),
  ),
  queue_stats: z.object({
    total_entries: z.int().describe("Counted up to 10000"),
    retried_entries: z.int().describe("Those of which a retry was asked for"),
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
  event,
  delivery_id: z.string(),
});

export const DeadLetterDeleted = z.object({ id: z.string(), deleted_at: z.string() });

export const Purged = z.object({
  purged_count: z.int(),
  has_more: z.boolean().describe("There was too much for one request: ask again"),
  purged_at: z.string(),
});
