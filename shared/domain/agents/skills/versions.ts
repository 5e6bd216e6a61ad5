import { ServiceError } from "../../../kernel/errors.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { getObject, toItem } from "../../../ports/item.ts";
import { listObjects } from "../../../ports/listing.ts";
import type { RecordKey, Write } from "../../../ports/record-store.ts";
import type { HasPorts } from "../../../runtime/context.ts";
import type { Skill } from "./skill.ts";

/** A version of a skill with its own evidence; an earlier one as it was when it was replaced. */
export type SkillVersion = Pick<Skill, (typeof VERSION_FIELDS)[number]>;

const VERSION_FIELDS = [
  ...(["version", "name", "trigger", "action", "domain", "tags", "examples", "metadata", "verified"] as const),
  ...(["human_reviewed", "stated_confidence", "outcomes", "successes", "updated_at", "bundle"] as const),
] as const;

export const VERSION = "version#";
/** Digits by which versions sort as text. */
const VERSION_DIGITS = 9;

const versionKey = (org: string, id: string, version: number): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `${VERSION}${String(version).padStart(VERSION_DIGITS, "0")}`,
});

function toVersion(skill: Skill): SkillVersion {
  return Object.fromEntries(VERSION_FIELDS.map((field) => [field, skill[field]])) as unknown as SkillVersion;
}

/** Keeps a replaced version. */
export function keepVersion(skill: Skill): Write {
  const key = versionKey(skill.org, skill.id, skill.version);
  return { put: toItem(key, "skill_version", toVersion(skill)), condition: "absent" };
}

/** Adds an outcome to an earlier version's evidence; refused if that version is not stored. */
export function countEarlierOutcome(org: string, id: string, version: number, success: boolean): Write {
  const add = { outcomes: 1, successes: success ? 1 : 0 };
  return { update: versionKey(org, id, version), add, condition: "present" };
}

/** The version with that number, including the current one. Throws VERSION_NOT_FOUND. */
export async function getVersion({ ports }: HasPorts, skill: Skill, version: number): Promise<SkillVersion> {
  if (version === skill.version) return toVersion(skill);
  const earlier = await getObject<SkillVersion>(ports.records, versionKey(skill.org, skill.id, version));
  if (!earlier) throw versionNotFound(skill.id, version);
  return earlier;
}

export function versionNotFound(skill_id: string, version: number): ServiceError {
  return new ServiceError("VERSION_NOT_FOUND", `The skill has no version ${version}. List its versions.`, {
    skill_id,
    version,
  });
}

/** One page of a skill's versions, oldest first; the last one is current. */
export async function listVersions({ ports }: HasPorts, skill: Skill, page: PageRequest) {
  const listing = { pk: `${skill.org}#${skill.id}`, sk: { beginsWith: VERSION } };
  const { items, ...earlier } = await listObjects<SkillVersion>(ports.records, listing, page);
  const total = earlier.total + 1;
  const endsWithCurrent = !earlier.hasNext && items.length < page.limit && page.offset < total;
  if (endsWithCurrent) items.push(toVersion(skill));
  return { items, total, hasNext: page.offset + items.length < total };
}
