import { getObject, toItem } from "../../ports/item.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { SecretPolicy } from "./secret-policies.ts";

/** The project settings of mem0 clients. */
export interface ProjectRecord {
  settings: JsonObject;
  created_at: string;
  updated_at: string;
  /** Number of writes, so that one of two concurrent writes fails. */
  revision: number;
}

const projectKey = (org: string): RecordKey => ({ pk: `${org}#project`, sk: "project" });

export function findProject(records: RecordStore, org: string): Promise<ProjectRecord | undefined> {
  return getObject<ProjectRecord>(records, projectKey(org));
}

/** The project settings that affect what is stored and extracted. */
export interface ProjectSettings {
  custom_instructions?: string | null;
  agent_custom_instructions?: string | null;
  /** Category names with descriptions. */
  custom_categories?: { [name: string]: string }[] | null;
  /** What happens to secrets in texts; the deployment's default if absent. */
  secrets_policy?: SecretPolicy | null;
  /** Policies of single users. */
  secrets_policy_of_users?: { user_id: string; policy: SecretPolicy }[] | null;
}

export async function readProjectSettings({ ports, org }: OrgRuntime): Promise<ProjectSettings> {
  const project = await findProject(ports.records, org);
  return (project?.settings ?? {}) as ProjectSettings;
}

/** Merges categories into one object; returns undefined if there are none. */
export function mergedCategories(
  categories: ProjectSettings["custom_categories"],
): { [name: string]: string } | undefined {
  return categories && categories.length > 0 ? Object.assign({}, ...categories) : undefined;
}

/** Returns the write for changed settings, which fails after a concurrent change. */
export function putProject(
  org: string,
  before: ProjectRecord | undefined,
  change: { [setting: string]: Json | undefined },
  now: string,
): Write {
  const settings = Object.entries({ ...before?.settings, ...change });
  const project: ProjectRecord = {
    settings: Object.fromEntries(settings.filter((entry): entry is [string, Json] => (entry[1] ?? null) !== null)),
    created_at: before?.created_at ?? now,
    updated_at: now,
    revision: (before?.revision ?? 0) + 1,
  };
  return {
    put: toItem(projectKey(org), "project", project),
    condition: before ? { revision: before.revision } : "absent",
  };
}
