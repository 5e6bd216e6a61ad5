/**
 * Measures what the served API extracts from the understanding cases, counted like the runners that come with the
 * cases.
 */
import type { Service } from "../support/service.ts";
import {
  type DuplicateCase,
  type ExtractionCase,
  type Groups,
  holdsGroups,
  type TruthCase,
} from "./understanding-cases.ts";

/** Hits out of a total. */
export interface Count {
  hits: number;
  of: number;
}

export interface ExtractionCounts {
  recall: Count;
  precision: Count;
  categories: Count;
  /** Forbidden phrases found in facts; a denial may quote one. */
  falseFacts: number;
  entities: Count;
  types: Count;
  entityPrecision: Count;
  dates: Count;
}

interface Understood {
  facts: { content: string; category: string }[];
  entities: { name: string; type: string }[];
}

/** Sends a request that must succeed. */
async function demand(service: Service, method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { body });
  if (answer.status < 300) return answer.body;
  throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Stores each text as a memory, and compares its facts, entities and dates with the case's expectations. */
export async function measureExtraction(service: Service, cases: ExtractionCase[]): Promise<ExtractionCounts> {
  const counts: ExtractionCounts = {
    recall: none(),
    precision: none(),
    categories: none(),
    falseFacts: 0,
    entities: none(),
    types: none(),
    entityPrecision: none(),
    dates: none(),
  };
  for (const expected of cases) {
    const { id, content, at, speaker } = expected;
    const metadata = speaker === null ? {} : { speaker };
    const body = { content, user_id: `extraction_${id}`, occurred_at: at, metadata };
    const found: Understood = (await demand(service, "POST", "/memories", body)).data;
    countFacts(counts, expected, found.facts);
    countEntities(counts, expected, found.entities);
    const told = [...found.facts.map((fact) => fact.content), ...found.entities.map(({ name }) => name)].join(" ");
    add(counts.dates, expected.dates, (date) => namesDate(told, date));
  }
  return counts;
}

function none(): Count {
  return { hits: 0, of: 0 };
}

function add<Item>(count: Count, items: Item[], isHit: (item: Item) => boolean): void {
  count.of += items.length;
  count.hits += items.filter(isHit).length;
}

function countFacts(counts: ExtractionCounts, { facts: gold, forbid }: ExtractionCase, facts: Understood["facts"]) {
  const saying = (groups: Groups) => facts.filter(({ content }) => holdsGroups(content, groups));
  add(counts.recall, gold, ({ all }) => saying(all).length > 0);
  add(counts.precision, facts, ({ content }) => gold.some(({ all }) => holdsGroups(content, all)));
  const categorized = gold.filter(({ all, cat }) => cat !== null && saying(all).length > 0);
  add(counts.categories, categorized, ({ all, cat }) => saying(all).some(({ category }) => category === cat));
  counts.falseFacts += forbid.filter((groups) => saying(groups).length > 0).length;
}

/** Minimum length of a name that may stand for a longer one. */
const MIN_PART = 3;

function countEntities(counts: ExtractionCounts, { entities: gold }: ExtractionCase, entities: Understood["entities"]) {
  const holds = (one: string, other: string) => one.toLowerCase().includes(other.toLowerCase());
  const called = (name: string) =>
    entities.filter((each) => holds(each.name, name) || (holds(name, each.name) && each.name.length >= MIN_PART));
  const found = gold.filter(([name]) => called(name).length > 0);
  add(counts.entities, gold, ([name]) => called(name).length > 0);
  add(counts.types, found, ([name, type]) => called(name).some((each) => each.type === type));
  const named = entities.filter(({ type }) => type !== "date");
  add(counts.entityPrecision, named, (each) => gold.some(([name]) => holds(each.name, name) || holds(name, each.name)));
}

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);

/** Whether a text names a date (`2027`, `2027-03`, `03-04` or `2027-03-04`) in ISO form or in English words. */
function namesDate(text: string, date: string): boolean {
  const [first = "", second = "", day] = date.split("-");
  const monthOf = (number: string) => MONTHS[Number(number) - 1] ?? "";
  let words = first;
  if (day !== undefined) words = `${Number(day)} ${monthOf(second)} ${first}`;
  else if (first.length === 4 && second !== "") words = `${monthOf(second)} ${first}`;
  else if (second !== "") words = `${Number(second)} ${monthOf(first)}`;
  return text.includes(date) || text.toLowerCase().includes(words.toLowerCase());
}

const POLL_MS = 100;
const DONE = ["completed", "succeeded", "failed"];

async function addMessage(service: Service, body: object): Promise<void> {
  const { event_id } = await demand(service, "POST", "/v3/memories/add", body);
  const isDone = async () => {
    const { status = "" } = await demand(service, "GET", `/events/${event_id}`);
    return DONE.includes(status.toLowerCase());
  };
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Measures what remains of statements added through POST /v3/memories/add: texts that left something, and facts. */
export async function measureLoss(
  service: Service,
  cases: ExtractionCase[],
): Promise<{ stored: Count; findable: Count }> {
  const [stored, findable] = [none(), none()];
  for (const { id, content, at, facts } of cases) {
    const user_id = `loss_${id}`;
    await addMessage(service, { messages: [{ role: "user", content }], user_id, timestamp: Date.parse(at) / 1000 });
    const { memories } = (await demand(service, "GET", `/memories?limit=50&user_id=${user_id}`)).data;
    const texts: string[] = memories.map((memory: { content: string }) => memory.content);
    if (facts.length > 0) add(stored, [texts], () => texts.length > 0);
    add(findable, facts, ({ all }) => texts.some((text) => holdsGroups(text, all)));
  }
  return { stored, findable };
}

/** Measures pairs of texts, the second stored with `skip_duplicates`: duplicates skipped, and different facts lost. */
export async function measureDuplicates(
  service: Service,
  cases: DuplicateCase[],
): Promise<{ found: Count; lost: Count }> {
  const [found, lost] = [none(), none()];
  for (const { id, a, b, same } of cases) {
    const user_id = `duplicates_${id}`;
    await demand(service, "POST", "/memories", { content: a, user_id });
    const body = { content: b, user_id, options: { skip_duplicates: true } };
    const { processing } = (await demand(service, "POST", "/memories", body)).data;
    add(same ? found : lost, [processing], () => processing?.status === "skipped");
  }
  return { found, lost };
}

/** Counts, for questions about something that changed, those whose first answer of the two is the valid one. */
export async function measureTruth(service: Service, cases: TruthCase[]): Promise<Count> {
  const count = none();
  for (const { id, say, ask, current, stale } of cases) {
    const user_id = `truth_${id}`;
    for (const [day, content] of say) {
      await demand(service, "POST", "/memories", { content, user_id, occurred_at: `${day}T09:00:00Z` });
    }
    for (const question of ask) {
      const body = { query: question, filters: { user_id }, options: { limit: 10, threshold: 0 } };
      const { results } = (await demand(service, "POST", "/search", body)).data;
      const texts: string[] = results.map((each: { content: string }) => each.content.toLowerCase());
      const first = texts.find((text) => text.includes(current) || (stale !== "" && text.includes(stale)));
      add(count, [question], () => first?.includes(current) === true);
    }
  }
  return count;
}
