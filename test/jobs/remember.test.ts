import { afterAll, beforeAll, expect, it } from "vitest";
import { CreateSession } from "../../functions/sessions/schemas.ts";
import { createSession } from "../../functions/sessions/service.ts";
import { type CompatEvent, getEvent } from "../../shared/domain/integration/compat/events.ts";
import { deleteByNames, submitDeletion } from "../../shared/domain/integration/compat/forget.ts";
import { rememberConversation } from "../../shared/domain/integration/compat/remember.ts";
import { listResults } from "../../shared/domain/integration/compat/results.ts";
import { PART_LENGTH } from "../../shared/domain/memory/conversation.ts";
import { listMemories } from "../../shared/domain/memory/memory-lists.ts";
import { findMemories } from "../../shared/domain/memory/records.ts";
import { addMessage } from "../../shared/domain/sessions/append.ts";
import { endSession } from "../../shared/domain/sessions/extraction-jobs.ts";
import { rememberSession } from "../../shared/domain/sessions/remember.ts";
import { type Reading, readingTask } from "../../shared/language/statements/tasks.ts";
import type { LanguageModel } from "../../shared/ports/language-model.ts";
import type { Context, Runtime } from "../../shared/runtime/context.ts";
import { findJob } from "../../shared/runtime/jobs/records.ts";
import { runJob } from "../../shared/runtime/jobs/run.ts";
import { BLANK_DOCUMENT } from "../fixtures/blank-document.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { submitConversation } from "./scenarios/remember.ts";

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** A context whose queue goes nowhere, so that the tests alone deliver what it is told; and what that was. */
async function setUp() {
  const { org } = await createOrganization(service);
  const sent: { body: unknown }[] = [];
  const { ports } = service.runtime;
  const runtime = {
    ...service.runtime,
    ports: {
      ...ports,
      queue: {
        ...ports.queue,
        send: async (_queue: string, messages: { body: unknown }[]) => void sent.push(...messages),
      },
    },
  };
  const principal = { kind: "api_key", id: "ak_test", org, operator: false, plan: "free", permissions: [] } as const;
  const ctx: Context = { ...runtime, org, viewer: undefined, principal };
  const contents = async () => {
    const order = { field: "created_at", descending: false } as const;
    const { memories } = await listMemories({ ...ctx, ports }, {}, order, { limit: 500, offset: 0 });
    return memories.map(({ content }) => content).sort();
  };
  return { ctx, runtime, sent, contents };
}

const conversation = {
  messages: [
    { role: "user", content: "I work as a nurse in Boston.\nI love hiking in the Alps.\nI am allergic to nuts." },
  ],
  draft: { user_id: "ann" },
};
/** Turns that last until all is done, and such that end with their first step. */
const WHOLE = 60_000;
const ONE_STEP = -1;

function processJob(runtime: Runtime, { org, id }: CompatEvent, turnMs: number) {
  return runJob(runtime, [rememberConversation, deleteByNames], { org, job: id }, turnMs);
}

it("reads all of a conversation, however much it tells", async () => {
  const { ctx, runtime } = await setUp();
  const towns = Array.from(
    { length: 120 },
    (_, number) =>
      `${"BCDFGHKLMNPR"[number % 12]}el${"abdegiknor"[number % 10]}mor${"aeio"[number % 4]}${"stn"[number % 3]}${number < 60 ? "" : "by"}`,
  );
  const messages = towns.map((town) => ({
    role: "user",
    content: `I lived in ${town} near the river, in an old mill that my uncle owned.`,
  }));
  const event = await submitConversation(ctx, { ...conversation, messages });
  await processJob(runtime, event, WHOLE);
  const added = await addedBy(ctx, event);
  expect(new Set(towns).size).toBe(120);
  for (const town of towns) expect(added.filter((memory) => memory.includes(`${town} `))).toHaveLength(1);
}, 60_000);

/** The contents of what an event's results say was added. */
async function addedBy(ctx: Context, { id }: CompatEvent): Promise<string[]> {
  const results = await listResults(ctx.ports.records, await getEvent(ctx, id));
  const added = results.filter(({ event: what }) => what === "ADD");
  return (await findMemories(ctx, [...new Set(added.map((result) => result.id))])).map(({ content }) => content);
}

it("calls no deletion complete that finds what it cannot delete, and more", async () => {
  const { ctx, runtime } = await setUp();
  const event = await submitDeletion(ctx, { agent_id: "helper" });
  const gone = Array.from({ length: 500 }, () => ({ ...BLANK_DOCUMENT, org: ctx.org, id: ctx.ids("memory") }));
  const search = { ...ctx.ports.search, browse: async () => ({ documents: gone, total: 501 }) };
  const lagging = {
    ...runtime,
    ports: { ...runtime.ports, search },
    logger: { ...runtime.logger, error: () => {} },
  };
  await processJob(lagging, event, WHOLE);
  expect(await findJob(ctx.ports.records, ctx.org, event.id)).toMatchObject({
    state: "queued",
    error: expect.stringContaining("and there are more"),
  });
  expect((await getEvent(ctx, event.id)).status).toBe("RUNNING");
});

// ---------------------------------------------------------------- long conversations

const TOWNS = ["Boston", "Lisbon", "Vienna", "Oslo", "Prague"];
/** Each message is long enough to be read on its own. */
const long = {
  ...conversation,
  messages: TOWNS.map((town) => ({ role: "user", content: `I lived in ${town} near the river.${" ".repeat(2500)}` })),
};

