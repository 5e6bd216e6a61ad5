import type { StoredRecord } from "../platform/ports.ts";

/** What a backup may be asked for. */
export const BACKUP_COMPONENTS = [
  "memories",
  "sessions",
  "skills",
  "agents",
  "sources",
  "webhooks",
  "users",
  "config",
  "search_index",
  "blobs",
] as const;

export type BackupComponent = (typeof BACKUP_COMPONENTS)[number];

/** What records are archived under; `logs` are the audit trail, which is asked for apart. */
export type RecordComponent = Exclude<BackupComponent, "search_index" | "blobs"> | "logs";

/** Backups do not hold backups: their archives stay where they are. */
const LEFT_OUT = new Set(["backup", "restoration"]);

/** By the first word of a record's kind: `session_context` goes where `session` does. */
const BY_FIRST_WORD: Readonly<Record<string, RecordComponent>> = {
  memory: "memories",
  version: "memories",
  edge: "memories",
  entity: "memories",
  person: "memories",
  viewer: "memories",
  feedback: "memories",
  claim: "memories",
  access: "memories",
  job: "memories",
  compat: "memories",
  transfer: "memories",
  session: "sessions",
  message: "sessions",
  skill: "skills",
  review: "skills",
  chain: "skills",
  execution: "skills",
  agent: "agents",
  group: "agents",
  member: "agents",
  departure: "agents",
  source: "sources",
  connection: "sources",
  webhook: "webhooks",
  delivery: "webhooks",
  dead: "webhooks",
  organization: "users",
  user: "users",
  email: "users",
  identity: "users",
  admins: "users",
  api: "users",
  credential: "users",
  usage: "users",
  sign: "users",
  one: "users",
  oauth: "users",
  invite: "users",
  hand: "users",
  verification: "users",
  audit: "logs",
};

/** Kinds whose first word is another component's. */
const BY_KIND: Readonly<Record<string, RecordComponent>> = { skill_link: "agents" };

/** Counts are kept beside what they count: `org_1#skills#count`. */
const COUNTED = /#(?<what>[a-z]+)#count$/;

function isRecordComponent(name: string): name is RecordComponent {
  return (BACKUP_COMPONENTS as readonly string[]).includes(name) && name !== "search_index" && name !== "blobs";
}

/** The component that a record is archived under; undefined for what no backup holds. `config` is all that is nothing else. */
export function componentOf({ kind, pk }: Pick<StoredRecord, "kind" | "pk">): RecordComponent | undefined {
  if (LEFT_OUT.has(kind)) return undefined;
  const counted = kind === "count" ? COUNTED.exec(pk)?.groups?.what : undefined;
  if (counted !== undefined && isRecordComponent(counted)) return counted;
  return BY_KIND[kind] ?? BY_FIRST_WORD[kind.split("_")[0] ?? ""] ?? "config";
}

/** Records that are secrets as a whole: what proves who somebody is, or stands for such a proof. */
const SECRET_KINDS = new Set(["api_key", "credential", "sign_in", "one_time_token", "invite_link", "oauth_state"]);

/** Secrets within records that are of use without them. */
const SECRET_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = { user: ["password_hash", "two_factor"] };

/** A record in two: what anybody may read who has the archive, and what only the operator's key opens. */
export function divide(record: StoredRecord): { open?: StoredRecord; secret?: Partial<StoredRecord> } {
  if (SECRET_KINDS.has(record.kind)) return { secret: record };
  const names = (SECRET_ATTRIBUTES[record.kind] ?? []).filter((name) => record[name] !== undefined);
  if (names.length === 0) return { open: record };
  const entries = Object.entries(record);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !names.includes(name))) as StoredRecord,
    secret: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
  };
}
