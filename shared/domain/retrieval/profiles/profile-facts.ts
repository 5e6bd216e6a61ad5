import { timestamp } from "../../../kernel/clock.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { createSlices } from "../../../kernel/slices.ts";
import type { Context } from "../../../runtime/context.ts";
import { type PlacedFact, placeOnTimeline, statesValue } from "../../memory/fact-reader.ts";
import { referenceTo, type StoredFact, slotOf } from "../../memory/facts/records.ts";
import type { MemoryReader } from "../../memory/records.ts";
import { isHearsay } from "../../memory/writer.ts";
import { abortAfter, endingBy } from "../deadline.ts";
import { type KnownFacts, latestOfManySlots, placeStatedFacts, readMemories, statedOfUser } from "./known-facts.ts";
import { MAX_LINES, sectionOf } from "./profile.ts";
import { findSlots, storeSlots } from "./user-slots.ts";

/** Maximum milliseconds for what is read for a profile. */
const MAX_MS = 10_000;
/** Maximum slots of a profile, those mentioned last, and facts of each, the latest. */
const MAX_SLOTS = 100;
const MAX_IN_SLOT = 20;
/** Maximum facts of a user that are read to list their slots. */
const MAX_OBSERVED = 10_000;
/** Maximum facts of a section whose memories are read: some turn out not to be the user's own words. */
const MAX_IN_SECTION = 2 * MAX_LINES;

type ProfileReader = MemoryReader & Pick<Context, "request" | "isShortOfRoom">;

/**
 * Returns the facts of a user's profile as the reader may see them. Reads the latest facts of listed slots and the
 * memories of those that a profile may show: the cost depends on the profile, not on how much is known of the user. The
 * first profile of a user reads all facts, to list their slots. Throws SEARCH_TIMEOUT after `maxMs`.
 */
export function profileFacts(ctx: ProfileReader, user: string, maxMs = MAX_MS): Promise<KnownFacts> {
  return withinProfileTime(ctx, (reader) => readFacts(reader, user), maxMs);
}

/** Reads for a profile as a reader that ends with the time for it. Throws SEARCH_TIMEOUT after `maxMs`. */
export function withinProfileTime<Reader extends Pick<Context, "request">, Read>(
  ctx: Reader,
  read: (reader: Reader) => Promise<Read>,
  maxMs = MAX_MS,
): Promise<Read> {
  const toError = () =>
    new ServiceError("SEARCH_TIMEOUT", `The profile took longer than ${maxMs} ms. Try again.`, { timeout_ms: maxMs });
  return abortAfter(maxMs, toError, (deadline) => read(endingBy(ctx, deadline)));
}

async function readFacts(ctx: ProfileReader, user: string): Promise<KnownFacts> {
  const { ports, org } = ctx;
  const slots = await findSlots(ports.records, org, user, MAX_SLOTS);
  if (slots === undefined) return listedFacts(ctx, user);
  const facts = await latestOfManySlots(ctx, user, slots, MAX_IN_SLOT);
  // An agent may see few of the memories, and what it may not see closes nothing.
  const [first, rest] = ctx.viewer === undefined ? await decisive(ctx, facts) : [facts, []];
  const memories = await readMemories(ctx, first.map(memoryOf));
  const doubtful = new Set(first.filter((fact) => isDoubtful(fact, memories)).map(slotOf));
  const others = rest.filter((fact) => doubtful.has(slotOf(fact)));
  const further = await readMemories(
    ctx,
    others.map(memoryOf).filter((id) => !memories.has(id)),
  );
  return placeStatedFacts(ctx, {
    facts: [...first, ...others],
    memories: new Map([...memories, ...further]),
  });
}

const memoryOf = ({ memory_id }: StoredFact): string => memory_id;

/** Whether other facts of the slot may hold, because the reader may not see this one or it ends nobody's statements. */
function isDoubtful({ id, memory_id }: StoredFact, memories: KnownFacts["memories"]): boolean {
  const memory = memories.get(memory_id);
  return memory === undefined || isHearsay(memory) || !memory.observations?.some((reference) => reference.id === id);
}

/** Splits facts into those that decide what a profile shows if all are visible, and the others. */
async function decisive(ctx: ProfileReader, facts: StoredFact[]): Promise<[StoredFact[], StoredFact[]]> {
  const nextSlice = createSlices({ org: ctx.org });
  const placed: PlacedFact[] = [];
  for (const slot of Map.groupBy(facts, slotOf).values()) {
    placed.push(...placeOnTimeline(ctx, slot));
    await nextSlice();
    ctx.request?.signal?.throwIfAborted();
  }
  const held = placed.filter(({ status }) => status === "current" || status === "planned");
  const shown = [...Map.groupBy(held, sectionOf)].flatMap(([section, own]) =>
    section === undefined ? [] : newest(own).slice(0, MAX_IN_SECTION),
  );
  const ending = placed.filter((fact) => !statesValue(fact));
  const ids = new Set([...shown, ...ending].flatMap(({ id, supersedes = id }) => [id, supersedes]));
  const { yes = [], no = [] } = Object.groupBy(facts, ({ id }) => (ids.has(id) ? "yes" : "no"));
  return [yes, no];
}

function newest(facts: PlacedFact[]): PlacedFact[] {
  return facts.toSorted((one, other) => Date.parse(other.observed_at) - Date.parse(one.observed_at));
}

/** Returns all facts of a user, and lists their slots for the next profile. */
async function listedFacts(ctx: ProfileReader, user: string): Promise<KnownFacts> {
  const stated = await statedOfUser(ctx, user, MAX_OBSERVED);
  const { facts } = stated;
  if (facts.length > 0 && !ctx.isShortOfRoom?.()) {
    await storeSlots(ctx.ports.records, ctx.org, user, facts.map(referenceTo), timestamp(ctx.clock()));
  }
  return placeStatedFacts(ctx, stated);
}
