import { compareTexts } from "../../kernel/strings.ts";
import { asLine } from "../../kernel/text/prompt-text.ts";
import { spaced } from "../../kernel/text/text.ts";
import { languagesOf, ownSentencesOf, signalsOf } from "../../language/asserted/signals.ts";
import { findSecrets } from "../../language/secrets/find-secrets.ts";
import { MAX_OBSERVATION_LENGTH, MAX_OBSERVATIONS, type Observations, type ShownMemory } from "./observing-task.ts";
import { confidenceIn, daysOf, type Evidence, type FoundPattern, MAX_EVIDENCE, type Said } from "./pattern.ts";

/** Maximum memories that a model is shown, the latest ones, and characters of each. */
const MAX_SHOWN = 100;
const MAX_CHARACTERS = 600;
/** Minimum memories that show an observation. */
const MIN_MEMORIES = 2;
/** Minimum characters of a quote as it is compared; shorter ones would be found anywhere. */
const MIN_QUOTE = 10;
/** Minimum share of the memories of two observations that both rest on. */
const MIN_OVERLAP = 0.5;

/** Returns the user's own sentences in the latest memories: what others wrote, quotations and secrets are not shown. */
export function shownOf(said: readonly Said[]): ShownMemory[] {
  const own = said.map(({ memory_id, day, content }) => ({ memory_id, day, text: ownTextOf(content) }));
  return own.filter(({ text }) => text !== "").slice(-MAX_SHOWN);
}

function ownTextOf(content: string): string {
  let text = "";
  for (const sentence of ownSentencesOf(content)) {
    text += ` ${sentence.trim()}`;
    if (text.length > MAX_CHARACTERS) break;
  }
  return asLine(text.slice(0, MAX_CHARACTERS).toWellFormed());
}

/**
 * Returns the observations whose evidence is found in the memories: a quote in at least two of them. A wrong number is
 * corrected by the quote. The sentence has no number that the memories do not have, and no secret.
 */
export function checkedObservations({ observations }: Observations, shown: readonly ShownMemory[]): FoundPattern[] {
  const folded = shown.map((memory) => ({ ...memory, folded: spaced(memory.text) }));
  const languages = languagesOf(shown.map(({ text }) => text));
  const found: FoundPattern[] = [];
  for (const { text, evidence, confidence } of observations) {
    if (found.length >= MAX_OBSERVATIONS) break;
    const label = asLine(text);
    if (label.length > MAX_OBSERVATION_LENGTH || findSecrets(label).length > 0) continue;
    const showing = new Map<string, Evidence>();
    const sources: string[] = [];
    for (const { message, quote } of evidence) {
      const wanted = spaced(quote);
      if (wanted.length < MIN_QUOTE) continue;
      const numbered = folded[message - 1];
      const memory = numbered?.folded.includes(wanted) ? numbered : folded.find((each) => each.folded.includes(wanted));
      if (memory === undefined || showing.has(memory.memory_id)) continue;
      showing.set(memory.memory_id, { memory_id: memory.memory_id, day: memory.day, quote: asLine(quote) });
      sources.push(`${memory.day} ${memory.folded}`);
    }
    if (showing.size < MIN_MEMORIES || !hasOnlyNumbersOf(label, sources)) continue;
    const all = [...showing.values()].sort((one, other) => compareTexts(one.day, other.day)).slice(-MAX_EVIDENCE);
    const terms = [
      ...new Set(signalsOf(label, languages).flatMap(({ mentioned }) => mentioned.map(({ stem }) => stem))),
    ];
    const grounded = { evidence: all, earlier: 0 };
    const likely = Math.min(confidence, confidenceIn(daysOf(grounded)));
    found.push({
      type: "observation",
      key: JSON.stringify(["observation", label]),
      label,
      terms,
      ...grounded,
      confidence: likely,
    });
  }
  return found;
}

/** Whether each number of a sentence is in its sources; a model may count the sources themselves. */
function hasOnlyNumbersOf(label: string, sources: readonly string[]): boolean {
  const known = new Set(sources.flatMap((source) => source.match(/\p{Nd}+/gu) ?? []));
  return (label.match(/\p{Nd}+/gu) ?? []).every((number) => known.has(number) || Number(number) === sources.length);
}

/** Whether an observation still rests on words of the user: each of its memories exists and has the quote. */
export function isStillShown({ evidence }: Pick<FoundPattern, "evidence">, said: readonly Said[]): boolean {
  return evidence.every(({ memory_id, quote = "" }) => {
    const memory = said.find((each) => each.memory_id === memory_id);
    return memory !== undefined && spaced(ownTextOf(memory.content)).includes(spaced(quote));
  });
}

/** Whether two observations rest mostly on the same memories, so that one says the other in other words. */
export function isSameObservation(one: Pick<FoundPattern, "evidence">, other: Pick<FoundPattern, "evidence">): boolean {
  const ids = new Set(one.evidence.map(({ memory_id }) => memory_id));
  const shared = other.evidence.filter(({ memory_id }) => ids.has(memory_id)).length;
  return shared > 0 && shared >= MIN_OVERLAP * (ids.size + other.evidence.length - shared);
}
