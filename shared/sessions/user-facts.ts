import { loadTokenCounter, type TokenCounter } from "../compression/tokens.ts";
import { USER } from "../facts/fact.ts";
import type { PlacedFact } from "../facts/reader.ts";
import type { MemoryReader } from "../memory/records.ts";
import { type KnownFacts, knownOfUser } from "../profiles/known-facts.ts";
import { type ProfileLine, profileOf } from "../profiles/profile.ts";
import { analyse } from "../retrieval/text.ts";
import type { Session } from "./session.ts";

/** What is known of a user by their own words that concerns a conversation, and what of it changed lately. */
export interface UserFacts {
  current: ProfileLine[];
  changed: ProfileLine[];
}

/** Facts that are read. */
const MAX_OBSERVED = 1000;
const MAX_LINES = 10;
const MAX_CLOSING_TOKENS = 400;

/** What the caller may know of a user. */
export function factsOfUser(ctx: MemoryReader, user_id: string): Promise<KnownFacts> {
  return knownOfUser(ctx, user_id, MAX_OBSERVED);
}

/**
 * Lines of the user's profile that concern what was said, within so many tokens: what the user asks for first, then what
 * shares the most words with it. They rest on facts that the caller may see.
 */
export async function factsConcerning(
  ctx: Pick<MemoryReader, "clock">,
  known: KnownFacts,
  said: string[],
  maxTokens: number,
): Promise<UserFacts> {
  if (said.length === 0 || maxTokens <= 0) return { current: [], changed: [] };
  const counter = await loadTokenCounter();
  return concerning(known, ctx.clock(), said, { maxTokens, counter });
}

/** What a session's summary says of the user: what is known that concerns what was said, and what the session changed. */
export async function factsForClosing(
  ctx: MemoryReader,
  { id, user_id }: Pick<Session, "id" | "user_id">,
  said: string[],
): Promise<{ known: string[]; changed: string[] }> {
  if (said.length === 0) return { known: [], changed: [] };
  const [known, counter] = await Promise.all([factsOfUser(ctx, user_id), loadTokenCounter()]);
  const { current } = concerning(known, ctx.clock(), said, { maxTokens: MAX_CLOSING_TOKENS, counter });
  const byId = new Map(known.facts.map((fact) => [fact.id, fact]));
  const changes = profileOf(known, ctx.clock()).sections.find(({ name }) => name === "recent_changes")?.lines ?? [];
  const changed = changes
    .flatMap(({ fact_ids }) => byId.get(fact_ids[0] ?? "") ?? [])
    .filter(({ memory_id }) => known.memories.get(memory_id)?.labels?.run === id)
    .map((fact) => tellChange(fact, byId.get(fact.supersedes ?? "")));
  return { known: current.map(({ text }) => text), changed: changed.slice(0, MAX_LINES) };
}

/** "lives in Hamburg, formerly Berlin" */
function tellChange({ subject, attribute, value }: PlacedFact, former: PlacedFact | undefined): string {
  const whose = subject === USER ? "" : `${subject}: `;
  return `${whose}${attribute.replaceAll("_", " ")} ${value}${former === undefined ? "" : `, formerly ${former.value}`}`;
}

function concerning(
  known: KnownFacts,
  now: number,
  said: string[],
  { maxTokens, counter }: { maxTokens: number; counter: TokenCounter },
): UserFacts {
  const words = new Set(said.flatMap((text) => analyse(text)));
  const byId = new Map(known.facts.map((fact) => [fact.id, fact]));
  const weighed = profileOf(known, now).sections.flatMap(({ name, lines }) =>
    lines.map((line) => {
      const isChange = name === "recent_changes";
      const told = isChange ? withFormer(line, byId) : line;
      const shared = new Set(analyse(told.text).filter((word) => words.has(word))).size;
      return { line: told, isChange, weight: name === "instructions" ? Number.POSITIVE_INFINITY : shared };
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

/** A change with what held before it. */
function withFormer(line: ProfileLine, byId: Map<string, PlacedFact>): ProfileLine {
  const fact = line.fact_ids.map((id) => byId.get(id)).find((each) => each?.supersedes !== undefined);
  const former = fact?.supersedes === undefined ? undefined : byId.get(fact.supersedes);
  if (former === undefined) return line;
  const until = (former.valid_to ?? fact?.valid_from ?? "").slice(0, "2026-11-23".length);
  return { text: `${line.text}; was ${former.value} until ${until}`, fact_ids: [...line.fact_ids, former.id] };
}
