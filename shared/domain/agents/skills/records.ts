import { ServiceError } from "../../../kernel/errors.ts";
import type { PageRequest, SortOrder } from "../../../kernel/pagination.ts";
import { normalized } from "../../../kernel/strings.ts";
import { retryOnConflict } from "../../../ports/conflicts.ts";
import { fromItem, setOrRemove, toItem } from "../../../ports/item.ts";
import { filterBy, type Listing, readPage } from "../../../ports/listing.ts";
import { getInOrder } from "../../../ports/pages.ts";
import type { RecordKey, RecordQuery, RecordStore, StoredRecord, Write } from "../../../ports/record-store.ts";
import type { OrgReader } from "../../../runtime/context.ts";
import { changeCount, readCount } from "../../../runtime/stats/exact-count.ts";
import type { OwnedKind } from "../../identity/owned-counts.ts";
import { confidenceOf } from "./confidence.ts";
import type { Skill, VersionName } from "./skill.ts";
import { keepVersion } from "./versions.ts";

export const SKILL_KIND = "skill";

export const skillKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "skill" });
export const skillsOf = (org: string): string => `${org}#skills`;
const namesOf = (org: string): string => `${org}#skill-names`;
const nameKey = (org: string, name: string): RecordKey => ({ pk: namesOf(org), sk: normalizeForComparison(name) });

// ---------------------------------------------------------------- the skill itself

/** Digits that make counts sort as text; far more than a skill is ever used. */
const COUNT_DIGITS = 12;

/** The most used sort last, ties by age with the newest last. */
function sortKeyByUse({ usage_count, created_at, id }: Skill): string {
  return `${String(usage_count).padStart(COUNT_DIGITS, "0")}#${created_at}#${id}`;
}

/** Attributes for filters of lists. */
function filterAttributesOf({ trigger, domain, tags, verified }: Skill) {
  return { trigger_folded: normalizeForComparison(trigger), domain, tags, verified };
}

function toSkillItem(skill: Skill): StoredRecord {
  const { org, id, created_at } = skill;
  const byCreation = { gsi1pk: skillsOf(org), gsi1sk: `${created_at}#${id}` };
  const byUse = { gsi2pk: skillsOf(org), gsi2sk: sortKeyByUse(skill) };
  return toItem(skillKey(org, id), SKILL_KIND, { ...skill, ...filterAttributesOf(skill) }, { ...byCreation, ...byUse });
}

/** The skill of a table record or a change. */
export function toSkill(record: StoredRecord): Skill {
  const { trigger_folded, ...skill } = fromItem<Skill & { trigger_folded: string }>(record);
  return skill;
}

/** Undefined for an id that is missing or of another organization. */
export async function findSkill({ ports, org }: OrgReader, id: string): Promise<Skill | undefined> {
  const record = await ports.records.get(skillKey(org, id));
  return record && toSkill(record);
}

/** The existing skills in the order of the ids. */
export async function findSkills({ ports, org }: OrgReader, ids: string[]): Promise<Skill[]> {
  const keys = ids.map((id) => skillKey(org, id));
  return (await getInOrder(ports.records, keys)).map(toSkill);
}

