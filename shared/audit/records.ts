import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { AFTER_ANY_ID, filterBy, type RecordListing, readPage } from "../platform/listing.ts";
import type { Json, JsonObject, RecordKey, RecordStore, Write } from "../platform/ports.ts";

/** What an action was done to; the verb is free, `user.suspended`. */
type AuditArea =
  | "admin"
  | "api_key"
  | "auth"
  | "connection"
  | "invite"
  | "organization"
  | "settings"
  | "signing_key"
  | "user"
  | "webhook";

export type AuditAction = `${AuditArea}.${string}`;

/** `refused`: whoever asked may not, or could not show who they are. `failed`: the service could not do it. */
export type AuditOutcome = "success" | "refused" | "failed";

export const AUDIT_LEVELS = ["info", "warn", "error"] as const;

export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** Who did it. Nobody knows an `anonymous` one yet, as with a failed sign-in; `system` is the service by itself. */
export interface AuditActor {
  kind: "api_key" | "user" | "anonymous" | "system";
  id?: string;
}

/** What somebody did that people may have to account for. Never holds a secret, a password or a token. */
export interface AuditRecord {
  id: string;
  /** The organization it concerns; the operator's for what concerns none, such as a sign-in to no account. */
  org: string;
  /** ISO. */
  at: string;
  actor: AuditActor;
  action: AuditAction;
  /** Area of the action. */
  service: string;
  level: AuditLevel;
  outcome: AuditOutcome;
  /** Id of what it was done to. */
  target?: string;
  details: JsonObject;
  request_id?: string;
  /** Network address of whoever asked. */
  address?: string;
}

const auditKey = ({ org, id }: AuditRecord): RecordKey => ({ pk: `${org}#${id}`, sk: "audit" });
const auditOf = (org: string): string => `${org}#audit`;
/** What every organization did, for the operator. */
const WHOLE_DEPLOYMENT = "audit";

/** The write that stores a record until `ttl`, in epoch seconds. */
export function putAudit(record: AuditRecord, ttl: number): Write {
  const place = `${record.at}#${record.id}`;
  const index = { gsi1pk: auditOf(record.org), gsi1sk: place, gsi2pk: WHOLE_DEPLOYMENT, gsi2sk: place, ttl };
  // JSON leaves out what is undefined.
  const stored: { [attribute: string]: Json } = JSON.parse(JSON.stringify(record));
  return { put: toItem(auditKey(record), "audit", stored, index), condition: "absent" };
}

export interface AuditFilter {
  level?: AuditLevel;
  service?: string;
  /** ISO, inclusive. */
  from?: string;
  to?: string;
}

/** One page of what happened, newest first: in one organization or, for the operator, in the whole deployment. */
export async function listAudit(
  records: RecordStore,
  scope: { org: string } | "deployment",
  { level, service, from, to }: AuditFilter,
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { entries: AuditRecord[] }> {
  const listing =
    scope === "deployment"
      ? { index: "gsi2" as const, pk: WHOLE_DEPLOYMENT }
      : { index: "gsi1" as const, pk: auditOf(scope.org) };
  const sk = from || to ? { atLeast: from, atMost: to && to + AFTER_ANY_ID } : undefined;
  const where = filterBy(level && { level }, service === undefined ? undefined : { service });
  const { items, ...rest } = await readPage(records, { ...listing, sk, where, descending: true }, page);
  return { entries: items.map(fromItem<AuditRecord>), ...rest };
}
