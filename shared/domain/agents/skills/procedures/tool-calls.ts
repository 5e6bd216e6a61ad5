import { wordSet, words } from "../../../../kernel/text/text.ts";
import type { Pattern } from "./patterns.ts";

const NAME = "(?<name>[A-Za-z_][\\w.-]{0,63})";
/** Forms of tool calls in transcripts: marked as a call or an action, reported by the speaker, or as JSON of an API. */
const CALLS = [
  `^\\s*(?:\\[(?:tool|function)[ _]?(?:call|use)?\\]|(?:tool|function)(?:[ _](?:call|use))?\\s?[:>]|calling(?: tool)?:?|→)\\s*${NAME}\\s*(?:[({].*)?$`,
  `^\\s*action\\s?:\\s*${NAME}\\s*(?:[\\[({].*)?$`,
  `^\\s*(?:assistant|agent|bot)\\s?:?\\s*(?:calls?|called|invokes?|invoked|uses?|used|runs?|ran)\\s+(?:the\\s)?(?:tool\\s)?\`?${NAME}\`?\\s*\\(`,
  `(?:tool_call|tool_use|function)[^\\n]{0,200}?"name"\\s?:\\s?"${NAME}"`,
].map((pattern) => new RegExp(pattern, "i"));
const REQUEST = /^\s*(?:user|human|customer|client)\s?:\s+(?<text>\S.*)$/i;
const MAX_CALLS = 500;
const MAX_SEQUENCE = 12;
const MIN_SEQUENCE = 2;
const MIN_REPEATS = 2;
/** Two occurrences may be chance; each further one raises the confidence. */
const CONFIDENCE = 0.6;
const PER_REPEAT = 0.1;
const MAX_CONFIDENCE = 0.9;

interface Episode {
  request: string | undefined;
  calls: string[];
}

/** Tool calls repeated in the same order, for requests with common words if these are known. */
export function* findRepeatedCalls(lines: string[]): Generator<Pattern> {
  const episodes = episodesOf(lines);
  const requested = episodes.filter(({ request, calls }) => request !== undefined && calls.length >= MIN_SEQUENCE);
  for (const [sequence, group] of Map.groupBy(requested, ({ calls }) => calls.join("\n"))) {
    if (group.length < MIN_REPEATS) continue;
    yield toPattern(sharedWords(group.map(({ request = "" }) => request)), sequence.split("\n"), group.length);
  }
  for (const { calls } of episodes) {
    const period = periodOf(calls);
    const unit = calls.slice(0, period);
    if (period !== undefined) yield toPattern(`${unit[0]} is called`, unit, Math.floor(calls.length / period));
  }
}

function episodesOf(lines: string[]): Episode[] {
  let current: Episode = { request: undefined, calls: [] };
  const episodes = [current];
  let count = 0;
  for (const line of lines) {
    const request = REQUEST.exec(line)?.groups?.text;
    if (request !== undefined) {
      current = { request, calls: [] };
      episodes.push(current);
    }
    const name = count < MAX_CALLS ? calledIn(line) : undefined;
    if (name === undefined) continue;
    current.calls.push(name);
    count++;
  }
  return episodes;
}

function calledIn(line: string): string | undefined {
  return CALLS.map((pattern) => pattern.exec(line)?.groups?.name).find((name) => name !== undefined);
}

/** The length of the sequence that a list of calls repeats from its start; undefined if there is none. */
function periodOf(calls: string[]): number | undefined {
  for (let period = MIN_SEQUENCE; period <= MAX_SEQUENCE && period * MIN_REPEATS <= calls.length; period++) {
    const whole = Math.floor(calls.length / period) * period;
    const isRepeated = calls.slice(0, whole).every((name, index) => name === calls[index % period]);
    if (isRepeated && new Set(calls.slice(0, period)).size > 1) return period;
  }
  return undefined;
}

/** The words that all requests share; the first request if there are none. */
function sharedWords(requests: string[]): string {
  const [first = "", ...others] = requests;
  const known = others.map(wordSet);
  const shared = words(first).filter(({ folded }) => known.every((set) => set.has(folded)));
  return shared.length === 0 ? first : shared.map(({ start, end }) => first.slice(start, end)).join(" ");
}

function toPattern(trigger: string, calls: string[], repeats: number): Pattern {
  const confidence = Math.min(MAX_CONFIDENCE, CONFIDENCE + PER_REPEAT * (repeats - MIN_REPEATS));
  const action = calls
    .slice(0, MAX_SEQUENCE)
    .map((name, index) => `${index + 1}. Call ${name}.`)
    .join("\n");
  return {
    trigger,
    action,
    confidence: Math.round(confidence * 100) / 100,
    source: `${repeats} times: ${calls.join(", ")}`,
  };
}