/** All of the skills in the order of the ids. Throws a SKILL_NOT_FOUND that names each missing one. */
export async function getSkills(ctx: OrgReader, ids: string[]): Promise<Skill[]> {
  const skills = await findSkills(ctx, ids);
  const found = new Set(skills.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return skills;
  throw new ServiceError("SKILL_NOT_FOUND", `No skill has the id '${missing.join("', '")}'. Check the ids.`, {
    skill_ids: missing,
  });
}

// ---------------------------------------------------------------- its name

/** The record that reserves a name, with attributes for lists by name or update; counting uses does not change it. */
function toNameItem(skill: Skill): StoredRecord {
  const { org, id, name, updated_at } = skill;
  const byUpdate = { gsi1pk: namesOf(org), gsi1sk: `${updated_at}#${id}` };
  return toItem(nameKey(org, name), "skill_name", { skill_id: id, ...filterAttributesOf(skill) }, byUpdate);
}

/** The id of the skill for which a record reserves a name. */
export function skillIdOf(record: StoredRecord | undefined): string | undefined {
  return typeof record?.skill_id === "string" ? record.skill_id : undefined;
}

/** The id of the skill with that name. */
export async function findSkillIdByName({ ports, org }: OrgReader, name: string): Promise<string | undefined> {
  return skillIdOf(await ports.records.get(nameKey(org, name)));
}

export const SKILLS: OwnedKind = {
  name: "skills",
  listing: (org) => ({ index: "gsi1", pk: skillsOf(org) }),
};

// ---------------------------------------------------------------- writes

/** The writes of a new skill; the first is refused if its name is taken. */
export function insertSkill(skill: Skill): Write[] {
  return [
    { put: toNameItem(skill), condition: "absent" },
    { put: toSkillItem(skill), condition: "absent" },
    changeCount(skillsOf(skill.org), skill.id, 1),
  ];
}

/** Whether two versions of a skill have different names. */
export function isRenamed(before: Skill, after: Skill): boolean {
  return normalizeForComparison(before.name) !== normalizeForComparison(after.name);
}

/**
 * The writes that replace a version by the next one and keep it with its evidence; refused if there is a newer one or
 * an outcome was counted meanwhile. The first is refused if the name is taken. Concurrently counted uses are kept.
 */
export function replaceSkill(before: Skill, after: Skill): Write[] {
  const { org, id, usage_count, last_used, created_at, created_by, review_id, ...definition } = after;
  const attributes = {
    ...{ superseded_by: undefined, bundle: undefined, ...definition },
    ...(review_id !== undefined && { review_id }),
    trigger_folded: normalizeForComparison(after.trigger),
  };
  const ofThisSkill = { skill_id: id };
  const hasNewName = isRenamed(before, after);
  return [
    { put: toNameItem(after), condition: hasNewName ? "absent" : ofThisSkill },
    ...(hasNewName ? [{ delete: nameKey(org, before.name), condition: ofThisSkill }] : []),
    {
      update: skillKey(org, id),
      ...setOrRemove(attributes),
      condition: { version: before.version, outcomes: before.outcomes },
    },
    keepVersion(before),
  ];
}

/** The writes that delete a skill, refused if its version changed. Its data is deleted afterwards. */
export function removeSkill({ org, id, name, version }: Skill): Write[] {
  return [
    { delete: nameKey(org, name), condition: { skill_id: id } },
    { delete: skillKey(org, id), condition: { version } },
    changeCount(skillsOf(org), id, -1),
  ];
}

/** The writes of a reviewer's decision, which counts as one outcome; refused unless the version is current. */
export function judgeSkill({ org, id, name, version }: Skill, verified: boolean): Write[] {
  return [
    { update: nameKey(org, name), set: { verified }, condition: { skill_id: id } },
    {
      update: skillKey(org, id),
      set: { verified, human_reviewed: true },
      add: outcome(verified),
      remove: ["review_id", ...(verified ? ["awaits_review"] : [])],
      condition: { version },
    },
  ];
}

const outcome = (success: boolean): Record<string, number> => ({ outcomes: 1, successes: success ? 1 : 0 });

/** Counts a use with an unknown outcome, or of another version. */
export function countUse({ org, id }: Pick<Skill, "org" | "id">, at: string): Write {
  return { update: skillKey(org, id), add: { usage_count: 1 }, set: { last_used: at }, condition: "present" };
}

/** Counts a use with its outcome, which changes the confidence when `settleUses` runs; refused for a former version. */
export function countOutcome({ org, id, version }: VersionName, at: string, success: boolean): Write {
  const add = { usage_count: 1, ...outcome(success) };
  return { update: skillKey(org, id), add, set: { last_used: at }, condition: { version } };
}

/**
 * Updates a skill's list position and confidence from its counts. Counts are additions, so that uses never conflict. If
 * another request counted meanwhile, the update is left to that request; if only the definition changed, it is
 * repeated.
 */
export async function settleUses(records: RecordStore, read: Skill): Promise<void> {
  let skill = read;
  await retryOnConflict(async (conflict) => {
    if (conflict) {
      const { existing } = conflict;
      if (existing?.usage_count !== skill.usage_count) return;
      if (existing.version === skill.version && existing.outcomes !== skill.outcomes) return;
      skill = toSkill(existing);
    }
    await records.write(updateRanking(skill));
  });
}

function updateRanking(skill: Skill): Write {
  const { org, id, usage_count, outcomes, version } = skill;
  return {
    update: skillKey(org, id),
    set: { confidence: confidenceOf(skill), gsi2sk: sortKeyByUse(skill) },
    condition: { usage_count, outcomes, version },
  };
}

// ---------------------------------------------------------------- lists

export interface SkillFilter {
  domain?: string;
  /** Part of the trigger, in any case. */
  trigger?: string;
  /** Skills with any of these tags. */
  tags?: string[];
  verified?: boolean;
}

export const SKILL_SORTS = ["usage_count", "created_at", "updated_at", "name"] as const;
export type SkillSort = (typeof SKILL_SORTS)[number];

const ORDERS: Record<SkillSort, (org: string) => Pick<RecordQuery, "index" | "pk">> = {
  usage_count: (org) => ({ index: "gsi2", pk: skillsOf(org) }),
  created_at: (org) => ({ index: "gsi1", pk: skillsOf(org) }),
  updated_at: (org) => ({ index: "gsi1", pk: namesOf(org) }),
  name: (org) => ({ pk: namesOf(org) }),
};

/** One page of an organization's skills. `total` of filtered ones stops at COUNT_CEILING. */
export async function listSkills(
  ctx: OrgReader,
  { domain, trigger, tags, verified }: SkillFilter,
  sort: SortOrder<SkillSort>,
  page: PageRequest,
): Promise<Listing<Skill>> {
  const where = filterBy({
    domain,
    trigger_folded: trigger === undefined ? undefined : { containsAny: [normalizeForComparison(trigger)] },
    tags: tags && { containsAny: tags },
    verified,
  });
  const listing = { ...ORDERS[sort.field](ctx.org), where, descending: sort.descending };
  const { records } = ctx.ports;
  const countAll = () => readCount(records, skillsOf(ctx.org));
  const { items, ...rest } = await readPage(records, listing, page, where ? listing : countAll);
  const ids = items.flatMap((item) => skillIdOf(item) ?? []);
  return { items: ids.length > 0 ? await findSkills(ctx, ids) : items.map(toSkill), ...rest };
}

/** The form in which names are unique and triggers are filtered: without case, white space and encodings of accents. */
export function normalizeForComparison(text: string): string {
  return normalized(text, "NFC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Record kind of chains. */
export const CHAIN_KIND = "chain";

/** The list of an organization's chains. */
export const chainsOf = (org: string): string => `${org}#chains`;

export const CHAINS: OwnedKind = { name: "chains", listing: (org) => ({ index: "gsi1", pk: chainsOf(org) }) };
