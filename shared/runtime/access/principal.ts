import type { Permission } from "./permissions.ts";
import type { Plan } from "./plans.ts";

/** A credential's own rate limit in addition to its plan's. */
export interface OwnRateLimit {
  requests_per_minute: number;
  burst_limit: number;
}

/** Who makes a request. `org` comes only from the credential and limits everything that the request can access. */
export interface Principal {
  /** `oauth_client`: a client that acts for the user `id`. */
  kind: "api_key" | "user" | "oauth_client";
  id: string;
  org: string;
  /** Whether the organization is the one created at first start, whose admins operate the deployment. */
  operator: boolean;
  plan: Plan;
  permissions: readonly Permission[];
  /** The user's password is temporary, so there are no permissions. */
  mustChangePassword?: true;
  rateLimit?: OwnRateLimit;
  /** ISO 8601; when the key expires, if it does. */
  expiresAt?: string;
  /** The responsible user: the user itself, or the user who created the key, directly or through another key. */
  owner?: string;
  /** The agent that the API key belongs to: the request sees only what that agent may see. */
  agent?: string;
  /** For a user, the id of the sign-in; for a client, that of the grant. */
  session?: string;
  /** For a client, the only user whose memories it may use, if there is a limit. */
  memoryUser?: string;
}
