import { fromItem, toItem } from "../../../shared/platform/item.ts";
import type { Json, JsonObject, RecordKey, RecordStore, Write } from "../../../shared/platform/ports.ts";

/** What clients of mem0 set of their project. */
export interface ProjectRecord {
  settings: JsonObject;
  /** ISO */
  created_at: string;
  updated_at: string;
  /** Counts writes, so that of two that race one is refused. */
  revision: number;
}

const projectKey = (org: string): RecordKey => ({ pk: `${org}#project`, sk: "project" });

export async function findProject(records: RecordStore, org: string): Promise<ProjectRecord | undefined> {
  const record = await records.get(projectKey(org));
  return record && fromItem<ProjectRecord>(record);
}

/** Stores the settings with a change; refused where somebody else changed them since they were read. */
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
