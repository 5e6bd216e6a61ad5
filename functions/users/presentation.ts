import { readActivity } from "../../shared/domain/identity/activity.ts";
import { readAttempts } from "../../shared/domain/identity/sign-in-attempts.ts";
import { holderKey, NO_END, statusAt, type User } from "../../shared/domain/identity/users.ts";
import type { Context } from "../../shared/runtime/context.ts";

/** Data shown with users that is stored separately. */
interface Beside {
  attempts: Awaited<ReturnType<typeof readAttempts>>[number];
  activity: Awaited<ReturnType<typeof readActivity>>[number];
}

const NO_ATTEMPTS = { failures: 0 };

/** Users as admins see them, in the same order; four reads for any number of users. */
export async function presentUsers(ctx: Context, users: User[]) {
  const [attempts, holders, activities] = await Promise.all([
    readAttempts(
      ctx.ports.records,
      users.map(({ email }) => ({ email })),
      ctx.clock(),
    ),
    ctx.ports.records.getMany([...new Set(users.map(({ email }) => email))].map(holderKey)),
    readActivity(
      ctx,
      ctx.org,
      users.map(({ id }) => id),
    ),
  ]);
  const holderOf = new Map(holders.map(({ pk, user_id }) => [pk, user_id]));
  return users.flatMap((user, place) => {
    // Counts of an address belong to the user who verified it.
    const isHeld = (holderOf.get(holderKey(user.email).pk) ?? user.id) !== user.id;
    const beside = { attempts: isHeld ? NO_ATTEMPTS : attempts[place], activity: activities[place] };
    return isWhole(beside) ? [present(user, beside, ctx.clock())] : [];
  });
}

function isWhole(beside: Partial<Beside>): beside is Beside {
  return beside.attempts !== undefined && beside.activity !== undefined;
}

export async function presentUser(ctx: Context, user: User) {
  const [shown] = await presentUsers(ctx, [user]);
  if (!shown) throw new Error(`the user ${user.id} could not be shown`);
  return shown;
}

function present(user: User, { attempts, activity }: Beside, now: number) {
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
