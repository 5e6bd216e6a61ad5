import { timestamp } from "../../kernel/clock.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { fromItem, setOrRemove, toItem } from "../../ports/item.ts";
import { readPage } from "../../ports/listing.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../../ports/ports.ts";
import { listedBy, placeIn } from "./departments.ts";
import { linkSkills, type SkillHolder } from "./skill-links.ts";

/** What agents and groups have in common. */
interface Holder {
  id: string;
  org: string;
  skills: string[];
  department?: string;
  created_at: string;
  updated_at: string;
  version: number;
}

/** The records of one kind of skill holders. In a change, undefined fields are kept, and null removes a field. */
export function holderRecords<Thing extends Holder, Change extends object>(kind: SkillHolder["kind"]) {
  const keyOf = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: kind });
  const listOf = (org: string): string => `${org}#${kind}s`;
  return {
    keyOf,
    listOf,

    /** Undefined for an id that is missing or of another organization. */
    async find(records: RecordStore, org: string, id: string): Promise<Thing | undefined> {
      const record = await records.get(keyOf(org, id));
      return record && fromItem<Thing>(record);
    },

    /** One page of an organization's holders by creation, of one department if named. */
    async list(
      records: RecordStore,
      org: string,
      { department, ...query }: { department?: string | undefined } & Pick<RecordQuery, "where" | "descending">,
      page: PageRequest,
    ): Promise<{ holders: Thing[]; total: number; hasNext: boolean }> {
      const { items, ...rest } = await readPage(records, { ...listedBy(listOf(org), department), ...query }, page);
      return { holders: items.map(fromItem<Thing>), ...rest };
    },

    /** All writes of a new holder; refused if one of its skills was deleted. */
    insert(holder: Thing): Write[] {
      const { org, id, skills } = holder;
      return [
        { put: toItem(keyOf(org, id), kind, holder, placeIn(listOf(org), holder)), condition: "absent" },
        ...linkSkills({ org, id, kind }, [], skills),
      ];
    },

    /**
     * The changed holder and all its writes; refused if it changed or one of its new skills was deleted. Updates only
     * the changed attributes and the list positions, so that attributes maintained by others are kept.
     */
    change(before: Thing, change: Change, now: number): { after: Thing; writes: Write[] } {
      const { org, id, version } = before;
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const values = Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined]));
      const moved = { updated_at: timestamp(now), version: version + 1 };
      const after: Thing = { ...before, ...values, ...moved };
      const own = setOrRemove({ ...values, ...moved, ...placeIn(listOf(org), after) });
      const links = linkSkills({ org, id, kind }, before.skills, after.skills);
      return { after, writes: [{ update: keyOf(org, id), ...own, condition: { version } }, ...links] };
    },

    /** The write that deletes a holder, refused if it changed. What belongs to it is deleted afterwards. */
    remove: ({ org, id, version }: Thing): Write => ({ delete: keyOf(org, id), condition: { version } }),
  };
}
