import { type Activity, NO_ACTIVITY, readActivity } from "../../shared/domain/identity/activity.ts";
import { type Attempts, readAttempts } from "../../shared/domain/identity/sign-in-attempts.ts";
import { holderKey, NO_END, statusAt, type User } from "../../shared/domain/identity/users.ts";
import type { Context } from "../../shared/runtime/context.ts";

const NO_ATTEMPTS: Attempts = { failures: 0 };

/** Users as admins see them, in the same order; four reads for any number of users. */
export async function presentUsers(ctx: Context, users: User[]) {
  const { records } = ctx.ports;
  const addresses = users.map(({ email }) => ({ email }));
  const emails = [...new Set(users.map(({ email }) => email))];
  const ids = users.map(({ id }) => id);
  const [attempts, holders, activities] = await Promise.all([
    readAttempts(records, addresses, ctx.clock()),
    records.getMany(emails.map(holderKey)),
    readActivity(ctx, ctx.org, ids),
  ]);
  const holderOf = new Map(holders.map(({ pk, user_id }) => [pk, user_id]));
  return users.map((user, index) => {
    // Counts of an address belong to the user who verified it.
    const isHeldByOther = (holderOf.get(holderKey(user.email).pk) ?? user.id) !== user.id;
    const ownAttempts = isHeldByOther ? undefined : attempts[index];
    return present(user, ownAttempts ?? NO_ATTEMPTS, activities[index] ?? NO_ACTIVITY, ctx.clock());
  });
}

export async function presentUser(ctx: Context, user: User) {
  const [shown] = await presentUsers(ctx, [user]);
  if (!shown) throw new Error(`the user ${user.id} could not be shown`);
  return shown;
}

function present(user: User, attempts: Attempts, activity: Activity, now: number) {
  const status = statusAt(user, now);
  const { suspended_until, suspension, deletion, last_login, login_count } = user;
  const isSuspended = status === "suspended";
  return {
    ...user,
    status,
    timezone: user.preferences.timezone,
    suspended_until: isSuspended && suspended_until !== NO_END ? suspended_until : undefined,
    suspension_reason: isSuspended ? suspension?.reason : undefined,
    deleted_at: deletion?.at,
    deleted_by: deletion?.by,
    deletion_reason: deletion?.reason,
    two_factor_enabled: user.two_factor?.enabled ?? false,
    security: {
      login_attempts: attempts.failures,
      account_locked: attempts.locked_until !== undefined,
      last_login,
      login_count,
      password_changed_at: user.password_changed_at ?? null,
    },
    usage_stats: activity,
  };
}
