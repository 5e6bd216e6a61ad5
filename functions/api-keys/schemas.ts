import * as z from "zod";
import { PERMISSIONS } from "../../shared/runtime/access/permissions.ts";
import {
  each,
  filledText,
  metadata,
  moment,
  Pagination,
  page,
  storedObject,
  text,
} from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

const STATES = ["active", "expired", "revoked"] as const;

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
  /** Creates a key for that agent: it sees only the agent's own memories and those shared with it. */
  agent_id: z.string().optional(),
});

export const UpdateApiKey = z.object({ name, description, permissions, rate_limit, metadata }).partial();

export const RotateApiKey = z.object({ name, description }).partial();

export const RevokeApiKey = z.object({ reason: text(1000).optional() });

export const ListApiKeys = z.object({ status: z.enum(STATES).optional(), ...page(20, 100) });

const identity = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  prefix: z.string(),
  permissions: z.array(z.string()),
  status: z.enum(STATES),
  created_at: z.string(),
  last_used: measured(z.string().nullable()),
  agent_id: z.string().optional(),
};

const appliedLimit = z.object({ requests_per_minute: z.int(), burst_limit: z.int() });

const details = {
  ...identity,
  rate_limit: appliedLimit.optional(),
  expires_at: z.string().optional(),
  metadata: storedObject,
  revoked_at: z.string().optional(),
  revoked_reason: z.string().optional(),
};

export const ApiKey = z.object(details);

export const ApiKeyWithSecret = z.object({ ...details, key: z.string() });

export const ApiKeyWithUse = z.object({
  ...details,
  rate_limit: appliedLimit
    .extend({ current_usage: measured(z.number().int()), reset_time: measured(z.string()) })
    .optional(),
  usage_stats: measured(
    z.object({
      total_requests: z.number().int(),
      successful_requests: z.number().int(),
      failed_requests: z.number().int(),
      last_used: z.string().nullable(),
    }),
  ),
});

export const ApiKeyList = z.object({ api_keys: z.array(z.object(identity)), pagination: Pagination });

export const RevokedApiKey = z.object({
  id: z.string(),
  status: z.literal("revoked"),
  revoked_at: z.string(),
  revoked_reason: z.string(),
});

export const RotatedApiKey = z.object({
  old_key: z.object({ id: z.string(), status: z.literal("revoked"), revoked_at: z.string() }),
  new_key: z.object({
    ...each(z.string(), "id", "name", "key", "prefix", "created_at"),
  }),
});
