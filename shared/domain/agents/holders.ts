import { timestamp } from "../../kernel/clock.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { updateWithRetry } from "../../ports/conflicts.ts";
import { changedValues, finderOf, setOrRemove, toItem } from "../../ports/item.ts";
import type { JsonObject } from "../../ports/json.ts";
import { filterBy, type Listing, listObjects } from "../../ports/listing.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../../ports/record-store.ts";
import { type Context, newResource, type OrgRuntime } from "../../runtime/context.ts";
import { type OwnedKind, ownerOf, storeOwned } from "../identity/owned-counts.ts";
import { linkSkills, type SkillHolder } from "./skill-links.ts";
import { getSkills } from "./skills/records.ts";

/** Maximum length of a department's name in characters. */
export const MAX_DEPARTMENT_LENGTH = 256;

/** What agents and groups have in common. */
interface Holder extends ReturnType<typeof newResource> {
  skills: string[];
  metadata: JsonObject;
  department?: string;
}

/** In a change, undefined fields are kept, and null removes a field. `metadata.department` is the default department. */
interface HolderChange {
  skills?: string[];
  metadata?: JsonObject;
  department?: string | null;
}

/** The records of one kind of skill holders, and the verbs on them. */
export class HolderRecords<Thing extends Holder, Change extends HolderChange> {
  readonly #kind: SkillHolder["kind"];

  constructor(kind: SkillHolder["kind"]) {
    this.#kind = kind;
  }

  readonly keyOf = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: this.#kind });
  readonly listOf = (org: string): string => `${org}#${this.#kind}s`;

  /** Undefined for an id that is missing or of another organization. */
  readonly find = finderOf<Thing>(this.keyOf);

  get owned(): OwnedKind {
    return { name: `${this.#kind}s`, listing: (org) => ({ index: "gsi1", pk: this.listOf(org) }) };
  }

  /** One page of an organization's holders by creation, of one department if named. */
  list(
    records: RecordStore,
    org: string,
    { department, ...tests }: { department?: string; status?: string; model?: string },
    descending: boolean,
    page: PageRequest,
  ): Promise<Listing<Thing>> {
    const query = { ...listedBy(this.listOf(org), department), where: filterBy(tests), descending };
    return listObjects(records, query, page);
  }

  /** Stores a new holder. Throws SKILL_NOT_FOUND if one of its skills does not exist, and LIMIT_REACHED. */
  async create(ctx: Context, given: Omit<Thing, keyof Holder> & Omit<Holder, keyof ReturnType<typeof newResource>>) {
    const { skills, department = departmentIn(given.metadata) } = given;
    const holder = { ...given, department, ...newResource(ctx, this.#kind) } as unknown as Thing;
    const { org, id } = holder;
    await getSkills(ctx, skills);
    const item = toItem(this.keyOf(org, id), this.#kind, holder, indexKeysIn(this.listOf(org), holder));
    const writes: Write[] = [
      { put: item, condition: "absent" },
      ...linkSkills({ org, id, kind: this.#kind }, [], skills),
    ];
    await storeOwned(ctx, this.owned, ownerOf(ctx), writes, async (conflict) => {
      await getSkills(ctx, skills);
      return conflict;
    });
    return holder;
  }

  /**
   * Changes a holder by the result of `decide` on its current state, if there is any; `decide` may throw, and is called
   * again after a conflict. Refused if a newly assigned skill was deleted.
   */
  revise(
    ctx: OrgRuntime,
    id: string,
    ifMatch: number | undefined,
    decide: (before: Thing) => Change | undefined | Promise<Change>,
  ): Promise<Thing> {
    return updateWithRetry(this.#versioned(ctx, id, ifMatch), async (before) => {
      const changes = await decide(before);
      if (!changes) return before;
      const { after, writes } = this.#change(before, changes, ctx.clock());
      await ctx.ports.records.write(...writes);
      return after;
    });
  }

  /** Deletes a holder. What belongs to it is deleted in the background. */
  async remove(ctx: OrgRuntime, id: string, ifMatch?: number): Promise<{ id: string; deleted_at: string }> {
    await updateWithRetry(this.#versioned(ctx, id, ifMatch), ({ version }) =>
      ctx.ports.records.write({ delete: this.keyOf(ctx.org, id), condition: { version } }),
    );
    return { id, deleted_at: timestamp(ctx.clock()) };
  }

  #versioned({ ports, org }: OrgRuntime, id: string, ifMatch: number | undefined) {
    return { resource: this.#kind, id, ifMatch, find: () => this.find(ports.records, org, id) };
  }

  /** Updates only the changed attributes and the list positions, so that attributes maintained by others are kept. */
  #change(before: Thing, changes: HolderChange, now: number): { after: Thing; writes: Write[] } {
    const { org, id, version } = before;
    const { department = changes.metadata && departmentIn(changes.metadata) } = changes;
    const values = changedValues({ ...changes, department });
    const revision = { updated_at: timestamp(now), version: version + 1 };
    const after: Thing = { ...before, ...values, ...revision };
    const update = setOrRemove({ ...values, ...revision, ...indexKeysIn(this.listOf(org), after) });
    const links = linkSkills({ org, id, kind: this.#kind }, before.skills, after.skills);
    return { after, writes: [{ update: this.keyOf(org, id), ...update, condition: { version } }, ...links] };
  }
}

/** The list of all holders by creation, or of those in the department if it is given. */
function listedBy(list: string, department: string | undefined): Required<Pick<RecordQuery, "index" | "pk">> {
  return department === undefined ? { index: "gsi1", pk: list } : { index: "gsi2", pk: `${list}#${department}` };
}

/** The index keys of a record in both lists. */
function indexKeysIn(
  list: string,
  { id, created_at, department }: { id: string; created_at: string; department?: string },
): { gsi1pk: string; gsi1sk: string; gsi2pk?: string; gsi2sk?: string } {
  const sortKey = `${created_at}#${id}`;
  const hasDepartment = department !== undefined;
  return {
    gsi1pk: list,
    gsi1sk: sortKey,
    gsi2pk: hasDepartment ? listedBy(list, department).pk : undefined,
    gsi2sk: hasDepartment ? sortKey : undefined,
  };
}

/** The department of `metadata.department`, if it is valid. */
function departmentIn({ department }: JsonObject): string | undefined {
  const isName = typeof department === "string" && department.trim() !== "";
  return isName && department.length <= MAX_DEPARTMENT_LENGTH ? department : undefined;
}
