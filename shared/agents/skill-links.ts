import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../platform/ports.ts";
import { skillKey } from "../skills/records.ts";

/**
 * Most skills of an agent or a group. All of them can be replaced in one transaction: 32 to take away, 32 to add, each
 * of which must be there, and the holder itself make 97 of the 100 writes there may be.
 */
export const MAX_SKILLS = 32;

const LINK_KIND = "skill_link";
const PAGE = 100;

/** Who is assigned skills. */
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

/**
 * The writes by which a skill's holders can be found, along with a change of what a holder holds; refused when a skill
 * that is new to it is gone, so that none is held that nobody will take away.
 */
export function linkSkills(holder: SkillHolder, before: string[], after: string[]): Write[] {
  const { org, id, kind } = holder;
  const lost = before.filter((skill) => !after.includes(skill));
  const gained = after.filter((skill) => !before.includes(skill));
  return [
    ...lost.map((skill): Write => ({ delete: linkKey(org, id, skill) })),
    ...gained.flatMap((skill): Write[] => [
      { check: skillKey(org, skill), condition: "present" },
      {
        put: toItem(
          linkKey(org, id, skill),
          LINK_KIND,
          { holder: id, holder_kind: kind, skill_id: skill },
          { gsi1pk: holdersOf(org, skill), gsi1sk: id },
        ),
      },
    ]),
  ];
}

/** Everyone who holds a skill, some at a time. */
export async function* listHolders(records: RecordStore, org: string, skill: string): AsyncGenerator<SkillHolder[]> {
  const query: RecordQuery = { index: "gsi1", pk: holdersOf(org, skill), limit: PAGE };
  do {
    const { items, cursor } = await records.query(query);
    yield items
      .map((item) => fromItem<{ holder: string; holder_kind: SkillHolder["kind"] }>(item))
      .map(({ holder: id, holder_kind: kind }) => ({ org, id, kind }));
    query.after = cursor;
  } while (query.after !== undefined);
}
