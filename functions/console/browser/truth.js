import { dateOnly, day, words } from "./format.js";

/** @typedef {import("./api.js").Answer<typeof import("../../facts/schemas.ts").FactList>["facts"][number]} Fact */
/** @typedef {{ name: string, rows: Fact[][] }} Lane a property; facts of a row do not overlap */
/** @typedef {"past" | "present" | "future"} Tense */

const DAY_MS = 86_400_000;
/** Properties that a sentence is made of, the most telling first: third person, past and base form. */
const VERBS = {
  lives: ["lived", "live"],
  works: ["worked", "work"],
  studies: ["studied", "study"],
  drives: ["drove", "drive"],
  owns: ["owned", "own"],
  plays: ["played", "play"],
  learns: ["learned", "learn"],
  speaks: ["spoke", "speak"],
  uses: ["used", "use"],
  takes: ["took", "take"],
  eats: ["ate", "eat"],
  drinks: ["drank", "drink"],
  prefers: ["preferred", "prefer"],
  likes: ["liked", "like"],
  dislikes: ["disliked", "dislike"],
};
const MAX_CLAUSES = 3;

/** @param {Pick<Fact, "subject" | "attribute">} fact */
export function propertyOf({ subject, attribute }) {
  return subject === "user" ? words(attribute) : `${subject}: ${words(attribute)}`;
}

/**
 * The attribute that a property in words is: "lives in" is `lives_in`, and "port of route planner" `port_of route planner`.
 * @param {string} property
 */
export function attributeOf(property) {
  const [, relation, thing] = /^(.+?[ _]of) (.+)$/.exec(property) ?? [];
  const named = (relation ?? property).replaceAll(" ", "_");
  return thing === undefined ? named : `${named} ${thing}`;
}

/**
 * The start and the end of a fact in milliseconds; without an end it holds for ever.
 * @param {Pick<Fact, "valid_from" | "valid_to">} fact
 */
export function intervalOf({ valid_from, valid_to }) {
  const start = Date.parse(valid_from);
  return { start, end: valid_to === undefined ? Number.POSITIVE_INFINITY : Math.max(start, Date.parse(valid_to)) };
}

/**
 * When a fact holds, in words: "5 Jan 2024 to 6 Feb 2025".
 * @param {Pick<Fact, "valid_from" | "valid_to">} fact
 */
export function spanOf({ valid_from, valid_to }) {
  const [from, until] = [day(valid_from), day(valid_to)];
  if (valid_to === undefined) return Date.parse(valid_from) > Date.now() ? `from ${from} on` : `since ${from}`;
  // A plan may end before its day.
  return Date.parse(valid_to) < Date.parse(valid_from)
    ? `planned for ${from}, dropped ${until}`
    : `${from} to ${until}`;
}

/**
 * Facts that held when a day ended. A retracted one never did.
 * @template {Pick<Fact, "valid_from" | "valid_to" | "status">} Held
 * @param {Held[]} facts
 * @param {string} date YYYY-MM-DD
 */
export function heldOn(facts, date) {
  const at = Date.parse(date) + DAY_MS - 1;
  return facts.filter((fact) => {
    const { start, end } = intervalOf(fact);
    return fact.status !== "retracted" && start <= at && at < end;
  });
}

/**
 * A lane per property: those that changed most first. Statements of the same value at the same time share a bar.
 * @param {Fact[]} facts
 * @returns {Lane[]}
 */
export function lanesOf(facts) {
  const lanes = [...Map.groupBy(facts, propertyOf)].map(([name, own]) => ({ name, rows: rowsOf(own) }));
  const bars = (/** @type {Lane} */ { rows }) => rows.reduce((sum, row) => sum + row.length, 0);
  return lanes.sort((a, b) => bars(b) - bars(a));
}

/** @param {Fact[]} facts */
function rowsOf(facts) {
  const distinct = new Map(facts.map((fact) => [`${fact.value}\n${fact.valid_from}\n${fact.status}`, fact]));
  const byStart = [...distinct.values()].sort((a, b) => intervalOf(a).start - intervalOf(b).start);
  /** @type {{ end: number, facts: Fact[] }[]} */
  const rows = [];
  for (const fact of byStart) {
    const { start, end } = intervalOf(fact);
    const row = rows.find((each) => each.end <= start);
    if (row) {
      row.facts.push(fact);
      row.end = end;
    } else rows.push({ end, facts: [fact] });
  }
  return rows.map(({ facts }) => facts);
}

/**
 * What held on a day as a sentence: "On 14 Apr 2024 Ada lived in Berlin and worked as a nurse."
 * @param {string} name
 * @param {string} date YYYY-MM-DD
 * @param {Fact[]} held
 * @param {string} today YYYY-MM-DD
 */
export function sentenceOf(name, date, held, today = dateOnly(Date.now())) {
  const tense = date === today ? "present" : date < today ? "past" : "future";
  const verbs = Object.keys(VERBS);
  const rank = (/** @type {Fact} */ fact) => verbs.indexOf(verbOf(fact));
  const telling = held.filter((fact) => fact.subject === "user" && rank(fact) >= 0).sort((a, b) => rank(a) - rank(b));
  const clauses = [...new Set(telling.map((fact) => clauseOf(fact, tense)))].slice(0, MAX_CLAUSES);
  const opening = date === today ? "Today" : `On ${day(date)}`;
  const last = clauses.pop();
  if (last === undefined) return `${opening} ${held.length === 0 ? "nothing was known" : "this held"} about ${name}.`;
  return `${opening} ${name} ${clauses.length === 0 ? last : `${clauses.join(", ")} and ${last}`}.`;
}

/** @param {Fact} fact */
function verbOf({ attribute }) {
  return attribute.split("_", 1)[0] ?? "";
}

/**
 * @param {Fact} fact
 * @param {Tense} tense
 */
function clauseOf(fact, tense) {
  const verb = verbOf(fact);
  const [past, base] = VERBS[/** @type {keyof typeof VERBS} */ (verb)];
  const form = { past, present: verb, future: `will ${base}` }[tense];
  const rest = words(fact.attribute).slice(verb.length);
  const article = fact.attribute === "works_as" ? (/^[aeiou]/i.test(fact.value) ? "an " : "a ") : "";
  return `${form}${rest} ${article}${fact.value}`;
}
