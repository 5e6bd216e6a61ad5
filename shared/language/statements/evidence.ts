import { setOf } from "../../kernel/strings.ts";
import { allWords } from "../languages/lists.ts";
import type { EntityType } from "./schemas.ts";
import { hasTag, type Token } from "./tagging.ts";
import { ORGANIZATION_BEGINNINGS, ORGANIZATION_ENDINGS, PLACE_ENDINGS, TECHNOLOGIES } from "./words.ts";

/** Words before the names of people. */
const RELATIONS = setOf(`
  husband wife spouse partner boyfriend girlfriend fiance fiancé fiancée son daughter kid child baby mother mom mum father dad
  brother sister grandma grandpa grandmother grandfather granny nan aunt auntie uncle cousin niece nephew friend bestie buddy
  mate colleague coworker boss manager mentor supervisor neighbour neighbor flatmate housemate roommate teacher doctor dentist
  therapist coach lawyer founder cofounder ceo cto cfo coo president chair director professor nurse landlord landlady
  tenant client customer author writer singer actor actress painter composer architect plumber name named called`);
/** Verbs whose subject is never a place or a company. */
const PERSON_ONLY_VERBS = setOf(`
  said says told asked thinks thought wants lives lived loves loved hates likes liked met married died wrote texted rang feels felt
  believes hopes promised suggested studied studies speaks spoke sings cooked quit`);
const OTHER_PERSON_VERBS = setOf(`
  tells asks wanted moved knows knew works worked left meets born writes called calls signed bought sold got gets came comes went
  goes gave gives took takes made makes plans agreed recommended joined started plays played visited helped warned reported owns
  was is has`);
const ORGANIZATION_VERBS = setOf("acquired acquires hired hires announced launched fired sued raised employs merged");
/** Words of an organization as opposed to a person: "Acme's founder". */
const ORGANIZATION_PARTS = setOf(`
  founder cofounder ceo cto cfo headquarters office board shares customers employees staff hq`);
const WORK = setOf(`
  job work works worked working intern internship role position employed career start started joined join interview`);
const LEADS_TO_WORK = setOf("at for with");
/** Leaders: "CEO of Acme", "CFO Ingrid Sol". */
export const HEADS = setOf("ceo cto cfo coo founder cofounder employee customer director head president");
const MOTION = setOf(`
  move moved moving go goes going went gone come comes came travel travels travelled traveled travelling trip flight fly flying
  flew flown drive drove driving train bus ferry back visit return returned relocate relocated commute emigrate emigrated
  trek walked sail sailed lives live lived living born grew raised stay stayed staying holiday vacation weekend road route`);
const WORKS = setOf(`
  book books novel novels film films movie movies song songs album albums game games app podcast series show`);
const CONSUMED = setOf(`
  read reading reads watched watching watch finished listened listening listen playing played replaying`);
/** Headings before lists of titles. */
export const NAMES_WORKS: ReadonlySet<string> = new Set([...WORKS, ...CONSUMED]);
const CODE = setOf(`
  rewrite rewrote written code coded service library language compile compiles program programs script backend`);

/** Words before a name that make it a place, unless it is known as something else. */
export const WORDS_BEFORE_PLACES = setOf("in near visit visited via around through outside along across");
const LEADS_FROM_TO = setOf("to from");

/** The position of a name: its sentence, the index of its first token and the index after its last one. */
export interface NameContext {
  tokens: Token[];
  start: number;
  end: number;
}

/**
 * Returns the type of a name by its own words, then by its context, then by the lexicon; `other` without evidence.
 * `isEvident` says whether the sentence reveals the type: the lexicon knows names, not what they mean here.
 */
export function typeByEvidence(name: Token[], context: NameContext): { type: EntityType; isEvident: boolean } {
  const evident = ownType(name, context) ?? typeAround(context);
  if (evident !== undefined) return { type: evident, isEvident: true };
  const known = lexiconType(name);
  const byWords = known === undefined || known === "place" ? typeByPlaceWords(name, context) : undefined;
  return { type: known ?? byWords ?? "other", isEvident: byWords !== undefined && byWords === (known ?? byWords) };
}

