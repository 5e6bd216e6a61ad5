import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../shared/kernel/durations.ts";
import { MAINTENANCE_QUEUE } from "../../shared/ports/queues.ts";
import { expectEventually } from "../contract/eventually.ts";
import {
  type ChatCompletionsServer,
  type ChatRequest,
  startChatCompletions,
  type Turn,
} from "../fixtures/chat-completions-server.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";

const RUN_MS = 120_000;
const FOLDER = new URL("../fixtures/", import.meta.url);
const PEOPLE = { callum: "test-callum", henrike: "development-henrike" } as const;
type Person = keyof typeof PEOPLE;
const USER = "somebody";

/** What a model says: whether it is true, and the days and quotes that it gives as evidence. */
interface Scripted {
  isTrue: boolean;
  text: string;
  evidence: { day: string; quote: string }[];
}

let model: ChatCompletionsServer | undefined;
let service: LocalService;
let key: string;
let org: string;
let ahead = 0;

afterEach(async () => {
  await service.close();
  await model?.close();
  model = undefined;
  ahead = 0;
});

function scripted(person: Person, style: "capable" | "sloppy"): Scripted[] {
  const text = readFileSync(new URL(`observations/${person}.txt`, FOLDER), "utf8");
  const [, own = ""] = new RegExp(`^# ${style}\n([^#]*)`, "m").exec(text) ?? [];
  return own
    .trim()
    .split("\n")
    .map((line) => {
      const [said = "", ...quotes] = line.slice(2).split(" | ");
      const evidence = quotes.map((each) => ({ day: each.slice(0, 10), quote: each.slice(11) }));
      return { isTrue: line.startsWith("+"), text: said, evidence };
    });
}

/** The messages of a prompt, as `number, day, text`. */
function shownIn({ messages }: ChatRequest["body"]) {
  const lines = messages[1]?.content.matchAll(/^(\d+)\. \((\S+)\) (.*)$/gm) ?? [];
  return [...lines].map(([, number, day, text]) => ({ number: Number(number), day, text }));
}

/** A model that gives the scripted observations with the right numbers. */
function capable(observations: Scripted[]) {
  return (body: ChatRequest["body"]): Turn => {
    const shown = shownIn(body);
    const numberOf = (day: string) => shown.find((each) => each.day === day)?.number ?? 0;
    const said = observations.map(({ text, evidence }) => {
      return { text, confidence: 0.9, evidence: evidence.map(({ day, quote }) => ({ message: numberOf(day), quote })) };
    });
    return { says: JSON.stringify({ observations: said }) };
  };
}

/** A model that miscounts, chats around its JSON and leaves a comma too many. */
function sloppy(observations: Scripted[]) {
  const answer = capable(observations);
  return (body: ChatRequest["body"]): Turn => {
    const { says } = answer(body) as { says: string };
    const miscounted = says.replace(/"message":(\d+)/g, (_, number) => `"message":${Number(number) + 1}`);
    return { says: `Here you go!\n\`\`\`json\n${miscounted.slice(0, -2)},]}\n\`\`\`\nAnything else?` };
  };
}

async function open(...turns: (Turn | ((body: ChatRequest["body"]) => Turn))[]): Promise<void> {
  model = await startChatCompletions(...turns);
  const environment = {
    LANGUAGE_MODEL: "openai",
    LANGUAGE_MODEL_WHEN: "unsure",
    OPENAI_BASE_URL: model.baseUrl,
    FACT_READER: "rules",
  };
  service = await openService(environment, () => Date.now() + ahead);
  ({ key, org } = await createOrganization(service));
}

