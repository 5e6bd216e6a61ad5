import type { Permission } from "./permissions.ts";
import type { Plan } from "./plans.ts";

/** Requests a credential may make besides what its plan allows. */
export interface OwnRateLimit {
  requests_per_minute: number;
  burst_limit: number;
}

/** Who makes a request. `org` comes from the credential alone and scopes everything the request can reach. */
export interface Principal {
  kind: "api_key" | "user";
  id: string;
  org: string;
  /** The organization made at first start; its admins run the deployment. */
  operator: boolean;
  plan: Plan;
  permissions: readonly Permission[];
  rateLimit?: OwnRateLimit;
  /** ISO; end of a key that has one. */
  expiresAt?: string;
  /** User who answers for what is done: the user itself, or who made the key, be it by another key. */
  owner?: string;
  /** Agent that its key was made for: the request finds what that agent may see, and nothing else. */
  agent?: string;
  /** Of a user: the sign-in that its token came from. */
  session?: string;
}
