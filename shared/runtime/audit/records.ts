import type { PageRequest } from "../../kernel/pagination.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import { AFTER_ANY_ID, filterBy, type Listing, readPage } from "../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";

/** The type of the affected resource; the verb is free, as in `user.suspended`. */
type AuditArea =
  | "admin"
  | "api_key"
  | "auth"
  | "connection"
  | "invite"
  | "oauth"
  | "organization"
  | "secret"
  | "settings"
  | "signing_key"
  | "user"
  | "webhook";

export type AuditAction = `${AuditArea}.${string}`;

/** `refused`: the caller lacks permission or could not authenticate. `failed`: the service could not do it. */
export type AuditOutcome = "success" | "refused" | "failed";

export const AUDIT_LEVELS = ["info", "warn", "error"] as const;

export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** Who did it. `anonymous`: not authenticated, as in a failed sign-in. `system`: the service itself. */
export interface AuditActor {
  kind: "api_key" | "user" | "oauth_client" | "anonymous" | "system";
  id?: string;
}

/** An audit record of an action. Never contains a secret, a password or a token. */
export interface AuditRecord {
  id: string;
  /** The organization concerned; the operator's if there is none, as in a sign-in to an unknown account. */
  org: string;
  /** ISO. */
  at: string;
  actor: AuditActor;
  action: AuditAction;
  /** Area of the action. */
  service: string;
  level: AuditLevel;
  outcome: AuditOutcome;
  /** Id of the affected resource. */
  target?: string;
  details: JsonObject;
  request_id?: string;
  /** Network address of the client. */
  address?: string;
}

export const AUDIT_KIND = "audit";

const auditKey = ({ org, id }: AuditRecord): RecordKey => ({ pk: `${org}#${id}`, sk: "audit" });
const auditOf = (org: string): string => `${org}#audit`;
/** Audit records of all organizations, for the operator. */
const WHOLE_DEPLOYMENT = "audit";

/** Returns the write that stores a record until `ttl`, in epoch seconds. */
export function putAudit(record: AuditRecord, ttl: number): Write {
  const sortKey = `${record.at}#${record.id}`;
  const index = { gsi1pk: auditOf(record.org), gsi1sk: sortKey, gsi2pk: WHOLE_DEPLOYMENT, gsi2sk: sortKey, ttl };
  // JSON drops undefined values.
  const stored: { [attribute: string]: Json } = JSON.parse(JSON.stringify(record));
  return { put: toItem(auditKey(record), AUDIT_KIND, stored, index), condition: "absent" };
}

export interface AuditFilter {
  level?: AuditLevel;
  service?: string;
  /** ISO, inclusive. */
  from?: string;
  to?: string;
}

/**
 * Returns one page of audit records, newest first: of one organization or, for the operator, of the whole deployment.
 */
export async function listAudit(
  records: RecordStore,
  scope: { org: string } | "deployment",
  { level, service, from, to }: AuditFilter,
  page: PageRequest,
): Promise<Omit<Listing, "items"> & { entries: AuditRecord[] }> {
  const listing =
    scope === "deployment"
      ? { index: "gsi2" as const, pk: WHOLE_DEPLOYMENT }
      : { index: "gsi1" as const, pk: auditOf(scope.org) };
  const sk = from || to ? { atLeast: from, atMost: to && to + AFTER_ANY_ID } : undefined;
  const where = filterBy(level && { level }, service === undefined ? undefined : { service });
  const { items, ...rest } = await readPage(records, { ...listing, sk, where, descending: true }, page);
  return { entries: items.map(fromItem<AuditRecord>), ...rest };
}