/** The runtime with models that note which parts they read; a statement of a part is read again by itself, stripped. */
function watching<H extends Runtime>(runtime: H) {
  const read: string[] = [];
  const { models } = runtime.ports;
  const open: typeof models.open = async (choice) => {
    const model = await models.open(choice);
    const run: LanguageModel["run"] = async (task, input, limits) => {
      const { passage, attempt } = input as Partial<Reading>;
      const first = passage?.sentences[0]?.message.text ?? "";
      const town = TOWNS.find((each) => first.startsWith(`I lived in ${each}`) && first.length > PART_LENGTH);
      if (task.name === readingTask.name && town !== undefined && attempt === 1) read.push(town);
      return model.run(task, input, limits);
    };
    return { run };
  };
  return { read, runtime: { ...runtime, ports: { ...runtime.ports, models: { ...models, open } } } };
}

it("reads each part of a conversation once in any number of turns", async () => {
  const { ctx, runtime, sent, contents } = await setUp();
  const { read, runtime: watched } = watching(runtime);
  const event = await submitConversation(ctx, long);
  let turns = 0;
  for (; (await getEvent(ctx, event.id)).status !== "COMPLETED" && turns < 20; turns++) {
    expect(sent, "a message a turn").toHaveLength(turns + 1);
    await processJob(watched, event, ONE_STEP);
  }
  expect(turns).toBeGreaterThan(TOWNS.length);
  expect(read).toEqual(TOWNS);
  expect(await contents()).toEqual((await addedBy(ctx, event)).sort());
  for (const town of TOWNS) expect((await contents()).filter((content) => content.includes(town))).toHaveLength(1);
});

it("stores what was found first where who found it was cut off, and nothing that another reading finds", async () => {
  const { ctx, runtime, contents } = await setUp();
  const event = await submitConversation(ctx, conversation);
  const facts = ["Ann is a nurse.", "Ann hikes."];
  const telling = (contents: string[]) => {
    const run = async () => ({
      value: { facts: contents.map((content) => ({ content, category: "other", confidence: 1 })), entities: [] },
      ...{
        provider: "built_in",
        model: "rules",
        fallback: false,
        usage: { inputTokens: 0, outputTokens: 0 },
        calls: 0,
      },
    });
    const models = { ...runtime.ports.models, open: async () => ({ run: run as never }) };
    return { ...runtime, ports: { ...runtime.ports, models } };
  };
  await processJob(telling(facts), event, ONE_STEP);
  await processJob(telling(["Ann works as a nurse.", "She walks in the hills."]), event, WHOLE);
  const untold = ["I am allergic to nuts.", "I love hiking in the Alps.", "I work as a nurse in Boston."];
  expect(await contents()).toEqual([...facts, ...untold].toSorted());
});

// ---------------------------------------------------------------- sessions that end

it("asks a model once about the messages of a session that ends, with the speaker and the time of each", async () => {
  const { ctx, runtime, sent } = await setUp();
  const begun = { agent_id: "guide", user_id: "ann", config: { memory: "on_close" } };
  const { id } = await createSession(ctx, CreateSession.parse(begun));
  const at = (minute: number) => `2025-05-04T10:${minute}:00.000Z`;
  const names = ["Boston", "Lisbon", "Vienna", "Oslo", "Prague", "Turin"];
  for (const [index, name] of names.entries()) {
    const role = index % 2 === 0 ? ("user" as const) : ("assistant" as const);
    const content = `I have worked in ${name} as a harbour pilot.`;
    await addMessage(ctx, id, { role, content, metadata: {}, occurred_at: at(10 + index) });
  }
  await addMessage(ctx, id, {
    role: "user",
    content: "I moved to Graz.",
    metadata: {},
    occurred_at: at(10).replace("05-04", "05-09"),
  });
  let asked = 0;
  const { models } = runtime.ports;
  const open: typeof models.open = async (choice) => {
    const model = await models.open(choice);
    const run: LanguageModel["run"] = (task, input, limits) => {
      const { passage } = input as Partial<Reading>;
      if (task.name === readingTask.name && passage?.sentences[0]?.said_by) asked++;
      return model.run(task, input, limits);
    };
    return { run };
  };
  await endSession(ctx, id, () => ({ status: "closed", closed_at: at(59) }));
  const last: unknown = sent.at(-1)?.body;
  const { job } = last as { job: string };
  await runJob(
    { ...runtime, ports: { ...runtime.ports, models: { ...models, open } } },
    [rememberSession],
    { org: ctx.org, job },
    WHOLE,
  );
  const order = { field: "created_at", descending: false } as const;
  const { memories } = await listMemories(ctx, {}, order, { limit: 100, offset: 0 });
  const told = names.map((name) => memories.find(({ content }) => content.includes(name)));
  expect(told.map((memory) => memory?.metadata.role)).toEqual(
    names.map((_, index) => (index % 2 ? "assistant" : undefined)),
  );
  expect(told.map((memory) => Date.parse(memory?.occurred_at ?? ""))).toEqual(
    names.map((_, index) => Date.parse(at(10 + index))),
  );
  expect(memories.filter(({ content }) => content.includes("Graz"))).toHaveLength(1);
  // The messages of one hour, and the one of another day.
  expect(asked).toBe(2);
});
