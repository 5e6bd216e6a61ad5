import type { PageRequest } from "../../../kernel/pagination.ts";
import { getObject, toItem } from "../../../ports/item.ts";
import { COUNT_CEILING, type Listing, listObjects } from "../../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { SearchCondition } from "../../../ports/search-index.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Names } from "./filters.ts";

/** Types of mem0's entities: the client's own names that memories are stored under. */
export const SUBJECT_TYPES = ["user", "agent", "app", "run"] as const;

export interface Subject {
  type: (typeof SUBJECT_TYPES)[number];
  name: string;
}

const subjectsIn = (org: string): string => `${org}#subjects`;
const subjectKey = (org: string, { type, name }: Subject): RecordKey => ({
  pk: subjectsIn(org),
  sk: `${type}#${name}`,
});

/** All names that a memory is stored under. */
export function subjectsOf({ user_id, labels = {} }: Pick<Memory, "user_id" | "labels">): Subject[] {
  const names = { user: user_id, agent: labels.agent, app: labels.app, run: labels.run };
  return SUBJECT_TYPES.flatMap((type) => {
    const name = names[type];
    return name === undefined ? [] : [{ type, name }];
  });
}

/** The labels of a memory that is stored under these names. */
export function labelsOf({ agent_id: agent, app_id: app, run_id: run }: Names): Pick<Memory, "labels"> {
  const labels = { ...(agent && { agent }), ...(app && { app }), ...(run && { run }) };
  return Object.keys(labels).length === 0 ? {} : { labels };
}

/** Stores a subject; repeating it changes nothing. */
export function putSubject(org: string, subject: Subject): Write {
  return { put: toItem(subjectKey(org, subject), "subject", subject) };
}

/** Returns those of the subjects that are not stored, each once. */
export async function missingSubjects(records: RecordStore, org: string, subjects: Subject[]): Promise<Subject[]> {
  const bySortKey = new Map(subjects.map((subject) => [subjectKey(org, subject).sk, subject]));
  const stored = await records.getMany([...bySortKey.values()].map((subject) => subjectKey(org, subject)));
  for (const { sk } of stored) bySortKey.delete(sk);
  return [...bySortKey.values()];
}

export function removeSubject(org: string, subject: Subject): Write {
  return { delete: subjectKey(org, subject) };
}

export function findSubject(records: RecordStore, org: string, subject: Subject): Promise<Subject | undefined> {
  return getObject(records, subjectKey(org, subject));
}

/**
 * One page of an organization's subjects, by type, then name; `start` limits it to a type and to names that start with
 * its name. Those of new memories appear within a second on AWS.
 */
export function listSubjects(
  records: RecordStore,
  org: string,
  page: PageRequest,
  start?: Subject,
): Promise<Listing<Subject>> {
  const sk = start && { beginsWith: subjectKey(org, start).sk };
  return listObjects(records, { pk: subjectsIn(org), ...(sk && { sk }) }, page);
}

/** The number of subjects of a type, up to the limit of lists. */
export function countSubjects(records: RecordStore, org: string, type: Subject["type"]): Promise<number> {
  return records.count({ pk: subjectsIn(org), sk: { beginsWith: `${type}#` } }, COUNT_CEILING);
}

/** The search condition that selects a subject's memories. */
export function conditionOf({ type, name }: Subject): SearchCondition {
  return { path: `${type}_id`, equals: [name] };
}