function ownType(name: Token[], { tokens, start, end }: NameContext): EntityType | undefined {
  const last = name.at(-1)?.normal ?? "";
  if (name.some((token) => hasTag(token, "Honorific")) || HONORIFICS.has(tokens[start - 1]?.normal ?? ""))
    return "person";
  if (name.some(({ normal }) => TECHNOLOGIES.has(normal))) return "product";
  if (name.length > 1 && name.some(({ text }) => /^\d{2,}$/.test(text))) return "product";
  if (name.length > 1 && HONORIFICS.has(name[0]?.normal ?? "")) return "person";
  if (ORGANIZATION_BEGINNINGS.has(name[0]?.normal ?? "")) return "organization";
  if (name.length > 1 && ORGANIZATION_ENDINGS.has(last)) return "organization";
  if (isOneOf(RELATIONS, tokens[start - 1]) || hasTag(tokens[start - 1], "Actor")) return "person";
  if (name.length <= 2 && isOneOf(PERSON_ONLY_VERBS, tokenAfter(tokens, end))) return "person";
  return name.length > 1 && PLACE_ENDINGS.has(last) ? "place" : undefined;
}

export const HONORIFICS = setOf(`
  mr mrs ms miss dr prof sir lady ${allWords(({ names }) => names?.mensTitles)} ${allWords(({ names }) => names?.womensTitles)}
  capt sgt engr atty rev`);

function typeAround({ tokens, start, end }: NameContext): EntityType | undefined {
  const [before, previous] = [tokens[start - 2]?.normal ?? "", tokens[start - 1]?.normal ?? ""];
  const lead = tokens.slice(Math.max(0, start - 5), start).map(({ normal }) => normal);
  const isOwner = hasTag(tokens[end - 1], "Possessive");
  const next = tokens[end]?.normal ?? "";
  if (isOwner && ORGANIZATION_PARTS.has(next)) return "organization";
  if (previous === "is" && before === "name") return "person";
  if (RELATIONS.has(previous) || (isOwner && RELATIONS.has(next))) return "person";
  if (LEADS_TO_WORK.has(previous) && lead.some((word) => WORK.has(word))) return "organization";
  if (previous === "of" && HEADS.has(before)) return "organization";
  if (ORGANIZATION_VERBS.has(next)) return "organization";
  if (WORKS.has(previous) || CONSUMED.has(previous)) return "product";
  if (previous === "in" && tokens.some(({ normal }) => CODE.has(normal))) return "product";
  return undefined;
}

function lexiconType(name: Token[]): EntityType | undefined {
  const has = (...tags: string[]) => name.some((token) => hasTag(token, ...tags));
  if (has("Place", "City", "Country", "Region")) return "place";
  if (has("Person", "FirstName", "LastName")) return "person";
  return has("Organization") ? "organization" : undefined;
}

function typeByPlaceWords(name: Token[], { tokens, start, end }: NameContext): EntityType | undefined {
  const previous = tokens[start - 1]?.normal ?? "";
  if (name.some((token) => hasTag(token, "Acronym"))) return undefined;
  const lead = previous === "the" ? (tokens[start - 2]?.normal ?? "") : previous;
  if (WORDS_BEFORE_PLACES.has(lead)) return "place";
  if (LEADS_FROM_TO.has(previous) && tokens.slice(0, start).some(({ normal }) => MOTION.has(normal))) return "place";
  const next = tokenAfter(tokens, end);
  if (!isOneOf(PERSON_ONLY_VERBS, next) && !isOneOf(OTHER_PERSON_VERBS, next)) return undefined;
  const opens = start === 0 && name.length === 1;
  const isPerson = previous === "the" ? /s$/.test(name.at(-1)?.normal ?? "") : name.length <= 2 && !opens;
  return isPerson ? "person" : undefined;
}

/** Returns the token right after a name, or undefined if punctuation follows the name. */
function tokenAfter(tokens: Token[], end: number): Token | undefined {
  return /[,;:.!?]/.test(tokens[end - 1]?.after ?? "") ? undefined : tokens[end];
}

function isOneOf(words: ReadonlySet<string>, token: Token | undefined): boolean {
  return token !== undefined && words.has(token.normal);
}
