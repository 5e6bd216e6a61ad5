import { isDeepStrictEqual } from "node:util";
import type { Client, Outcome, Record } from "./client.ts";
import type { Known, KnownMemory, Ledger } from "./ledger.ts";
import type { Chances } from "./seeded.ts";

/** Everything that lanes share. */
export interface House {
  record: Record;
  ledger: Ledger;
  /** An organization whose memories are exactly those of the ledger. */
  main: Client;
  /** Another organization, for sources and mem0 clients. */
  side: Client;
  operator: Client;
  entities: string[];
  webhookUrl: string;
}

const MESSAGES = 8;
/** Attempts with one Idempotency-Key before its outcome counts as unknown. */
const MAX_TRIES = 6;
/** Number of latest Idempotency-Keys that are used again; the service must still know them. */
const MAX_ASKED = 40;
const PAGE = 100;
const LONG_EVERY = 25;
const LONG_TEXT = " and so on".repeat(7_000);
const PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Barbara Liskov"];

/** Maximum length of a content that is kept whole; of a longer one, the beginning and the length are kept. */
const MAX_KEPT = 120;
export const abridged = (text: string): string =>
  text.length <= MAX_KEPT ? text : `${text.slice(0, MAX_KEPT)}… (${text.length})`;

/** The word with which search finds only this text. */
export const wordOf = (text: string): string => text.split(/[:\s]/, 1)[0] ?? "";

type Deed = (lane: Lane) => Promise<void>;

/** A client that runs one operation after the other on its own resources. */
export class Lane {
  readonly #house: House;
  readonly #chances: Chances;
  readonly #number: number;
  readonly #agent: string;
  /** Contents sent with an Idempotency-Key, with the id of the created memory if it is known. */
  readonly #asked = new Map<string, string | undefined>();
  #serial = 0;

  constructor(house: House, chances: Chances, number: number, agent: string) {
    this.#house = house;
    this.#chances = chances;
    this.#number = number;
    this.#agent = agent;
  }

  async act(): Promise<void> {
    await this.#chances.pick(DEEDS)(this);
  }

  // -------------------------------------------------------------- memories

  async storeMemory(): Promise<void> {
    const { main } = this.#house;
    const content = this.#text();
    const path = this.#chances.next() < 0.2 ? "/memories/process" : "/memories";
    const outcome = await main.change(`POST ${path}`, "POST", path, { content });
    this.#stored(content, "done" in outcome ? (outcome.done.memory?.id ?? outcome.done.id) : undefined);
  }

