export const PLANS = ["free", "pro", "team", "enterprise"] as const;

export type Plan = (typeof PLANS)[number];

/** Requests per minute in the order free, pro, team; enterprise is unlimited. */
type MinuteLimits = readonly [free: number, pro: number, team: number];

const GENERAL: MinuteLimits = [100, 1000, 5000];

/** The contract's limits per operation, in requests per minute. */
const OPERATIONS = {
  create_session: [20, 200, 1000],
  add_message: [100, 1000, 5000],
  get_session: [100, 1000, 5000],
  list_sessions: [60, 600, 3000],
  list_skills: [100, 1000, 5000],
  create_skill: [10, 100, 500],
  execute_skill: [20, 200, 1000],
  search_skills: [60, 600, 3000],
  create_memory: [10, 100, 500],
  read_memory: [100, 1000, 5000],
  update_memory: [5, 50, 250],
  delete_memory: [5, 50, 250],
  list_agents: [100, 1000, 5000],
  list_groups: [100, 1000, 5000],
  create_agent: [10, 100, 500],
  execute_agent: [20, 200, 1000],
  basic_search: [60, 600, 3000],
  advanced_search: [30, 300, 1500],
  spreading_search: [10, 100, 500],
  compression_stats: [60, 600, 3000],
  set_compression_mode: [10, 100, 500],
  update_tier_policy: [5, 50, 250],
  admin_users: [10, 100, 500],
  admin_monitoring: [60, 600, 3000],
  admin_maintenance: [5, 50, 250],
  list_webhooks: [60, 600, 3000],
  create_webhook: [10, 100, 500],
  test_webhook: [5, 50, 250],
} as const satisfies Record<string, MinuteLimits>;

export type LimitedOperation = keyof typeof OPERATIONS;

export const LIMITED_OPERATIONS = Object.keys(OPERATIONS) as LimitedOperation[];

/** The limit of an organization as a multiple of a credential's limit. */
const CREDENTIALS_AT_ONCE = 5;

/** The maximum that an organization may own at once, in the order of `PLANS`. API keys, invitations and users are active ones. */
const OWNED = {
  keys: [10, 100, 1000, 10_000],
  users: [25, 250, 2500, 10_000],
  invitations: [25, 250, 2500, 10_000],
  agents: [50, 500, 5000, 10_000],
  groups: [50, 500, 5000, 10_000],
  skills: [500, 5000, 10_000, 50_000],
  chains: [50, 500, 5000, 10_000],
  webhooks: [5, 25, 50, 100],
  connections: [5, 50, 250, 1000],
  entities: [5000, 50_000, 250_000, 1_000_000],
} as const satisfies Record<string, readonly [number, number, number, number]>;

export type OwnedName = keyof typeof OWNED;

export const OWNED_NAMES = Object.keys(OWNED) as OwnedName[];

/** Returns the requests per minute of a credential, in general or for one operation; undefined means unlimited. */
export function planLimit(plan: Plan, operation: LimitedOperation | "general"): number | undefined {
  const limits = operation === "general" ? GENERAL : OPERATIONS[operation];
  return limits[PLANS.indexOf(plan)];
}

/** Returns the requests per minute of all credentials of an organization together; undefined means unlimited. */
export function organizationLimit(plan: Plan, operation: LimitedOperation | "general"): number | undefined {
  const limit = planLimit(plan, operation);
  return limit === undefined ? undefined : limit * CREDENTIALS_AT_ONCE;
}

/** Returns the maximum that an organization may own at once. */
export function ownedLimit(plan: Plan, name: OwnedName): number {
  return OWNED[name][PLANS.indexOf(plan)] as number;
}

/** Returns the maximum of each kind that an organization may own at once. */
export function ownedLimits(plan: Plan): Record<OwnedName, number> {
  return Object.fromEntries(OWNED_NAMES.map((name) => [name, ownedLimit(plan, name)])) as Record<OwnedName, number>;
}
