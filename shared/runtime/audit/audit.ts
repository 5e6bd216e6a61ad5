import { timestamp } from "../../kernel/clock.ts";
import { DAY_SECONDS } from "../../kernel/durations.ts";
import type { JsonObject } from "../../ports/json.ts";
import type { Write } from "../../ports/record-store.ts";
import type { Principal } from "../access/principal.ts";
import type { Runtime } from "../context.ts";
import { type AuditAction, type AuditActor, type AuditLevel, type AuditOutcome, putAudit } from "./records.ts";

const LEVELS: Record<AuditOutcome, AuditLevel> = { success: "info", refused: "warn", failed: "error" };

/**
 * The context of an audited action: a verb's context or, on a public route, the runtime with the organization
 * concerned. That is the account's organization if there is an account, otherwise the operator's (`OPERATOR_ORG`).
 */
export type AuditScope = Pick<Runtime, "clock" | "ids" | "config" | "request"> & { org: string; principal?: Principal };

/** What happened. `details` are names, roles and counts: never a secret or anything typed in a password field. */
export interface AuditEntry {
  action: AuditAction;
  outcome?: AuditOutcome;
  /** Id of the affected resource. */
  target?: string;
  details?: JsonObject;
  /** The principal of the credential by default; anonymous without a credential. */
  actor?: AuditActor;
}

function actorOf({ principal }: AuditScope): AuditActor {
  return principal ? { kind: principal.kind, id: principal.id } : { kind: "anonymous" };
}

/** Returns the write that records an action; add it to the action's transaction, so that both are stored or neither. */
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

/** Records an action without other writes, such as a failed sign-in; a failure to record it is only logged. */
export async function recordAudit(
  scope: AuditScope & Pick<Runtime, "ports" | "logger">,
  entry: AuditEntry,
): Promise<void> {
  try {
    await scope.ports.records.write(audit(scope, entry));
  } catch (error) {
    const { action, outcome, target } = entry;
    scope.logger.error("AUDIT_NOT_WRITTEN", { org: scope.org, action, outcome, target, error });
  }
}
