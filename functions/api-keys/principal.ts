import { findApiKey, labelOf } from "../../shared/domain/identity/records.ts";
import { findUser } from "../../shared/domain/identity/users.ts";
import { covers, PERMISSIONS } from "../../shared/runtime/access/permissions.ts";
import { ownedLimits } from "../../shared/runtime/access/plans.ts";
import type { Context } from "../../shared/runtime/context.ts";

/** Describes the credential of the request, so that a client can offer what the credential may do. */
export async function readPrincipal(ctx: Context) {
  const { ports, org, principal } = ctx;
  const { kind, id, owner, operator, plan, agent, rateLimit, expiresAt, permissions } = principal;
  const [label, person] = await Promise.all([labelOf(ctx), readNames()]);
  return {
    kind,
    id,
    ...person,
    organization: { id: org, label },
    plan,
    permissions: PERMISSIONS.filter((permission) => covers(permissions, permission)),
    operator,
    ...(owner !== undefined && { owner_id: owner }),
    ...(agent !== undefined && { agent_id: agent }),
    ...(rateLimit !== undefined && { rate_limit: rateLimit }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    limits: ownedLimits(plan),
  };

  async function readNames(): Promise<{ name: string; email?: string }> {
    if (kind !== "api_key") {
      const user = await findUser(ports.records, org, id);
      return { name: user?.name ?? id, ...(user && { email: user.email }) };
    }
    return { name: (await findApiKey(ports.records, org, id))?.name ?? id };
  }
}
