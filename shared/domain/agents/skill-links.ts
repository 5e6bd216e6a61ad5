import { fromItem, toItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import { skillKey } from "./skills/records.ts";

/**
 * Maximum number of skills of an agent or a group. All can be replaced in one transaction: 32 removed, 32 added with a
 * check of each, and the holder make 97 of the 100 possible writes.
 */
export const MAX_SKILLS = 32;

const LINK_KIND = "skill_link";
const PAGE = 100;

/** An owner of skill assignments. */
export interface SkillHolder {
  org: string;
  id: string;
  kind: "agent" | "group";
}

const linkKey = (org: string, holder: string, skill: string): RecordKey => ({
  pk: `${org}#${holder}`,
  sk: `skill#${skill}`,
});
const holdersOf = (org: string, skill: string): string => `${org}#${skill}#holders`;

/** The writes that index a skill's holders, for a change of a holder; refused if a newly assigned skill was deleted. */
export function linkSkills(holder: SkillHolder, before: string[], after: string[]): Write[] {
  const { org, id, kind } = holder;
  const removed = before.filter((skill) => !after.includes(skill));
  const added = after.filter((skill) => !before.includes(skill));
  return [
    ...removed.map((skill): Write => ({ delete: linkKey(org, id, skill) })),
    ...added.flatMap((skill): Write[] => {
      const link = { holder: id, holder_kind: kind, skill_id: skill };
      const indexKeys = { gsi1pk: holdersOf(org, skill), gsi1sk: id };
      const put = toItem(linkKey(org, id, skill), LINK_KIND, link, indexKeys);
      return [{ check: skillKey(org, skill), condition: "present" }, { put }];
    }),
  ];
}

/** Every holder of a skill, page by page. */
export async function* listHolders(records: RecordStore, org: string, skill: string): AsyncGenerator<SkillHolder[]> {
  const query = { index: "gsi1" as const, pk: holdersOf(org, skill), limit: PAGE };
  for await (const items of queryPages(records, query)) {
    yield items
      .map((item) => fromItem<{ holder: string; holder_kind: SkillHolder["kind"] }>(item))
      .map(({ holder: id, holder_kind: kind }) => ({ org, id, kind }));
  }
}
