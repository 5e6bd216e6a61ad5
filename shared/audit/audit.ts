import type { Principal } from "../identity/principal.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import type { JsonObject, Write } from "../platform/ports.ts";
import { type AuditAction, type AuditActor, type AuditLevel, type AuditOutcome, putAudit } from "./records.ts";

const DAY_SECONDS = 86_400;

const LEVELS: Record<AuditOutcome, AuditLevel> = { success: "info", refused: "warn", failed: "error" };

/**
 * Where an action happens: a verb's context or, on a public route, its home with the organization that the action
 * concerns. That is the account's organization where there is an account, else the operator's (`OPERATOR_ORG`).
 */
export type AuditScope = Pick<Home, "clock" | "ids" | "config" | "request"> & { org: string; principal?: Principal };

/** What happened. `details` are names, roles and counts: never a secret, nor what a person typed in place of one. */
export interface AuditEntry {
  action: AuditAction;
  outcome?: AuditOutcome;
  /** Id of what it was done to. */
  target?: string;
  details?: JsonObject;
  /** Whoever the credential names, unless told; without a credential somebody anonymous. */
  actor?: AuditActor;
}

function actorOf({ principal }: AuditScope): AuditActor {
  return principal ? { kind: principal.kind, id: principal.id } : { kind: "anonymous" };
}

/** The write that records an action; it belongs into the transaction of the action, so that neither is without the other. */
export function audit(scope: AuditScope, entry: AuditEntry): Write {
  const { action, outcome = "success", target, details = {}, actor = actorOf(scope) } = entry;
  const now = scope.clock();
  const record = {
    id: scope.ids("log"),
    org: scope.org,
    at: timestamp(now),
    actor,
    action,
    service: action.slice(0, action.indexOf(".")),
    level: LEVELS[outcome],
    outcome,
    target,
    details,
    request_id: scope.request?.id,
    address: scope.request?.address,
  };
  return putAudit(record, Math.ceil(now / 1000) + scope.config.AUDIT_RETENTION_DAYS * DAY_SECONDS);
}

/**
 * Records what changes nothing else, such as a failed sign-in. What cannot be recorded is logged and holds nobody up:
 * the answer to a wrong password must not depend on it.
 */
export async function recordAudit(
  scope: AuditScope & Pick<Home, "ports" | "logger">,
  entry: AuditEntry,
): Promise<void> {
  try {
    await scope.ports.records.write(audit(scope, entry));
  } catch (error) {
    const { action, outcome, target } = entry;
    scope.logger.error("AUDIT_NOT_WRITTEN", { org: scope.org, action, outcome, target, error });
  }
}
