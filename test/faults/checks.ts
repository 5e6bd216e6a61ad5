import { isDeepStrictEqual } from "node:util";
import type { WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { abridged, type House, look, wordOf } from "./lane.ts";

const PAGE = 100;
const HITS = 5;

/** Ids of requests in log lines: in any of them, and in those that say why the request failed. */
export interface LoggedRequests {
  told: ReadonlySet<string>;
  explained: ReadonlySet<string>;
}

/** Compares the data of the service, after all work is done, with what it acknowledged. */
export async function checkAll(house: House, receiver: WebhookReceiver, log: LoggedRequests): Promise<void> {
  const { record, ledger } = house;
  for (const [id, answer] of record.failed) {
    // A search timeout has no further cause to log. The cause of a probe is logged by the request that made it, and
    // /ready answers with it for another second.
    const isWithoutCause = answer.includes("SEARCH_TIMEOUT") || answer.startsWith("GET /ready");
    const isLogged = (isWithoutCause ? log.told : log.explained).has(id);
    if (!isLogged) record.violate("5xx without a log line", answer);
  }
  const mentions = await checkMemories(house);
  await checkTotals(house, mentions);
  for (const kind of ["session", "skill", "key", "source", "webhook"] as const) {
    for (const id of ledger.ids(kind)) await checkState(house, id);
  }
  await checkUnanswered(house);
  await checkKeys(house);
  await checkShares(house);
  await checkSide(house);
  await checkInvites(house);
  checkEvents(house, receiver);
}

async function checkState(house: House, id: string): Promise<void> {
  const known = house.ledger.state(id);
  const found = await look(house, id, known);
  if (isDeepStrictEqual(found, known)) return;
  house.record.violate("lost or doubled", `${id} is ${JSON.stringify(found)}, acknowledged ${JSON.stringify(known)}`);
}

/** Returns the entity ids of each existing memory. A memory whose creation was not acknowledged may exist at most once. */
async function checkMemories(house: House): Promise<Map<string, string[]>> {
  const { main, ledger, record } = house;
  const listed = await listAll<{ id: string; content: string }>(house, "/memories", "memories");
  const known = new Set(ledger.ids("memory"));
  for (const { id, content } of listed) {
    if (known.has(id)) continue;
    const told = abridged(content);
    if (!ledger.unanswered.memory.delete(told))
      record.violate("doubled", `${id} says '${told}', which was made already`);
    ledger.set(-1, id, { kind: "memory", versions: [told], links: [], isDeleted: false });
    ledger.occurred.push(`memory.created ${id}`);
  }
  const seen = new Map<string, string>();
  for (const id of ledger.ids("memory")) {
    const [first = ""] = ledger.get("memory", id).versions;
    if (ledger.once.has(first) && seen.has(first))
      record.violate("done twice under one key", `${id} and ${seen.get(first)}`);
    seen.set(first, id);
  }
  const mentions = new Map<string, string[]>();
  const places = new Set(listed.map(({ id }) => id));
  for (const id of ledger.ids("memory")) {
    await checkState(house, id);
    const { isDeleted, versions } = ledger.get("memory", id);
    if (places.has(id) === isDeleted) record.violate("list", `${id} is ${isDeleted ? "" : "not "}in the list`);
    const query = `q=${wordOf(versions.at(-1) ?? "")}&threshold=0&limit=${HITS}`;
    const { results } = await main.read(`/search?${query}`);
    const hit = results.find((each: { id: string }) => each.id === id);
    const found = hit && abridged(hit.content);
    const expected = isDeleted ? undefined : versions.at(-1);
    if (found !== expected) record.violate("search", `${id} is found as '${found}', not '${expected}'`);
    const memory = isDeleted ? undefined : await main.read(`/memories/${id}`);
    // A lost memory is already reported.
    if (memory === undefined) continue;
    const { entities, processing } = memory;
    if (processing.status === "queued") record.violate("left undone", `${id} is queued`);
    mentions.set(
      id,
      entities.map((each: { id: string }) => each.id),
    );
  }
  return mentions;
}

/** The list, the index and each entity must have the same counts as a recount. */
async function checkTotals({ main, record }: House, mentions: Map<string, string[]>): Promise<void> {
  const { pagination } = await main.read("/memories?limit=1");
  const { total_count } = await main.read("/memories/stats");
  const living = mentions.size;
  if (pagination.total !== living) record.violate("count", `the list counts ${pagination.total} of ${living} memories`);
  if (total_count !== living) record.violate("count", `the index counts ${total_count} of ${living} memories`);
  const mentioned = [...mentions.values()].flat();
  for (const id of new Set(mentioned)) {
    const entity = await main.read(`/entities/${id}`);
    const count = mentioned.filter((each) => each === id).length;
    if (entity?.memory_count !== count)
      record.violate("count", `${id} counts ${entity?.memory_count} of ${count} mentions`);
  }
}

/** Sessions and skills whose creation was not acknowledged exist at most once. Lists must count what they contain. */
async function checkUnanswered(house: House): Promise<void> {
  const { ledger, record } = house;
  const sessions = await listAll<{ id: string; title: string }>(house, "/sessions", "sessions");
  for (const { id, title } of sessions.filter((each) => !ledger.has(each.id))) {
    if (!ledger.unanswered.session.delete(title)) record.violate("doubled", `${id} '${title}'`);
    ledger.occurred.push(`session.created ${id}`);
  }
  const skills = await listAll<{ id: string; name: string }>(house, "/skills", "skills");
  for (const { id, name } of skills.filter((each) => !ledger.has(each.id))) {
    if (!ledger.unanswered.skill.delete(name)) record.violate("doubled", `${id} '${name}'`);
    ledger.occurred.push(`skill.created ${id}`);
  }
}

async function checkKeys({ main, ledger, record }: House): Promise<void> {
  for (const id of ledger.ids("key")) {
    const { secret, isRevoked } = ledger.get("key", id);
    const { status } = await main.send("look", "GET", "/memories?limit=1", { key: secret });
    if (status !== (isRevoked ? 401 : 200)) record.violate("key", `${id} answers ${status}, revoked: ${isRevoked}`);
  }
}

async function checkShares(house: House): Promise<void> {
  const { ledger, record } = house;
  for (const [agent, shares] of ledger.shares) {
    const listed = await listAll<{ id: string }>(house, `/agents/${agent}/memories`, "memories");
    const found = listed.map(({ id }) => id).sort();
    const expected = [...shares].filter((id) => !ledger.get("memory", id).isDeleted).sort();
    if (!isDeepStrictEqual(found, expected)) record.violate("shares", `${agent} has ${found}, not ${expected}`);
  }
}

/** Search finds existing sources and no deleted ones; a mem0 client's messages are stored once, or reported as failed. */
async function checkSide({ side, ledger, record }: House): Promise<void> {
  for (const id of ledger.ids("source")) {
    const { content, isDeleted } = ledger.get("source", id);
    const { results } = await side.read(`/search?q=${content}&threshold=0&limit=${HITS}`);
    const isFound = results.some((each: { content: string }) => wordOf(each.content) === content);
    if (isFound === isDeleted) record.violate("source", `${id} is ${isFound ? "" : "not "}found`);
  }
  for (const { id, subject } of ledger.events) {
    const { status } = await side.read(`/v1/event/${id}`);
    const { memories } = await side.read(`/memories?user_id=${subject}`);
    if (status === "SUCCEEDED" && memories.length === 0) record.violate("not remembered", `${id} of ${subject}`);
    const contents = memories.map((each: { content: string }) => each.content);
    if (new Set(contents).size < contents.length) record.violate("doubled", `${subject}: ${contents}`);
  }
}

async function checkInvites(house: House): Promise<void> {
  const invites = await listAll<{ email: string }>(house, "/admin/invites", "invites");
  const emails = invites.map(({ email }) => email);
  for (const email of house.ledger.invited) {
    if (!emails.includes(email)) house.record.violate("lost", `the invitation of ${email}`);
  }
}

/** Each event was delivered at least once, under one id and one delivery, as often as it occurred; no other event was. */
function checkEvents({ ledger, record }: House, { received }: WebhookReceiver): void {
  const told = new Map<string, Set<string>>();
  const deliveries = new Map<string, string>();
  for (const { body, headers } of received) {
    const { id, event, timestamp: _at, ...resource } = body;
    const [{ id: of = "", message_id = of } = {}] = Object.values(resource) as { id?: string; message_id?: string }[];
    const about = event === "session.message.created" ? resource.message?.session_id : (of ?? message_id);
    const name = `${event} ${about}`;
    told.set(name, (told.get(name) ?? new Set()).add(id));
    const delivery = String(headers["x-webhook-delivery"]);
    if ((deliveries.get(id) ?? delivery) !== delivery) record.violate("event delivered twice", `${name}: ${id}`);
    deliveries.set(id, delivery);
  }
  const occurred = Map.groupBy(ledger.occurred, (name) => name);
  for (const [name, all] of occurred) {
    const count = told.get(name)?.size ?? 0;
    if (count !== all.length) record.violate("events", `${name}: ${count} told of ${all.length}`);
  }
  for (const name of told.keys()) {
    if (!occurred.has(name)) record.violate("events", `${name}: told, and never happened`);
  }
}

async function listAll<T>({ main, record }: House, path: string, field: string): Promise<T[]> {
  const all: T[] = [];
  for (let hasNext = true; hasNext; ) {
    const page = await main.read(`${path}?limit=${PAGE}&offset=${all.length}`);
    all.push(...page[field]);
    hasNext = page.pagination.has_next;
    if (!hasNext && page.pagination.total !== all.length) {
      record.violate("count", `${path} counts ${page.pagination.total} of ${all.length}`);
    }
  }
  return all;
}
