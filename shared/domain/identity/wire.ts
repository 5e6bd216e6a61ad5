import * as z from "zod";
import { ROLES } from "../../runtime/access/permissions.ts";
import { each, storedObject } from "../../runtime/schemas/fields.ts";
import { measured } from "../../runtime/schemas/schema-parts.ts";
import { INVITE_STATES } from "./invites.ts";
import { EMAIL_LENGTH, normalizeEmail } from "./users.ts";

/** An email address in its canonical form. */
export const email = z
  .string()
  .max(EMAIL_LENGTH)
  .transform(normalizeEmail)
  .pipe(z.email("must be an e-mail address"))
  .meta({ type: "string", format: "email" });

export const API_KEY_STATES = ["active", "expired", "revoked"] as const;

/** Fields of an API key in lists. */
export const briefApiKey = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  prefix: z.string(),
  permissions: z.array(z.string()),
  status: z.enum(API_KEY_STATES),
  created_at: z.string(),
  last_used: measured(z.string().nullable()),
  /** The agent that it was created for: it sees what that agent may see, and ends with it. */
  agent_id: z.string().optional(),
};

/** An API key in the API's form. */
export const ApiKey = z.object({
  ...briefApiKey,
  rate_limit: z.object({ requests_per_minute: z.int(), burst_limit: z.int() }).optional(),
  expires_at: z.string().optional(),
  metadata: storedObject,
  revoked_at: z.string().optional(),
  revoked_reason: z.string().optional(),
});

/** The use counts of a key. */
export const KeyUsage = z.object({
  total_requests: z.number().int(),
  successful_requests: z.number().int(),
  failed_requests: z.number().int(),
  last_used: z.string().nullable(),
});

/** What a user did, directly or through API keys. */
export const Activity = z.object({
  api_calls: z.int(),
  memories_created: z.int(),
  sessions_started: z.int(),
  searches_performed: z.int(),
});

/** What was done on a day, or within days. */
export const DailyUse = z.object({
  ...Activity.shape,
  failed_calls: z.int().describe("Those answered with 4xx or 5xx."),
});

/** What every view of a user or an invitation has; the address is normalized by `normalizeEmail`. */
export const person = { id: z.string(), email: z.string(), name: z.string() };
/** An invitation in the API's form. */
export const Invite = z.object({
  ...person,
  role: z.enum(ROLES),
  permissions: z.array(z.string()),
  status: z.enum(INVITE_STATES),
  expires_at: z.string(),
  created_at: z.string(),
  /** The principal that created it and must still have the offered permissions when it is accepted. */
  created_by: z.string(),
  /** Whether the invitation is sent by mail. */
  send_email: z.boolean(),
  metadata: storedObject,
  /** `user_id`: the user that was created from it. */
  ...each(z.string().optional(), "accepted_at", "user_id", "cancelled_at", "cancelled_by", "cancelled_reason"),
});

/** What a user may do. */
export const access = { roles: z.array(z.string()), permissions: z.array(z.string()) };

/** The tokens that a client needs to act for a user; `expires_in` is the lifetime of the access token in seconds. */
export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.int(),
  token_type: z.literal("Bearer"),
});

/** The response to a sign-in. */
export const SignedIn = z.object({
  ...Tokens.shape,
  user: z.object({ ...person, ...access }),
  password_change_required: z
    .literal(true)
    .optional()
    .describe("The password is temporary: no permissions are granted until POST /auth/change-password"),
});

/** The response if a second factor is required; POST /auth/2fa/verify accepts the token and a code. */
export const SecondFactorRequired = z.object({
  two_factor_required: z.literal(true),
  challenge_token: z.string(),
  expires_in: z.int(),
});
