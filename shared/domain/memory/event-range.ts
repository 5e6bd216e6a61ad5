import { analyse, words } from "../../kernel/text/text.ts";
import type { TimeRange } from "../../language/dates/asked.ts";
import { type AskedEvent, askedEventOf } from "../../language/questions/asked-event.ts";
import type { Query } from "../../language/questions/query.ts";
import { saysBeginning } from "../../language/questions/slot-words.ts";
import { USER } from "../../language/slots/fact.ts";
import { factsOfSlots, type PlacedFact, statesValue } from "./fact-reader.ts";
import { slotOf } from "./facts/records.ts";
import type { RecordReader } from "./records.ts";

interface EventQuestion {
  query: Query;
  /** The user whose facts date the event; if undefined, memories without a user are used. */
  user: string | undefined;
  /** In epoch milliseconds. */
  now: number;
}

/**
 * Returns the time range that a question names by an event ("before the move"), from the facts that its reader may see.
 * Returns undefined if it names no event or no fact dates it. Two round trips, none for a question without an event.
 */
export async function rangeOfEvent(
  ctx: RecordReader,
  { query, user, now }: EventQuestion,
): Promise<TimeRange | undefined> {
  const event = askedEventOf(query);
  if (event === undefined) return undefined;
  const subject = isUser(event.subject, user) ? USER : event.subject;
  if (subject === USER && user === undefined) return undefined;
  const slots = event.attributes.map((attribute) => slotOf({ subject, attribute }));
  const facts = (await factsOfSlots(ctx, user, slots)).filter(
    (fact) => statesValue(fact) && fact.status !== "retracted",
  );
  const moment = momentOf(event, facts, now);
  return moment === undefined ? undefined : { ...rangeFrom(event.side, moment, now), said: event.said };
}

/** Whether the subject is the user, whose id may contain the user's name. */
function isUser(subject: string, user = ""): boolean {
  return subject === USER || words(user).some(({ folded }) => folded === words(subject)[0]?.folded);
}

/** Returns when the event happened: the last time up to now, else the first time from now on. */
function momentOf({ side, effect, names }: AskedEvent, facts: PlacedFact[], now: number): number | undefined {
  const named =
    names.length === 0 ? facts : facts.filter(({ value }) => analyse(value).some((term) => names.includes(term)));
  const starts = named.map(startOf);
  const ends = named.flatMap(({ valid_to }) => (valid_to === undefined ? [] : [Date.parse(valid_to)]));
  const changes = named.filter(isChange).map(startOf);
  const moments: Record<AskedEvent["effect"], number[]> = {
    start: names.length > 0 ? starts : changes,
    end: ends,
    state: side === "after" ? ends : starts,
    change: [...changes, ...ends],
  };
  const possible = moments[effect];
  const past = possible.filter((moment) => moment <= now);
  if (past.length > 0) return Math.max(...past);
  return possible.length > 0 ? Math.min(...possible) : undefined;
}

/** Whether a value superseded another one or is said to begin: it is unknown since when other values hold. */
function isChange({ supersedes, content, attribute }: PlacedFact): boolean {
  return supersedes !== undefined || saysBeginning(content, attribute);
}

function startOf({ valid_from }: PlacedFact): number {
  return Date.parse(valid_from);
}

/** Returns the range before or after a moment: from now on for a future event, up to now for a past one. */
function rangeFrom(side: AskedEvent["side"], moment: number, now: number): TimeRange {
  const isFuture = moment > now;
  switch (side) {
    case "before":
      return { from: isFuture ? now : Number.NEGATIVE_INFINITY, to: moment - 1 };
    case "until":
      return { from: isFuture ? now : Number.NEGATIVE_INFINITY, to: moment };
    default:
      return { from: moment, to: isFuture ? Number.POSITIVE_INFINITY : now };
  }
}
