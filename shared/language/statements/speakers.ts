import { setOf } from "../../kernel/strings.ts";
import type { JsonObject } from "../../ports/json.ts";
import { OWN_LABELS } from "./voice/lexicon.ts";

/** The meaning of "I" without a named speaker. */
export const UNNAMED_SPEAKER = "the user";
/** The speaker of words that the user quotes or pastes, if the message names nobody. */
export const SOMEBODY_ELSE = "somebody else";
/** The meaning of "you" for the user. */
export const THE_ASSISTANT = "the assistant";

/** A map, because a speaker may be called "constructor". */
const ROLES = new Map([
  ["user", UNNAMED_SPEAKER],
  ["human", UNNAMED_SPEAKER],
  [SOMEBODY_ELSE, SOMEBODY_ELSE],
  ["customer", "the customer"],
  ["assistant", THE_ASSISTANT],
  ["agent", THE_ASSISTANT],
  ["ai", THE_ASSISTANT],
  ["bot", THE_ASSISTANT],
  ["system", "the system"],
]);

/** Words before a colon at the start of a line that are neither names nor what users announce their own words with. */
const HEADINGS =
  setOf(`error debug title subject result results source sources place context task agenda topic attention re fwd q a from to cc bcc
   noted done agreed understood correct confirmed great perfect good sorry`);

/** Up to three capitalized words (or words of a script without case). */
const LABEL =
  /^\s*(?:\[[^\]\n]{1,40}\]\s*)?((?:[\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]{0,30})(?: [\p{Lu}\p{Lo}][\p{L}\p{M}'’.-]{0,30}){0,2}|user|assistant|system|human)\s*:\s+(?=\S)/u;

/** Returns the speaker of a line that starts with a name or a role and a colon, and the rest of the line. */
export function readLabel(line: string) {
  const [label = "", name] = LABEL.exec(line) ?? [];
  if (name === undefined || HEADINGS.has(name.toLowerCase()) || OWN_LABELS.test(name)) return undefined;
  return { speaker: speakerName(name), isRole: ROLES.has(name.toLowerCase()), rest: line.slice(label.length) };
}

/** A role ("user", "assistant") in words, or the name. */
export function speakerName(label: string): string {
  return ROLES.get(label.toLowerCase()) ?? label;
}

/** Whether a speaker is a name rather than a role. */
export function isNamed(speaker: string): boolean {
  return ![...ROLES.values()].includes(speaker);
}

/** Returns the speaker in the metadata under any usual key, or undefined if there is none. */
export function speakerOf(metadata: JsonObject): string | undefined {
  for (const key of ["speaker", "speaker_name", "author", "from", "role"]) {
    const value = metadata[key];
    if (typeof value === "string" && value.trim() !== "" && value.length <= 60) return speakerName(value.trim());
  }
  return undefined;
}
