import { sha256 } from "../../kernel/digest.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import { derivedId } from "../../kernel/ids.ts";
import { inParallel } from "../../kernel/parallel.ts";
import { analyse } from "../../kernel/text/text.ts";
import { INSTRUCTION, USER } from "../../language/slots/fact.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import { loadTokenCounter, type TokenCounter } from "../compression/condensing/tokens.ts";
import { isChunk } from "../memory/chunk-ids.ts";
import type { PlacedFact } from "../memory/fact-reader.ts";
import { factsReadFrom, referenceTo, type StoredFact, slotOf } from "../memory/facts/records.ts";
import type { MemoryReader } from "../memory/records.ts";
import { observe } from "../memory/understand.ts";
import {
  type FactMemory,
  type KnownFacts,
  knownAround,
  placeStatedFacts,
  statedOfUser,
} from "../retrieval/profiles/known-facts.ts";
import { changesByOwnWords, type ProfileLine, profileOf } from "../retrieval/profiles/profile.ts";
import { describeChange } from "./changes.ts";
import type { Session, SessionMessage } from "./session.ts";

/** Facts that a user stated and that are relevant for a conversation, with recent changes. */
export interface UserFacts {
  current: ProfileLine[];
  changed: ProfileLine[];
}

/** Maximum number of facts that are read when a session ends. */
const MAX_OBSERVED = 1000;
/** Maximum number of memories that concern a conversation. */
const MAX_MEMORIES = 6;
/** Slots that matter for every conversation. */
const STANDING_SLOTS = [slotOf({ subject: USER, attribute: INSTRUCTION })];
const MAX_LINES = 10;
const MAX_CLOSING_TOKENS = 400;
/** Maximum messages whose facts are read from the message itself when its session ends, and how many concurrently. */
const MAX_READ = 100;
const CONCURRENCY = 4;

/**
 * Returns profile lines from visible facts for what was said, within a token limit: instructions first, then those that
 * share the most words with it. Only memories that share words with it are read.
 */
export async function factsConcerning(
  ctx: MemoryReader,
  user: string,
  said: string[],
  maxTokens: number,
): Promise<UserFacts> {
  if (said.length === 0 || maxTokens <= 0) return { current: [], changed: [] };
  const [ids, counter] = await Promise.all([findConcerning(ctx, user, said), loadTokenCounter()]);
  const known = await knownAround(ctx, user, ids, STANDING_SLOTS);
  return concerning(known, ctx.clock(), said, { maxTokens, counter });
}

async function findConcerning(ctx: MemoryReader, user: string, said: string[]) {
  const { keyword } = await ctx.ports.search.search({
    org: ctx.org,
    now: ctx.clock(),
    filters: { user_id: [user] },
    keyword: { text: said.join("\n"), limit: MAX_MEMORIES },
  });
  return keyword.map(({ id }) => id).filter((id) => !isChunk(id));
}

/**
 * Returns what a session's summary says about the user: known facts that concern its messages, and changes that the
 * messages state. If the memory of a message is not stored (yet), facts are read from the message itself.
 */
export async function factsForClosing(
  ctx: MemoryScope,
  session: Session,
  messages: SessionMessage[],
): Promise<{ known: string[]; changed: string[] }> {
  const said = messages.filter(({ role }) => role === "user");
  if (said.length === 0) return { known: [], changed: [] };
  const [stored, counter] = await Promise.all([statedOfUser(ctx, session.user_id, MAX_OBSERVED), loadTokenCounter()]);
  const isOfSession = ({ labels }: Pick<FactMemory, "labels">) => labels?.run === session.id;
  const remembered = new Set([...stored.memories.values()].filter(isOfSession).map(occurredMs));
  const unread = said.filter((message) => !remembered.has(occurredMs(message))).slice(-MAX_READ);
  const read = await inParallel(unread, CONCURRENCY, (message) =>
    readMessageFacts(ctx, session, message, messages[messages.indexOf(message) - 1]),
  );
  const known = await placeStatedFacts(ctx, {
    facts: [...stored.facts, ...read.flatMap(({ facts }) => facts)],
    memories: new Map<string, FactMemory>([
      ...stored.memories,
      ...read.map(({ memory }) => [memory.id, memory] as const),
    ]),
  });
  const contents = said.map(({ content }) => content);
  const { current } = concerning(known, ctx.clock(), contents, { maxTokens: MAX_CLOSING_TOKENS, counter });
  return { known: current.map(({ text }) => text), changed: changesIn(known, isOfSession) };
}

