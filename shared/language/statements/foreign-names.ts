import { allPhrases, alternatives, PARTICLES } from "../languages/lists.ts";
import type { NameWords } from "../languages/pack.ts";
import { ALL_WORDS } from "../languages/packs.ts";
import type { EntityType, ExtractedEntity } from "./schemas.ts";

const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}(?: (?:(?:${PARTICLES}) )?\p{Lu}[\p{L}\p{M}'’-]{1,30}){0,3}`;
/**
 * Returns a pattern for words of a list in all languages, also capitalized. Ignoring case would make every word after them
 * match as a name.
 */
function anyOf(list: (names: Partial<NameWords>) => string | undefined): string {
  const all = allPhrases(({ names }) => names && list(names)).map((word) => {
    const [first = ""] = word;
    return `[${first}${first.toUpperCase()}]${word.slice(first.length)}`;
  });
  return `(?<![\\p{L}])(?:${all.join("|")})`;
}

const RELATIVE = anyOf(({ relatives }) => relatives);
const CALLED = `(?: (?:${alternatives(({ names }) => names?.called)}))?,?`;
const OWN_NAME = anyOf(({ own }) => own);
const AT_WORK = anyOf(({ atWork }) => atWork);
const IN_PLACE = anyOf(({ inPlace }) => inPlace);

/** Patterns before or after a name in common languages, each with its type. */
const PATTERNS: readonly (readonly [RegExp, EntityType])[] = [
  [new RegExp(`${RELATIVE}${CALLED} (?<name>${CAPITALIZED})`, "gu"), "person"],
  [new RegExp(`${OWN_NAME} (?<name>${CAPITALIZED})`, "gu"), "person"],
  [new RegExp(`${AT_WORK} (?<name>${CAPITALIZED})`, "gu"), "organization"],
  [new RegExp(`${IN_PLACE} (?<name>${CAPITALIZED})`, "gu"), "place"],
  ...ALL_WORDS.flatMap(({ names }) => names?.patterns ?? []),
];

/** Returns the names that their context reveals; the sentence must have a bounded length. */
export function foreignNamesIn(text: string): Pick<ExtractedEntity, "name" | "type">[] {
  return PATTERNS.flatMap(([pattern, type]) =>
    Array.from(text.matchAll(pattern), ({ groups }) => ({ name: groups?.name ?? "", type })).filter(
      ({ name }) => /^[\p{Lu}\p{Lo}]/u.test(name) && !NO_NAMES.test(name),
    ),
  );
}

/** Capitalized words that follow the same prepositions but are not names. */
const NO_NAMES = new RegExp(`^(?:${alternatives(({ names }) => names?.noNames)})\\b`);
