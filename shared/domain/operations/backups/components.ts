import { COMPONENTS, type Component } from "../../../ports/components.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";

/** The component under which records are archived; `logs` is the audit trail, which is requested separately. */
export type RecordComponent = Exclude<Component, "search_index" | "blobs"> | "logs";

/** Every record kind with the component under which it is archived. */
const KINDS: Readonly<Record<RecordComponent, readonly string[]>> = {
  memories: [
    ...["memory", "version", "edge", "fact", "entity", "person", "viewer", "feedback", "claim", "access_log"],
    ...["pattern", "pattern_reading", "user_slot"],
    ...["compat_event", "compat_results", "conversation", "trace", "subject", "failed_row", "skipped_row"],
    ...["memory_processing_job", "remember_job", "forget_job", "import_job", "export_job"],
  ],
  sessions: [
    ...["session", "message", "session_context", "session_state", "session_segment", "session_listing"],
    ...["session_digest", "session_chore", "remember_session_job"],
  ],
  skills: ["skill", "skill_name", "review", "chain", "chain_execution", "execution", "skill_version", "skill_file"],
  agents: ["agent", "group", "member", "departure", "skill_link"],
  sources: [
    ...["source", "source_identity", "ingest_source_job", "remove_source_job", "expire_upload_job"],
    ...["connection", "connection_document", "connection_sync", "sync_connection_job", "remove_connection_job"],
  ],
  webhooks: ["webhook", "webhook_figures", "delivery", "delivery_log", "delivery_payload", "dead_letter"],
  users: [
    ...["organization", "user", "user_claim", "admins", "active_user", "usage", "invite", "invite_link"],
    ...["ownership_transfer_job", "api_key", "credential", "sign_in", "sign_in_attempts", "one_time_token"],
    ...["oauth_state", "oauth_client", "oauth_code", "browser_session", "verification_keys"],
  ],
  config: [
    ...["setting", "project", "count", "rollup", "tally", "rate_limits", "idempotency", "sweep", "sweep_run"],
    ...[
      "cleanup_job",
      "sync_job",
      "read_facts_job",
      "erase_user_job",
      "erase_organization_job",
      "scan_secrets_job",
      "find_patterns_job",
      "facts_backfill",
    ],
    ...["maintenance_sync", "maintenance_cleanup", "user_renames"],
  ],
  logs: ["audit"],
};

/** Not archived: backups, whose archives stay in place; cached model answers; and recalls, which are kept for a day. */
const EXCLUDED = new Set(["backup", "backup_job", "restoration", "model_answer", "recall"]);

const COMPONENT_OF = new Map(
  (Object.keys(KINDS) as RecordComponent[]).flatMap((component) =>
    KINDS[component].map((kind): [string, RecordComponent] => [kind, component]),
  ),
);

/** Partition of a count, with the name of what is counted: `org_1#skills#count`. */
const COUNTED = /#(?<what>[a-z]+)#count$/;

function isRecordComponent(name: string): name is RecordComponent {
  return (COMPONENTS as readonly string[]).includes(name) && name !== "search_index" && name !== "blobs";
}

/** Whether the treatment of a record kind is decided. */
export function isKnownKind(kind: string): boolean {
  return COMPONENT_OF.has(kind) || EXCLUDED.has(kind);
}

/** Returns the component under which a record is archived, undefined for excluded kinds. Unknown kinds are archived. */
export function componentOf({ kind, pk }: Pick<StoredRecord, "kind" | "pk">): RecordComponent | undefined {
  if (EXCLUDED.has(kind)) return undefined;
  const counted = kind === "count" ? COUNTED.exec(pk)?.groups?.what : undefined;
  if (counted !== undefined && isRecordComponent(counted)) return counted;
  return COMPONENT_OF.get(kind) ?? "config";
}

/**
 * Records that are secret as a whole: credentials and their replacements. A request under an Idempotency-Key is
 * identified by the hash of its body, from which a password may be guessed. Values encrypted under the data key, such
 * as secrets of webhooks and connections, are not listed, because that key is secret itself.
 */
const SECRET_KINDS = new Set([
  ...["api_key", "credential", "sign_in", "browser_session", "one_time_token", "invite_link"],
  ...["oauth_state", "oauth_code", "idempotency"],
]);

/** Secret attributes of records that are useful without them. */
const SECRET_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = { user: ["password_hash", "two_factor"] };

/** Splits a record into a readable part and a part that needs the operator's key. Unknown kinds are entirely secret. */
export function separateSecrets(record: StoredRecord): { open?: StoredRecord; secret?: Partial<StoredRecord> } {
  if (SECRET_KINDS.has(record.kind) || !isKnownKind(record.kind)) return { secret: record };
  const names = (SECRET_ATTRIBUTES[record.kind] ?? []).filter((name) => record[name] !== undefined);
  if (names.length === 0) return { open: record };
  const entries = Object.entries(record);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !names.includes(name))) as StoredRecord,
    secret: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
  };
}