async function ask(method: string, url: string, body?: object) {
  const answer = await service.request(method, url, { key, body });
  expect(answer.status, `${method} ${url}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body.data ?? answer.body;
}

async function store(content: string, day: string, metadata: object = {}): Promise<string> {
  return (await ask("POST", "/memories", { content, user_id: USER, occurred_at: `${day}T09:00:00Z`, metadata })).id;
}

/** Stores a person's year; returns the ids of the memories by day. */
async function storeYear(person: Person): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const text = readFileSync(new URL(`patterns/${PEOPLE[person]}.txt`, FOLDER), "utf8");
  for (const turn of text.split(/^(?=\d{4}-\d\d-\d\d )/m).slice(1)) {
    const [, day = "", role = "", content = ""] = /^(\S+) (\S+) (.*)$/s.exec(turn.trim()) ?? [];
    const id = await store(content, day, role === "user" ? {} : { role });
    if (role === "user") ids.set(day, id);
  }
  return ids;
}

/** Lets the service find patterns after some time. */
async function wait(ms: number): Promise<void> {
  await service.runtime.drainChangeFeed();
  ahead += ms;
  await service.runtime.ports.queue.send(MAINTENANCE_QUEUE, [{ body: { org, job: "job_none" } }]);
}

interface Observation {
  id: string;
  text: string;
  days: number;
  confidence: number;
  evidence: { memory_id: string; quote: string }[];
}

const list = async (query = "") =>
  ask("GET", `/patterns?user_id=${USER}&type=observation&limit=100${query}`) as Promise<{
    patterns: Observation[];
    observed?: Record<string, unknown>;
  }>;
const texts = async (query = "") => (await list(query)).patterns.map(({ text }) => text).sort();
const trueOf = (said: Scripted[]) =>
  said
    .filter(({ isTrue }) => isTrue)
    .map(({ text }) => text)
    .sort();

it.each<[Person, "capable" | "sloppy"]>([
  ["callum", "capable"],
  ["callum", "sloppy"],
  ["henrike", "capable"],
  ["henrike", "sloppy"],
])(
  "keeps what %s's memories show, of a %s model, and its cost",
  async (person, style) => {
    const said = scripted(person, style);
    await open(style === "capable" ? capable(said) : sloppy(said));
    const ids = await storeYear(person);
    await wait(11 * MINUTE_MS);
    await expectEventually(() => texts(), trueOf(said));
    const { patterns, observed } = await list();
    const kept = patterns.length;
    expect(observed).toMatchObject({
      kept,
      dropped: said.length - kept,
      input_tokens: 100,
      output_tokens: 20,
      model: "gpt-4o-mini",
    });
    for (const { text, evidence, confidence } of patterns) {
      const given = said.find((each) => each.text === text)?.evidence ?? [];
      expect(evidence.map(({ memory_id }) => memory_id)).toEqual(given.map(({ day }) => ids.get(day)));
      expect(confidence).toBeLessThanOrEqual(0.9);
    }
    const [request] = model?.requests ?? [];
    const prompt = JSON.stringify(request?.body.messages[1]);
    // Neither the assistant's words nor those of others reach the model.
    for (const strange of ["Madrid", "Oslo", "Kreuzkümmel", "You could go to 420"])
      expect(prompt).not.toContain(strange);
  },
  RUN_MS,
);

it(
  "asks once a day, lets go of what loses a memory, and brings back nothing that was declined",
  async () => {
    const said = scripted("callum", "capable");
    await open(capable(said));
    const ids = await storeYear("callum");
    await wait(11 * MINUTE_MS);
    await expectEventually(() => texts(), trueOf(said));
    const [pressure, swims] = ["blood pressure", "swims"].map((word) =>
      said.findIndex(({ text }) => text.includes(word)),
    );
    const find = async (index = -1) => (await list()).patterns.find(({ text }) => text === said[index]?.text);

    const recalled = await ask("POST", "/recall", {
      query: "How has my blood pressure come along?",
      user_id: USER,
      max_tokens: 2000,
    });
    expect(JSON.stringify(recalled.derived)).toContain("come down with tablets");
    // What was observed is not read when a client stores it.
    const copy = await ask("POST", "/memories", { content: recalled.context, user_id: USER });
    expect(copy.facts).toEqual([]);
    await ask("DELETE", `/memories/${copy.id}`);

    const declined = await find(swims);
    expect(await ask("POST", `/patterns/${declined?.id}/decline`)).toMatchObject({
      type: "observation",
      status: "declined",
    });
    await ask("DELETE", `/memories/${ids.get("2025-12-01")}`);
    // Hidden at once, and its words are gone from storage within minutes, without asking the model again.
    expect(await find(pressure)).toBeUndefined();
    await wait(2 * MINUTE_MS);
    const stored = () => service.runtime.ports.records.query({ pk: `${org}#patterns#${USER}`, limit: 200 });
    await expectEventually(async () => JSON.stringify(await stored()).includes("come down with tablets"), false);
    expect(model?.requests).toHaveLength(1);

    const again = "Swimming is a steady part of the user's weeks.";
    model?.say(
      JSON.parse(
        JSON.stringify(capable([{ ...(said[swims ?? 0] as Scripted), text: again }])(model.requests[0]?.body as never)),
      ),
    );
    await store("Swam 72 lengths, new year.", "2026-01-07");
    await wait(DAY_MS + 11 * MINUTE_MS);
    // A day later the prompt lists the declined observation, and the model answers with a paraphrase of it.
    await expectEventually(async () => (await list()).observed?.dropped, 1);
    expect(model?.requests[1]?.body.messages[1]?.content).toContain(
      `do not state them in other words:\n- ${said[swims ?? 0]?.text}`,
    );
    expect(await texts()).toEqual([]);
    expect(await ask("POST", `/patterns/${declined?.id}/restore`)).toMatchObject({ status: "active" });
    expect(await texts()).toEqual([said[swims ?? 0]?.text]);
  },
  RUN_MS,
);

it(
  "keeps the earlier observations while the model fails, and asks it no more often",
  async () => {
    const said = scripted("callum", "capable");
    await open(capable(said));
    await storeYear("callum");
    await wait(11 * MINUTE_MS);
    await expectEventually(() => texts(), trueOf(said));
    model?.say({ status: 400 });
    await store("Swam 72 lengths, new year.", "2026-01-07");
    await wait(DAY_MS + 11 * MINUTE_MS);
    await expectEventually(async () => typeof (await list()).observed?.failure, "string");
    expect(await texts()).toEqual(trueOf(said));
    const asked = model?.requests.length;
    await store("Swam 74 lengths.", "2026-01-14");
    await wait(11 * MINUTE_MS);
    await expectEventually(
      async () => (await ask("GET", `/patterns?user_id=${USER}&type=count`)).patterns.length > 0,
      true,
    );
    expect(model?.requests).toHaveLength(asked ?? 0);
  },
  RUN_MS,
);