/** Reads the facts of a message as its memory would contain them; nothing is stored. */
async function readMessageFacts(
  ctx: MemoryScope,
  { id: run, org, user_id }: Session,
  message: SessionMessage,
  before: SessionMessage | undefined,
): Promise<{ memory: FactMemory; facts: StoredFact[] }> {
  const { id: name, created_at, created_by, occurred_at } = message;
  const provenance = { written_by: created_by, door: "sessions" as const };
  const { content } = message;
  const context = before === undefined ? {} : { before: [before] };
  const time = { ...(occurred_at !== undefined && { occurred_at }), stored_at: created_at };
  const observed = await observe(ctx, { content, ...context, user_id, created_by, metadata: {}, ...time });
  const id = derivedId("memory", sha256(name));
  const written = { created_by, provenance, updated_at: created_at };
  const facts = factsReadFrom({ id, org, user_id, content, observed, ...written });
  const observations = facts.map(referenceTo);
  const memory = { id, content, metadata: {}, labels: { run }, observations };
  return { memory, facts };
}

/** Returns the changes that the messages of a session state, as sentences in message order. */
function changesIn(known: KnownFacts<FactMemory>, isOfSession: (memory: FactMemory) => boolean): string[] {
  const byId = new Map(known.facts.map((fact) => [fact.id, fact]));
  const isSaidIn = ({ memory_id }: PlacedFact) => {
    const memory = known.memories.get(memory_id);
    return memory !== undefined && isOfSession(memory);
  };
  /** Returns the former fact from before the session; if unknown, the earliest one in the session. */
  const formerOf = (fact: PlacedFact): PlacedFact | undefined => {
    const former = byId.get(fact.supersedes ?? "");
    return former !== undefined && isSaidIn(former) ? (formerOf(former) ?? former) : former;
  };
  // A later message may be about earlier events. Only a fact observed after the former one is a change.
  const isForward = (fact: PlacedFact) => Date.parse(formerOf(fact)?.observed_at ?? "") <= Date.parse(fact.observed_at);
  return changesByOwnWords(known)
    .filter((fact) => isSaidIn(fact) && isForward(fact))
    .toSorted((one, other) => Date.parse(one.observed_at) - Date.parse(other.observed_at))
    .map((fact) => describeChange(fact, formerOf(fact)))
    .slice(0, MAX_LINES);
}

function concerning(
  known: KnownFacts<FactMemory>,
  now: number,
  said: string[],
  { maxTokens, counter }: { maxTokens: number; counter: TokenCounter },
): UserFacts {
  const words = new Set(said.flatMap((text) => analyse(text)));
  const byId = new Map(known.facts.map((fact) => [fact.id, fact]));
  const weighed = profileOf(known, now).sections.flatMap(({ name, lines }) =>
    lines.map((line) => {
      const isChange = name === "recent_changes";
      const shown = isChange ? withFormer(line, byId) : line;
      const shared = new Set(analyse(shown.text).filter((word) => words.has(word))).size;
      return { line: shown, isChange, weight: name === "instructions" ? Number.POSITIVE_INFINITY : shared };
    }),
  );
  let left = maxTokens;
  const chosen = weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => Math.sign(other.weight - one.weight || 0))
    .slice(0, MAX_LINES)
    .filter(({ line }) => {
      const tokens = counter.count(line.text);
      const fits = tokens <= left;
      if (fits) left -= tokens;
      return fits;
    });
  const linesOf = (isChange: boolean) => chosen.filter((each) => each.isChange === isChange).map(({ line }) => line);
  return { current: linesOf(false), changed: linesOf(true) };
}

/** Returns a line about a change with the former value added. */
function withFormer(line: ProfileLine, byId: Map<string, PlacedFact>): ProfileLine {
  const fact = line.fact_ids.map((id) => byId.get(id)).find((each) => each?.supersedes !== undefined);
  const former = fact?.supersedes === undefined ? undefined : byId.get(fact.supersedes);
  if (former === undefined) return line;
  const until = (former.valid_to ?? fact?.valid_from ?? "").slice(0, "2026-11-23".length);
  return { text: `${line.text}; was ${former.value} until ${until}`, fact_ids: [...line.fact_ids, former.id] };
}
