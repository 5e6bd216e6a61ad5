import { groups } from "../../shared/domain/agents/group-records.ts";
import { agents } from "../../shared/domain/agents/records.ts";
import { CHAINS, SKILLS } from "../../shared/domain/agents/skills/records.ts";
import { INVITATIONS } from "../../shared/domain/identity/invites.ts";
import type { OwnedKind } from "../../shared/domain/identity/owned-counts.ts";
import { API_KEYS } from "../../shared/domain/identity/records.ts";
import { USERS } from "../../shared/domain/identity/users.ts";
import { WEBHOOKS } from "../../shared/domain/integration/webhooks/records.ts";
import { CONNECTIONS } from "../../shared/domain/knowledge/connections/records.ts";
import { ENTITIES } from "../../shared/domain/memory/entity-limit.ts";
import type { OwnedName } from "../../shared/runtime/access/plans.ts";

/** Everything of which an organization may own a limited number. */
export const OWNED_KINDS: Record<OwnedName, OwnedKind> = {
  keys: API_KEYS,
  users: USERS,
  invitations: INVITATIONS,
  agents: agents.owned,
  groups: groups.owned,
  skills: SKILLS,
  chains: CHAINS,
  webhooks: WEBHOOKS,
  connections: CONNECTIONS,
  entities: ENTITIES,
};
