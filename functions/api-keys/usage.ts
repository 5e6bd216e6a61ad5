import {
  type DailyUse,
  type Days,
  readUseOf,
  readUseOfOrganization,
  sumUse,
  sumUseOfAll,
  type UseHolder,
} from "../../shared/domain/identity/daily-use.ts";
import { findApiKeys, listApiKeys } from "../../shared/domain/identity/records.ts";
import { findUsers } from "../../shared/domain/identity/users.ts";
import { dateOf, timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { invalid, notFound } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { covers } from "../../shared/runtime/access/permissions.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { Point } from "../../shared/runtime/stats/series.ts";
import type * as schemas from "./schemas.ts";
import { getOwnKey } from "./service.ts";

const MAX_DAYS = 31;
const DEFAULT_DAYS = 30;
/** Keys that a credential without `admin:all` created, the newest ones. */
const OWN_KEYS = 20;

type Request = Input<typeof schemas.ReadUsage>;
type Sums = Map<string, DailyUse>;

/** What users and keys did, by day: an admin reads the whole organization, everybody else their own. */
export async function readUsage(ctx: Context, request: Request) {
  const days = daysOf(ctx, request);
  await ctx.rollups.flush();
  const { points, users, keys, isPartial } = await readCounters(ctx, request, days);
  const shown = { users: topOf(users, request.limit), keys: topOf(keys, request.limit) };
  const { ports, org } = ctx;
  const [namedUsers, namedKeys] = await Promise.all([
    findUsers(
      ports.records,
      shown.users.map(([id]) => ({ org, id })),
    ),
    findApiKeys(
      ports.records,
      org,
      shown.keys.map(([id]) => id),
    ),
  ]);
  return {
    from: dateOf(days.from),
    to: dateOf(days.to),
    total: sumUse(points.map(({ counters }) => counters)),
    days: points.map(({ at, counters }) => ({ day: dateOf(Date.parse(at)), ...sumUse([counters]) })),
    users: withNames(shown.users, namedUsers),
    api_keys: withNames(shown.keys, namedKeys),
    left_out: { users: users.size - shown.users.length, api_keys: keys.size - shown.keys.length },
    is_partial: isPartial,
  };
}

/** Throws VALIDATION_ERROR for a range that is empty or too long. */
function daysOf({ clock }: Context, given: Request): Days {
  const to = Date.parse(given.to ?? dateOf(clock()));
  const from = given.from === undefined ? to - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(given.from);
  if (from > to) throw invalid({ field: "from", problem: "must not be after `to`" });
  if (to - from >= MAX_DAYS * DAY_MS) throw invalid({ field: "from", problem: `at most ${MAX_DAYS} days are read` });
  return { from, to };
}

interface Counters {
  points: Point[];
  users: Sums;
  keys: Sums;
  isPartial: boolean;
}

async function readCounters(ctx: Context, { user_id, api_key_id }: Request, days: Days): Promise<Counters> {
  const { records } = ctx.ports;
  const isAdmin = ctx.viewer === undefined && covers(ctx.principal.permissions, "admin:all");
  if (user_id !== undefined && api_key_id !== undefined) {
    throw invalid({ field: "api_key_id", problem: "is not used with `user_id`" });
  }
  if (api_key_id !== undefined) return readOne(ctx, "keys", (await getOwnKey(ctx, api_key_id)).id, days);
  if (user_id !== undefined) {
    const [user] =
      isAdmin || user_id === ownUserOf(ctx) ? await findUsers(records, [{ org: ctx.org, id: user_id }]) : [];
    if (user === undefined) throw notFound("user", user_id);
    return readOne(ctx, "users", user_id, days);
  }
  if (!isAdmin) return readOwn(ctx, days);
  const [points, users, keys] = await Promise.all([
    readUseOfOrganization(records, ctx.org, days),
    sumUseOfAll(records, ctx.org, "users", days),
    sumUseOfAll(records, ctx.org, "keys", days),
  ]);
  return { points, users: users.sums, keys: keys.sums, isPartial: users.isPartial || keys.isPartial };
}

/** A key acts for itself alone, even if a user is responsible for it. */
function ownUserOf({ principal }: Context): string | undefined {
  return principal.kind === "api_key" ? undefined : principal.owner;
}

async function readOne(ctx: Context, holder: UseHolder, id: string, days: Days): Promise<Counters> {
  const byId = await readUseOf(ctx.ports.records, ctx.org, holder, [id], days);
  const none: Sums = new Map();
  return { points: byId.get(id) ?? [], users: none, keys: none, isPartial: false, [holder]: sumsOf(byId) };
}

/** Of a user, and of the newest keys that it created; of a key, and of those that it created. */
async function readOwn(ctx: Context, days: Days): Promise<Counters> {
  const { ports, org, principal } = ctx;
  const user = ownUserOf(ctx);
  const filter = { createdBy: principal.id, now: timestamp(ctx.clock()) };
  const created = await listApiKeys(ports.records, org, filter, { limit: OWN_KEYS, offset: 0 });
  const ids = [...(user === undefined ? [principal.id] : []), ...created.items.map(({ id }) => id)];
  const [users, keys] = await Promise.all([
    readUseOf(ports.records, org, "users", user === undefined ? [] : [user], days),
    readUseOf(ports.records, org, "keys", ids, days),
  ]);
  const points = (user === undefined ? keys.get(principal.id) : users.get(user)) ?? [];
  return { points, users: sumsOf(users), keys: sumsOf(keys), isPartial: created.hasNext };
}

function sumsOf(byId: Map<string, Point[]>): Sums {
  return new Map([...byId].map(([id, points]) => [id, sumUse(points.map(({ counters }) => counters))]));
}

/** The entries with the most requests. */
function topOf(sums: Sums, limit: number): [id: string, use: DailyUse][] {
  return [...sums].sort(([, a], [, b]) => b.api_calls - a.api_calls).slice(0, limit);
}

function withNames(entries: [id: string, use: DailyUse][], named: { id: string; name: string }[]) {
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return entries.map(([id, use]) => ({ id, name: names.get(id) ?? null, ...use }));
}
