import { compareTexts } from "../../../../kernel/strings.ts";
import { termsOf } from "../../../../language/facts/similarity.ts";
import type { FactStatus, Observation } from "../../../../language/slots/fact.ts";

/** A moment, in ISO format and in milliseconds. */
export interface Moment {
  iso: string;
  ms: number;
}

/** An observation while its slot is evaluated; the steps set its interval. */
export interface Entry {
  observation: Observation;
  terms: ReadonlySet<string>;
  observed: Moment;
  /** Start of its interval. */
  from: Moment;
  /** End of its interval, exclusive. */
  to?: Moment;
  supersedes?: string;
  /** The entry that closed it, or the correction that retracted it. */
  closer?: Entry;
  isRetracted: boolean;
}

export function entryOf(observation: Observation): Entry {
  const observed = momentOf(observation.observed_at);
  const { act, valid_from, valid_to } = observation;
  const isEnd = act === "end" || act === "cancel";
  const start = valid_from === undefined ? undefined : momentOf(valid_from);
  const until = valid_to === undefined ? undefined : momentOf(valid_to);
  const ended = isEnd ? (until ?? start ?? observed) : until;
  const from = isEnd ? ended : (start ?? earlier(observed, until));
  return {
    observation,
    terms: termsOf(observation.value),
    observed,
    from: from ?? observed,
    ...(ended !== undefined && { to: ended }),
    isRetracted: false,
  };
}

function momentOf(iso: string): Moment {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new RangeError(`not an ISO date or instant: ${iso}`);
  return { iso, ms };
}

function earlier(one: Moment, other: Moment | undefined): Moment {
  return other !== undefined && other.ms < one.ms ? other : one;
}

/** Sorts by start, then as `bySaid` does. Changes the array. */
export function inOrder(entries: Entry[]): Entry[] {
  return entries.sort((one, other) => one.from.ms - other.from.ms || bySaid(one, other));
}

/** Compares by time of statement, then by position in the text and by value, which an import keeps, then by id. */
export function bySaid(one: Entry, other: Entry): number {
  const [first, second] = [one.observation, other.observation];
  return (
    one.observed.ms - other.observed.ms ||
    first.span.start - second.span.start ||
    compareTexts(first.value, second.value) ||
    compareTexts(first.id, second.id)
  );
}

export function isRestored({ observation }: Entry): boolean {
  return observation.decision === "restored";
}

/** Whether the observation states a past, current or future value, not an end or a plan. */
export function statesValue({ observation: { act } }: Entry): boolean {
  return act === "state" || act === "correct";
}

/** Ends `entry` at the start of `by`, unless it was restored. */
export function close(entry: Entry, by: Entry): void {
  if (isRestored(entry)) return;
  if (entry.to === undefined || by.from.ms < entry.to.ms) entry.to = by.from;
  entry.closer = by;
  by.supersedes = entry.observation.id;
}

/** Retracts `entry`, because of the correction `by` if one is given. */
export function retract(entry: Entry, by?: Entry): void {
  entry.isRetracted = true;
  if (by === undefined) return;
  entry.closer = by;
  by.supersedes = entry.observation.id;
}

export function statusOf({ observation: { act }, isRetracted, closer, from, to }: Entry, now: number): FactStatus {
  if (isRetracted) return "retracted";
  if (closer !== undefined && (to === undefined || to.ms <= now)) return "superseded";
  if (act === "plan") return to !== undefined && to.ms <= now ? "past" : "planned";
  if (act === "end" || act === "cancel") return from.ms > now ? "planned" : "past";
  if (to !== undefined && to.ms <= now) return "past";
  return from.ms > now ? "planned" : "current";
}
