import { ServiceError } from "../kernel/errors.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import type { RecordKey } from "../platform/ports.ts";
import type { Skill } from "./skill.ts";

export const SKILL_KIND = "skill";

type Reader = Pick<OrgHome, "ports" | "org">;

const skillKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "skill" });

/** Undefined for an absent and a foreign id alike. */
export async function findSkill({ ports, org }: Reader, id: string): Promise<Skill | undefined> {
  const record = await ports.records.get(skillKey(org, id));
  return record && fromItem<Skill>(record);
}

/** Those of the skills that exist, in the order of the ids. */
export async function findSkills({ ports, org }: Reader, ids: string[]): Promise<Skill[]> {
  const records = await ports.records.getMany(ids.map((id) => skillKey(org, id)));
  const skills = new Map(records.map((record) => [record.pk, fromItem<Skill>(record)]));
  return ids.flatMap((id) => skills.get(skillKey(org, id).pk) ?? []);
}

/** All of the skills, in the order of the ids. Throws SKILL_NOT_FOUND that names each one missing. */
export async function getSkills(ctx: Reader, ids: string[]): Promise<Skill[]> {
  const skills = await findSkills(ctx, ids);
  const found = new Set(skills.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return skills;
  throw new ServiceError("SKILL_NOT_FOUND", `No skill has the id '${missing.join("', '")}'. Check the ids.`, {
    skill_ids: missing,
  });
}
