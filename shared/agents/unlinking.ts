import { changeApiKey, listKeysOfAgent } from "../identity/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import { peopleOfAgent } from "../memory/people.ts";
import { entitiesOf } from "../memory/records.ts";
import { memoriesSharedWith, toSight } from "../memory/viewers.ts";
import type { Home, ViewerHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordKey, RecordQuery, StoredRecord, Write } from "../platform/ports.ts";
import { readThenWrite } from "../platform/read-then-write.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { changeGroup, findGroup, leaveGroup, listMemberships } from "./group-records.ts";
import { changeAgent, findAgent } from "./records.ts";
import { unshareMemory } from "./shares.ts";
import { listHolders, type SkillHolder } from "./skill-links.ts";

/** Something that is gone, and that others may still name. */
export interface Departed {
  org: string;
  id: string;
  kind: "agent" | "group" | "skill";
}

const DEPARTURE_KIND = "departure";
const DEPARTURE_SORT_KEY = "departure";
const DEPARTURES = "departures";
/** Longer than indexes lag and the feed is late: what was linked while its end was on the way is found by then. */
const SETTLED_MS = 5 * 60_000;
const MAX_RESUMED = 100;
/** Of records, which one write takes away together. */
const PAGE = 100;
const WIDTH = 8;

/**
 * Takes away all that names what is gone. Each step leaves less to do, so that it may end early, come twice or beside
 * itself; a note is kept by which the sweep looks again once everything has settled.
 */
export async function unlink(home: Home, departed: Departed): Promise<void> {
  await home.ports.records.write(noteDeparture(departed, home.clock()));
  await takeAway(home, departed);
}

function noteDeparture({ org, id, kind }: Departed, now: number): Write {
  const at = timestamp(now);
  return {
    put: toItem(
      { pk: `${org}#${id}`, sk: DEPARTURE_SORT_KEY },
      DEPARTURE_KIND,
      { org, id, departed: kind, at },
      { gsi1pk: DEPARTURES, gsi1sk: `${at}#${id}` },
    ),
  };
}

/** Looks again at what departed some minutes ago, and forgets it; answers how many. */
export async function settleDepartures(home: Home): Promise<number> {
  const atMost = timestamp(home.clock() - SETTLED_MS);
  const query: RecordQuery = { index: "gsi1", pk: DEPARTURES, sk: { atMost }, limit: MAX_RESUMED };
  const { items } = await home.ports.records.query(query);
  for (const item of items) {
    const { org, id, departed: kind } = fromItem<Pick<Departed, "org" | "id"> & { departed: Departed["kind"] }>(item);
    await takeAway(home, { org, id, kind });
    await home.ports.records.write({ delete: { pk: item.pk, sk: item.sk } });
  }
  return items.length;
}

async function takeAway(home: Home, { org, id, kind }: Departed): Promise<void> {
  const within: ViewerHome = { ...home, org, viewer: undefined };
  if (kind === "skill") return takeSkillAway(within, id);
  await removeAll(within, { pk: `${org}#${id}`, limit: PAGE }, (record) => record.kind !== DEPARTURE_KIND);
  if (kind === "agent") await takeAgentAway(within, id);
}

// ---------------------------------------------------------------- skills

async function takeSkillAway(home: ViewerHome, skill: string): Promise<void> {
  for await (const holders of listHolders(home.ports.records, home.org, skill)) {
    await inParallel(holders, WIDTH, (holder) => dropSkill(home, holder, skill));
  }
}

async function dropSkill({ ports: { records }, org, clock }: ViewerHome, { id, kind }: SkillHolder, skill: string) {
  const without = ({ skills }: { skills: string[] }) => ({ skills: skills.filter((each) => each !== skill) });
  const drop =
    kind === "agent"
      ? readThenWrite({ resource: kind, id, find: () => findAgent(records, org, id) }, async (agent) => {
          if (agent.skills.includes(skill)) await records.write(...changeAgent(agent, without(agent), clock()).writes);
        })
      : readThenWrite({ resource: kind, id, find: () => findGroup(records, org, id) }, async (group) => {
          if (group.skills.includes(skill)) await records.write(...changeGroup(group, without(group), clock()).writes);
        });
  await unlessGone(drop);
}

// ---------------------------------------------------------------- agents

async function takeAgentAway(home: ViewerHome, agent: string): Promise<void> {
  const { ports, org } = home;
  await endKeys(home, agent);
  for await (const memberships of listMemberships(ports.records, org, agent)) {
    await inParallel(memberships, WIDTH, (member) =>
      writeUnlessChanged(home, ...leaveGroup(org, member, home.clock())),
    );
  }
  const shares: RecordQuery = { index: "gsi3", pk: memoriesSharedWith(org, agent), limit: PAGE };
  for await (const records of queryPages(ports.records, shares)) {
    await inParallel(records, WIDTH, (record) => unlessGone(unshareMemory(home, agent, toSight(record).id)));
  }
  await removeAll(home, { pk: peopleOfAgent(org, agent), limit: PAGE });
  await removeAll(home, { index: "gsi1", pk: entitiesOf(org, agent), limit: PAGE });
}

async function endKeys(home: ViewerHome, agent: string): Promise<void> {
  const keys = await listKeysOfAgent(home.ports.records, home.org, agent);
  await inParallel(keys, WIDTH, async (key) => {
    const end = { status: "revoked" as const, revoked_at: timestamp(home.clock()), revoked_reason: "agent deleted" };
    await writeUnlessChanged(home, ...changeApiKey(key, end));
    home.authenticator.forget(key.id);
  });
}

// ---------------------------------------------------------------- pages of records

async function removeAll(
  { ports: { records } }: ViewerHome,
  query: RecordQuery,
  test: (record: StoredRecord) => boolean = () => true,
): Promise<void> {
  for await (const items of queryPages(records, query)) {
    const keys: RecordKey[] = items.filter(test).map(({ pk, sk }) => ({ pk, sk }));
    if (keys.length > 0) await records.write(...keys.map((key) => ({ delete: key })));
  }
}

/** What names it may go meanwhile too. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ServiceError && error.code.endsWith("_NOT_FOUND"))) throw error;
  }
}