  async storeOnce(): Promise<void> {
    const content = this.#text();
    this.#house.ledger.once.add(abridged(content));
    let outcome: string | "open" | "again" = "again";
    for (let attempt = 0; attempt < MAX_TRIES && outcome === "again"; attempt++) outcome = await this.#askOnce(content);
    const id = outcome === "open" || outcome === "again" ? undefined : outcome;
    const [oldest] = this.#asked.keys();
    if (this.#asked.size >= MAX_ASKED && oldest !== undefined) this.#asked.delete(oldest);
    this.#asked.set(content, id);
    this.#stored(content, id);
  }

  /** Repeats a request with its Idempotency-Key minutes or hours later, which must not create a second memory. */
  async storeOnceAgain(): Promise<void> {
    if (this.#asked.size === 0) return this.storeOnce();
    const [content, id] = this.#chances.pick([...this.#asked]);
    const outcome = await this.#askOnce(content);
    if (outcome === "open" || outcome === "again" || outcome === id) return;
    const { record, ledger } = this.#house;
    if (id !== undefined) return record.violate("done twice under one key", `${id} and later ${outcome}`);
    ledger.unanswered.memory.delete(abridged(content));
    this.#asked.set(content, outcome);
    this.#stored(content, outcome);
  }

  /**
   * Returns the id of the memory, stored now or before; `open` if the service does not know the outcome, `again` after a fault.
   */
  async #askOnce(content: string): Promise<string | "open" | "again"> {
    const { status, body } = await this.#house.main.send("POST /memories once", "POST", "/memories", {
      body: { content },
      headers: { "idempotency-key": content.slice(0, MAX_KEPT) },
    });
    if (status === 201 || status === 200) return body.data.id;
    if (status === 409) return "open";
    if (status < 500) this.#house.record.violate("refused", `once: ${status} ${JSON.stringify(body)}`);
    return "again";
  }

  async storeBatch(): Promise<void> {
    const contents = Array.from({ length: 4 }, () => this.#text());
    const body = { memories: contents.map((content) => ({ content })) };
    const outcome = await this.#house.main.change("POST /memories/batch", "POST", "/memories/batch", body);
    const created = new Map<number, string>(
      "done" in outcome ? outcome.done.created.map(({ index, id }: { index: number; id: string }) => [index, id]) : [],
    );
    for (const [index, content] of contents.entries()) this.#stored(content, created.get(index));
  }

  #stored(content: string, id: string | undefined): void {
    const { ledger } = this.#house;
    if (id === undefined) ledger.unanswered.memory.add(abridged(content));
    else
      this.#begin(id, { kind: "memory", versions: [abridged(content)], links: [], isDeleted: false }, "memory.created");
  }

  async updateMemory(): Promise<void> {
    const [id] = this.#living(1);
    if (id === undefined) return this.storeMemory();
    const content = this.#text();
    const outcome = await this.#house.main.change("PUT /memories/{id}", "PUT", `/memories/${id}`, { content });
    await this.#moved(id, revised(content), outcome, "memory.updated");
  }

  async updateBatch(): Promise<void> {
    const updates = this.#living(3).map((id) => ({ id, content: this.#text() }));
    if (updates.length === 0) return this.storeBatch();
    const path = "/memories/batch-update";
    const outcome = await this.#house.main.change(`PUT ${path}`, "PUT", path, { updates });
    const done = idsOf("done" in outcome ? outcome.done.updated : []);
    for (const { id, content } of updates) {
      await this.#moved(id, revised(content), done.includes(id) ? { done } : { unknown: true }, "memory.updated");
    }
  }

  async restoreMemory(): Promise<void> {
    const { ledger, main } = this.#house;
    const [id] = this.#living(1);
    const first = id === undefined ? undefined : ledger.get("memory", id).versions[0];
    if (id === undefined || first === undefined) return this.storeMemory();
    const outcome = await main.change("POST /memories/{id}/restore", "POST", `/memories/${id}/restore`, { version: 1 });
    const restored = (state: KnownMemory) => ({ ...state, versions: [...state.versions, first] });
    await this.#moved(id, restored, outcome, "memory.restored");
  }

  async deleteMemory(): Promise<void> {
    const [id] = this.#living(1);
    if (id === undefined) return this.storeMemory();
    const outcome = await this.#house.main.change("DELETE /memories/{id}", "DELETE", `/memories/${id}`);
    await this.#moved(id, deleted, outcome, "memory.deleted");
  }

  async deleteBatch(): Promise<void> {
    const ids = this.#living(2);
    if (ids.length === 0) return this.storeBatch();
    const path = "/memories/batch-delete";
    const outcome = await this.#house.main.change(`DELETE ${path}`, "DELETE", path, { ids });
    const done: string[] = "done" in outcome ? outcome.done.deleted_ids : [];
    for (const id of ids) {
      await this.#moved(id, deleted, done.includes(id) ? { done } : { unknown: true }, "memory.deleted");
    }
  }

  async linkEntity(): Promise<void> {
    const { main, entities } = this.#house;
    const [id] = this.#living(1);
    if (id === undefined) return this.storeMemory();
    const entity = this.#chances.pick(entities);
    const path = `/memories/${id}/link/${entity}`;
    const outcome = await main.change("POST /memories/{id}/link", "POST", path, { relationship_type: "about" });
    const linked = (state: KnownMemory) => ({ ...state, links: [...new Set([...state.links, entity])].sort() });
    await this.#moved(id, linked, outcome);
  }

  async shareMemory(): Promise<void> {
    const { main, ledger, record } = this.#house;
    const [id] = this.#living(1);
    if (id === undefined) return this.storeMemory();
    const shares = ledger.shares.get(this.#agent) ?? new Set();
    const path = `/agents/${this.#agent}/memories`;
    const isShared = shares.has(id);
    // Both requests are idempotent, so they are repeated until an attempt is answered.
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const { status, body } = isShared
        ? await main.send("DELETE /agents/{id}/memories", "DELETE", `${path}/${id}`)
        : await main.send("POST /agents/{id}/memories", "POST", path, { body: { memory_id: id, access_type: "read" } });
      const isGoneBefore = isShared && attempt > 0 && status === 404;
      if (status >= 500) continue;
      if (status >= 300 && !isGoneBefore) record.violate("refused", `${path}: ${status} ${JSON.stringify(body)}`);
      if (isShared) shares.delete(id);
      else shares.add(id);
      ledger.shares.set(this.#agent, shares);
      return;
    }
    throw new Error(`${path} is answered by no try`);
  }

  async submitJob(): Promise<void> {
    const [id] = this.#living(1);
    if (id === undefined) return this.storeMemory();
    const path = "/compression/pipeline/submit";
    await this.#house.main.change(`POST ${path}`, "POST", path, { memory_id: id, priority: 1 });
  }

  // -------------------------------------------------------------- reading

  async search(): Promise<void> {
    const { main, record, ledger } = this.#house;
    const [id] = this.#living(1);
    const query = id === undefined ? "harvest" : wordOf(ledger.get("memory", id).versions.at(-1) ?? "harvest");
    const [path, method, body] = this.#chances.pick([
      [`/search?q=${query}`, "GET", undefined],
      ["/search", "POST", { query }],
      ["/search/advanced", "POST", { query, aggregation: { by_category: true } }],
      ["/search/hybrid", "POST", { query }],
      ["/search/enhanced", "POST", { query }],
    ] as const);
    const { status, body: answer } = await main.send(`${method} ${path.split("?")[0]}`, method, path, { body });
    // Activation has no starting point if nothing is stored or visible yet.
    if (answer?.error?.code === "INSUFFICIENT_RESULTS") return;
    if (status >= 400 && status < 500) record.violate("refused", `${method} ${path}: ${JSON.stringify(answer)}`);
  }

  async list(): Promise<void> {
    const { main, record } = this.#house;
    const path = this.#chances.pick([
      "/memories?limit=20",
      "/memories/stats",
      "/sessions?limit=20",
      "/skills?limit=20",
      "/api-keys",
      "/webhooks/delivery-logs?limit=20",
      "/webhooks/delivery-stats",
      "/entities?limit=20",
      "/search/stats",
      "/compression/pipeline/status",
      "/ready",
      "/status",
    ]);
    const { status, body } = await main.send(`GET ${path.split("?")[0]}`, "GET", path);
    if (status >= 400 && status < 500) record.violate("refused", `GET ${path}: ${JSON.stringify(body)}`);
  }

  async operate(): Promise<void> {
    const { operator, record } = this.#house;
    const [method, path, body] = this.#chances.pick([
      ["GET", "/admin/logs?limit=10", undefined],
      ["GET", "/admin/health", undefined],
      ["GET", "/admin/metrics", undefined],
      ["POST", "/admin/cleanup", { operations: ["temp_files"], dry_run: true }],
      ["POST", "/admin/sync", { components: ["memories"] }],
      ["POST", "/admin/backup", { components: ["config"] }],
    ] as const);
    const answer = await operator.send(`${method} ${path.split("?")[0]}`, method, path, { body });
    const { status } = answer;
    // Only one maintenance job can run at a time; another request gets a 409.
    if (status >= 400 && status < 500 && status !== 409)
      record.violate("refused", `${path}: ${JSON.stringify(answer.body)}`);
  }

  // -------------------------------------------------------------- sessions

  async openSession(): Promise<void> {
    const title = this.#text();
    // The ledger knows only memories that an answer named.
    const config = { memory: "off" };
    const body = { agent_id: "guide", user_id: `user${this.#number}`, title: title.slice(0, MAX_KEPT), config };
    const outcome = await this.#house.main.change("POST /sessions", "POST", "/sessions", body);
    if ("done" in outcome) {
      this.#begin(outcome.done.id, { kind: "session", messages: [], isClosed: false }, "session.created");
    } else this.#house.ledger.unanswered.session.add(body.title);
  }

  async addMessage(): Promise<void> {
    const id = this.#own("session", ({ isClosed, messages }) => !isClosed && messages.length < MESSAGES * 4);
    if (id === undefined) return this.openSession();
    const content = this.#text();
    const role = this.#chances.pick(["user", "assistant"]);
    const path = `/sessions/${id}/messages`;
    const outcome = await this.#house.main.change("POST /sessions/{id}/messages", "POST", path, { role, content });
    const added = (state: Known) => ({ ...state, messages: [...messagesOf(state), abridged(content)] }) as Known;
    await this.#moved(id, added, outcome, "session.message.created");
  }

  async closeSession(): Promise<void> {
    const id = this.#own("session", ({ isClosed, messages }) => !isClosed && messages.length >= MESSAGES);
    if (id === undefined) return this.addMessage();
    const outcome = await this.#house.main.change("DELETE /sessions/{id}", "DELETE", `/sessions/${id}`, {
      reason: "done",
    });
    await this.#moved(id, (state) => ({ ...state, isClosed: true }) as Known, outcome, "session.closed");
  }

  // -------------------------------------------------------------- skills

  async createSkill(): Promise<void> {
    const name = this.#text().slice(0, MAX_KEPT);
    const body = { name, trigger: "a guest asks for tea", action: name, domain: "house" };
    const outcome = await this.#house.main.change("POST /skills", "POST", "/skills", body);
    if ("done" in outcome) {
      this.#begin(outcome.done.id, { kind: "skill", action: name, uses: 0, isDeleted: false }, "skill.created");
    } else this.#house.ledger.unanswered.skill.add(name);
  }

  async changeSkill(): Promise<void> {
    const id = this.#own("skill", ({ isDeleted }) => !isDeleted);
    if (id === undefined) return this.createSkill();
    const { main } = this.#house;
    const chance = this.#chances.next();
    if (chance < 0.5) {
      const outcome = await main.change("POST /skills/{id}/use", "POST", `/skills/${id}/use`, { success: true });
      return this.#moved(id, (state) => ({ ...state, uses: usesOf(state) + 1 }) as Known, outcome);
    }
    if (chance < 0.85) {
      const action = this.#text().slice(0, MAX_KEPT);
      const outcome = await main.change("PUT /skills/{id}", "PUT", `/skills/${id}`, { action });
      return this.#moved(id, (state) => ({ ...state, action }) as Known, outcome, "skill.updated");
    }
    const outcome = await main.change("DELETE /skills/{id}", "DELETE", `/skills/${id}`);
    return this.#moved(id, deleted, outcome, "skill.deleted");
  }

  // -------------------------------------------------------------- keys, people, webhooks

  async changeKey(): Promise<void> {
    const { main } = this.#house;
    const id = this.#own("key", ({ isRevoked }) => !isRevoked);
    if (id === undefined || this.#chances.next() < 0.5) {
      const body = { name: this.#text().slice(0, 60), permissions: ["memory:read"] };
      const outcome = await main.change("POST /api-keys", "POST", "/api-keys", body);
      if ("done" in outcome) this.#begin(outcome.done.id, { kind: "key", secret: outcome.done.key, isRevoked: false });
      return;
    }
    const outcome = await main.change("DELETE /api-keys/{id}", "DELETE", `/api-keys/${id}`, {});
    await this.#moved(id, (state) => ({ ...state, isRevoked: true }) as Known, outcome);
  }

  async useKey(): Promise<void> {
    const { ledger, main } = this.#house;
    const id = this.#own("key", ({ isRevoked }) => !isRevoked);
    if (id === undefined) return this.changeKey();
    const { secret } = ledger.get("key", id);
    const { status } = await main.send("GET /memories by a key", "GET", "/memories?limit=1", { key: secret });
    if (status !== 200 && status < 500) this.#house.record.violate("key refused", `${id}: ${status}`);
  }

  async invite(): Promise<void> {
    const email = `${wordOf(this.#text())}@example.com`;
    const body = { email, name: "Guest", role: "viewer", permissions: [], send_email: true };
    const outcome = await this.#house.main.change("POST /admin/invites", "POST", "/admin/invites", body);
    if ("done" in outcome) this.#house.ledger.invited.push(email);
  }

  async changeWebhook(): Promise<void> {
    const { main, webhookUrl } = this.#house;
    const id = this.#own("webhook", ({ isDeleted }) => !isDeleted);
    if (id === undefined) {
      const name = this.#text().slice(0, 60);
      const body = { name, url: webhookUrl, events: ["agent.created"] };
      const outcome = await main.change("POST /webhooks", "POST", "/webhooks", body);
      if ("done" in outcome) this.#begin(outcome.done.id, { kind: "webhook", name, isDeleted: false });
      return;
    }
    if (this.#chances.next() < 0.6) {
      const name = this.#text().slice(0, 60);
      const outcome = await main.change("PUT /webhooks/{id}", "PUT", `/webhooks/${id}`, { name });
      return this.#moved(id, (state) => ({ ...state, name }) as Known, outcome);
    }
    const outcome = await main.change("DELETE /webhooks/{id}", "DELETE", `/webhooks/${id}`);
    await this.#moved(id, deleted, outcome);
  }

  // -------------------------------------------------------------- sources, mem0, texts

  async ingest(): Promise<void> {
    const { side } = this.#house;
    const id = this.#own("source", ({ isDeleted }) => !isDeleted);
    if (id !== undefined && this.#chances.next() < 0.3) {
      const outcome = await side.change("DELETE /sources/{id}", "DELETE", `/sources/${id}`);
      return this.#moved(id, deleted, outcome);
    }
    const content = this.#text();
    const body = { type: "text", content, title: wordOf(content), external_id: wordOf(content) };
    // The same content with the same name is ingested once, however often it is sent.
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const outcome = await side.change("POST /sources/ingest", "POST", "/sources/ingest", body);
      if (!("done" in outcome)) continue;
      return this.#begin(outcome.done.source_id, { kind: "source", content: wordOf(content), isDeleted: false });
    }
  }

  async remember(): Promise<void> {
    const { side, ledger } = this.#house;
    const content = this.#text().slice(0, 500);
    const subject = `subject-${wordOf(content)}`;
    const spoken = { messages: [{ role: "user", content: `My name is ${subject}. I live in Zurich and prefer tea.` }] };
    const given = this.#chances.next() < 0.5 ? { memory: content, infer: false } : spoken;
    const outcome = await side.change("POST /v3/memories/add", "POST", "/v3/memories/add", {
      ...given,
      user_id: subject,
    });
    if ("done" in outcome) ledger.events.push({ id: outcome.done.event_id, subject });
  }

  async compress(): Promise<void> {
    const { main, record } = this.#house;
    const path = this.#chances.pick(["/compression/process", "/compression/test"]);
    const { status, body } = await main.send(`POST ${path}`, "POST", path, {
      body: { content: this.#text().slice(0, 500) },
    });
    if (status >= 400 && status < 500) record.violate("refused", `${path}: ${JSON.stringify(body)}`);
  }

  // -------------------------------------------------------------- state

  #text(): string {
    const serial = ++this.#serial;
    const word = `lane${this.#number}serial${serial}`;
    const [one, other] = [this.#chances.pick(PEOPLE), this.#chances.pick(PEOPLE)];
    const tail = serial % LONG_EVERY === 0 ? LONG_TEXT : "";
    return `${word}: ${one} told ${other} about it in Zurich${tail}`;
  }

  #own<K extends Known["kind"]>(kind: K, filter: (state: Extract<Known, { kind: K }>) => boolean): string | undefined {
    const own = this.#house.ledger.ids(kind, filter, this.#number);
    return own.length === 0 ? undefined : this.#chances.pick(own);
  }

  /** Some of its own existing memories, each once. */
  #living(count: number): string[] {
    const own = this.#house.ledger.ids("memory", ({ isDeleted }) => !isDeleted, this.#number);
    return [...new Set(own.length === 0 ? [] : Array.from({ length: count }, () => this.#chances.pick(own)))];
  }

  #begin(id: string, state: Known, event?: string): void {
    this.#house.ledger.set(this.#number, id, state);
    if (event) this.#house.ledger.occurred.push(`${event} ${id}`);
  }

  /** Records a change. If its outcome is unknown, reads the resource, which must be in the state before or after the change. */
  async #moved<S extends Known>(
    id: string,
    change: (state: S) => Known,
    outcome: Outcome<unknown>,
    event?: string,
  ): Promise<void> {
    const { ledger, record } = this.#house;
    const before = ledger.state(id);
    const after = change(before as S);
    const isDone = "done" in outcome;
    const found = isDone ? after : await look(this.#house, id, before);
    const isBefore = isDeepStrictEqual(found, before);
    const isAfter = isDeepStrictEqual(found, after);
    if (!isBefore && !isAfter) {
      record.violate(
        "half done",
        `${id} is ${JSON.stringify(found)}, was ${JSON.stringify(before)}, to be ${JSON.stringify(after)}`,
      );
    }
    ledger.set(this.#number, id, found);
    if (event && isAfter && (isDone || !isBefore)) ledger.occurred.push(`${event} ${id}`);
  }
}

const deleted = (state: Known): Known => ({ ...state, isDeleted: true }) as Known;
const revised =
  (content: string) =>
  (state: KnownMemory): KnownMemory => ({
    ...state,
    versions: [...state.versions, abridged(content)],
  });
const messagesOf = (state: Known): string[] => (state.kind === "session" ? state.messages : []);
const usesOf = (state: Known): number => (state.kind === "skill" ? state.uses : 0);
const idsOf = (things: { id: string }[]): string[] => things.map(({ id }) => id);

/** Reads a resource from the service in the form of the ledger. */
export async function look({ main, side }: House, id: string, known: Known): Promise<Known> {
  switch (known.kind) {
    case "memory":
      return lookAtMemory(main, id, known);
    case "session": {
      const [session, { messages }] = [
        await main.read(`/sessions/${id}`),
        await main.read(`/sessions/${id}/messages?limit=200`),
      ];
      return { kind: "session", messages: inOrder(messages, session), isClosed: session.status === "closed" };
    }
    case "skill": {
      const skill = await main.read(`/skills/${id}`);
      if (!skill) return { ...known, isDeleted: true };
      return { kind: "skill", action: skill.action, uses: skill.usage_count, isDeleted: false };
    }
    case "key": {
      const { status } = await main.read(`/api-keys/${id}`);
      return { ...known, isRevoked: status === "revoked" };
    }
    case "source":
      return { ...known, isDeleted: (await side.read(`/sources/${id}`)) === undefined };
    case "webhook": {
      const webhook = await main.read(`/webhooks/${id}`);
      return webhook ? { ...known, name: webhook.name } : { ...known, isDeleted: true };
    }
  }
}

async function lookAtMemory(main: Client, id: string, known: KnownMemory): Promise<KnownMemory> {
  const memory = await main.read(`/memories/${id}`);
  const history = memory && (await main.read(`/memories/${id}/versions?limit=${PAGE}`));
  if (!memory || !history) return { ...known, isDeleted: true };
  const entities: { id: string; relationship_type?: string }[] = memory.entities;
  const links = entities.filter(({ relationship_type }) => relationship_type !== undefined);
  const versions: { version: number; content: string }[] = history.versions;
  const isWhole = memory.version === versions.length && versions.at(-1)?.content === memory.content;
  const contents = versions.map(({ content }) => abridged(content));
  return {
    kind: "memory",
    versions: isWhole ? contents : [...contents, "(torn)"],
    links: idsOf(links).sort(),
    isDeleted: false,
  };
}

/** The contents in order, with an additional entry if the session counts another number of messages. */
function inOrder(messages: { content: string }[], session: { message_count: number }): string[] {
  const contents = messages.map(({ content }) => abridged(content));
  return session.message_count === contents.length ? contents : [...contents, `(counted ${session.message_count})`];
}

/** Operations, repeated according to their frequency. */
const DEEDS: Deed[] = [
  ...Array<Deed>(10).fill((lane) => lane.storeMemory()),
  ...Array<Deed>(6).fill((lane) => lane.storeOnce()),
  ...Array<Deed>(3).fill((lane) => lane.storeOnceAgain()),
  ...Array<Deed>(4).fill((lane) => lane.storeBatch()),
  ...Array<Deed>(8).fill((lane) => lane.updateMemory()),
  ...Array<Deed>(3).fill((lane) => lane.updateBatch()),
  ...Array<Deed>(4).fill((lane) => lane.restoreMemory()),
  ...Array<Deed>(5).fill((lane) => lane.deleteMemory()),
  ...Array<Deed>(2).fill((lane) => lane.deleteBatch()),
  ...Array<Deed>(4).fill((lane) => lane.linkEntity()),
  ...Array<Deed>(4).fill((lane) => lane.shareMemory()),
  ...Array<Deed>(3).fill((lane) => lane.submitJob()),
  ...Array<Deed>(10).fill((lane) => lane.search()),
  ...Array<Deed>(8).fill((lane) => lane.list()),
  ...Array<Deed>(2).fill((lane) => lane.operate()),
  ...Array<Deed>(3).fill((lane) => lane.openSession()),
  ...Array<Deed>(14).fill((lane) => lane.addMessage()),
  ...Array<Deed>(2).fill((lane) => lane.closeSession()),
  ...Array<Deed>(2).fill((lane) => lane.createSkill()),
  ...Array<Deed>(6).fill((lane) => lane.changeSkill()),
  ...Array<Deed>(3).fill((lane) => lane.changeKey()),
  ...Array<Deed>(3).fill((lane) => lane.useKey()),
  ...Array<Deed>(1).fill((lane) => lane.invite()),
  ...Array<Deed>(2).fill((lane) => lane.changeWebhook()),
  ...Array<Deed>(3).fill((lane) => lane.ingest()),
  ...Array<Deed>(4).fill((lane) => lane.remember()),
  ...Array<Deed>(2).fill((lane) => lane.compress()),
];
