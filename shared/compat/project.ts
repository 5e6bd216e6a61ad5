import type { OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { Json, JsonObject, RecordKey, RecordStore, Write } from "../platform/ports.ts";

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

/** What of a project's settings decides what is remembered. */
export interface ProjectSettings {
  custom_instructions?: string | null;
  agent_custom_instructions?: string | null;
  /** Names with what each is for. */
  custom_categories?: { [name: string]: string }[] | null;
}

export async function readProjectSettings({ ports, org }: OrgHome): Promise<ProjectSettings> {
  const project = await findProject(ports.records, org);
  return (project?.settings ?? {}) as ProjectSettings;
}

/** Categories in one object; undefined where there are none. */
export function mergedCategories(own: ProjectSettings["custom_categories"]): { [name: string]: string } | undefined {
  return own && own.length > 0 ? Object.assign({}, ...own) : undefined;
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
