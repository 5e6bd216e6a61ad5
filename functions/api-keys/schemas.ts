import * as z from "zod";
import { API_KEY_STATES, ApiKey, briefApiKey, DailyUse, KeyUsage } from "../../shared/domain/identity/wire.ts";
import { PERMISSIONS } from "../../shared/runtime/access/permissions.ts";
import { OWNED_NAMES, PLANS } from "../../shared/runtime/access/plans.ts";
import {
  each,
  filledText,
  inQuery,
  metadata,
  moment,
  Pagination,
  page,
  text,
} from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

export { ApiKey };

const name = filledText(200);
const description = text(1000);
const permissions = z
  .array(z.enum(PERMISSIONS))
  .min(1)
  .transform((given) => [...new Set(given)]);
const rate_limit = z.object({
  requests_per_minute: z.int().min(1).max(1_000_000),
  burst_limit: z.int().min(1).max(1_000_000),
});

export const CreateApiKey = z.object({
  name,
  description: description.optional(),
  permissions,
  rate_limit: rate_limit.optional(),
  expires_at: moment.optional(),
  metadata: metadata.optional(),
  agent_id: z.string().optional(),
});

export const UpdateApiKey = z.object({ name, description, permissions, rate_limit, metadata }).partial();

export const RotateApiKey = z.object({ name, description }).partial();

export const RevokeApiKey = z.object({ reason: text(1000).optional() });

export const ListApiKeys = z.object({ status: z.enum(API_KEY_STATES).optional(), ...page(20, 100) });

export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() });

export const ApiKeyWithUse = ApiKey.extend({
  rate_limit: ApiKey.shape.rate_limit
    .unwrap()
    .extend({ current_usage: measured(z.int()), reset_time: measured(z.string()) })
    .optional(),
  usage_stats: measured(KeyUsage),
});

export const ApiKeyList = z.object({ api_keys: z.array(z.object(briefApiKey)), pagination: Pagination });

export const RevokedApiKey = z.object({
  id: z.string(),
  status: z.literal("revoked"),
  revoked_at: z.string(),
  revoked_reason: z.string(),
});

export const RotatedApiKey = z.object({
  old_key: z.object({ id: z.string(), status: z.literal("revoked"), revoked_at: z.string() }),
  new_key: z.object(each(z.string(), "id", "name", "key", "prefix", "created_at")),
});

export const Principal = z.object({
  kind: z.enum(["api_key", "user", "oauth_client"]).describe("What the request authenticates as."),
  id: z.string(),
  name: z.string(),
  email: z.string().optional().describe("Of a user."),
  organization: z.object({ id: z.string(), label: z.string().describe("Its display name.") }),
  plan: z.enum(PLANS).describe("The organization's plan."),
  permissions: z.array(z.enum(PERMISSIONS)).describe("Including those that `admin:all` implies."),
  operator: z.boolean().describe("Whether its organization operates the deployment."),
  owner_id: z.string().optional().describe("The user who owns the key."),
  agent_id: z.string().optional().describe("The agent of an agent's key."),
  rate_limit: ApiKey.shape.rate_limit.describe("The key's own limit, in addition to the plan's."),
  expires_at: z.string().optional().describe("When the key expires."),
  limits: z
    .object(each(z.int(), ...OWNED_NAMES))
    .describe("The most that the organization may own at once by its plan, by the `resource` of LIMIT_REACHED."),
});

const day = z.iso.date().meta({ examples: ["2026-01-31"] });

export const ReadUsage = z.object({
  from: day
    .optional()
    .describe("The first day, in UTC; by default 29 days before `to`. At most 31 days; counts are kept for 92."),
  to: day.optional().describe("The last day; by default today."),
  user_id: z.string().optional().describe("Only the days of this user of the organization."),
  api_key_id: z.string().optional().describe("Only the days of this key."),
  limit: inQuery(z.int().min(1).max(100)).default(20).describe("Maximum number of users, and of keys."),
});

const holder = {
  ...DailyUse.shape,
  id: z.string(),
  name: z.string().nullable().describe("Null if it no longer exists."),
};

export const Usage = measured(
  z.object({
    from: day,
    to: day,
    total: DailyUse,
    days: z
      .array(z.object({ day: day.describe("In UTC."), ...DailyUse.shape }))
      .describe("Those with any use, oldest first."),
    users: z
      .array(z.object(holder))
      .describe("What users did, directly or through their keys; those with the most requests first."),
    api_keys: z.array(z.object(holder)).describe("What was done with keys; those with the most requests first."),
    left_out: z.object({ users: z.int(), api_keys: z.int() }).describe("How many more there are."),
    is_partial: z
      .boolean()
      .describe(
        "Whether less is summed than there is: at most 10,000 counters of users and of keys, from the last day on; of your own keys, the 20 newest.",
      ),
  }),
);
