import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type CompatEvent, findEvent, getEvent, insertEvent, newEvent } from "../../../shared/compat/events.ts";
import { resumeOverdueEvents } from "../../../shared/compat/overdue.ts";
import { isRequested, submit } from "../../../shared/compat/requests.ts";
import { listResults } from "../../../shared/compat/results.ts";
import { MAX_ATTEMPTS, workOn } from "../../../shared/compat/work.ts";
import { type Reading, readingTask } from "../../../shared/memory/extraction/tasks.ts";
import { findMemories, listMemories } from "../../../shared/memory/records.ts";
import type { Context, Home } from "../../../shared/platform/context.ts";
import type { LanguageModel } from "../../../shared/platform/ports.ts";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { createOrganization, type LocalService, openService } from "../../../test/support/service.ts";

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** A context whose queue goes nowhere, so that the tests alone deliver what it is told; and what that was. */
async function setUp(fault?: { until: number }) {
  const { org } = await createOrganization(service);
  const sent: { body: unknown }[] = [];
  let writes = 0;
  const { ports } = service.home;
  const home = {
    ...service.home,
    ports: {
      ...ports,
      queue: {
        ...ports.queue,
        send: async (_queue: string, messages: { body: unknown }[]) => void sent.push(...messages),
      },
      records: new Proxy(ports.records, {
        get(target, name) {
          if (name !== "write") return Reflect.get(target, name).bind(target);
          return async (...all: Parameters<typeof target.write>) => {
            if (fault && ++writes > fault.until) throw new Error("the store is away");
            return target.write(...all);
          };
        },
      }),
    },
  };
  const principal = { kind: "api_key", id: "ak_test", org, operator: false, plan: "free", permissions: [] } as const;
  const ctx: Context = { ...home, org, viewer: undefined, principal };
  const contents = async () => {
    const order = { field: "created_at", descending: false } as const;
    const { memories } = await listMemories({ ...ctx, ports }, {}, order, { limit: 500, offset: 0 });
    return memories.map(({ content }) => content).sort();
  };
  return { ctx, home, sent, contents };
}

const conversation = {
  messages: [
    { role: "user", content: "I work as a nurse in Boston. I love hiking in the Alps. I am allergic to nuts." },
  ],
  draft: { user_id: "ann" },
};
/** Turns that last until all is done, and such that end with their first step. */
const WHOLE = 60_000;
const ONE_STEP = -1;
const messageOf = ({ org, id }: CompatEvent) => ({ org, event_id: id });

it("remembers once what is delivered again and again, at once and after its end", async () => {
  const { ctx, home, contents } = await setUp();
  const event = await submit(ctx, "memory.add", { remember: conversation });
  await Promise.all([1, 2, 3].map(() => workOn(home, messageOf(event), WHOLE)));
  await workOn(home, messageOf(event), WHOLE);
  const found = await contents();
  expect(found.length).toBeGreaterThan(1);
  expect(new Set(found).size).toBe(found.length);
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "COMPLETED", finished_at: expect.any(String) });
  expect(await isRequested(ctx.ports.records, ctx.org, event.id)).toBe(false);
});

it("reads all of a conversation, however much it tells", async () => {
  const { ctx, home } = await setUp();
  const towns = Array.from(
    { length: 120 },
    (_, number) =>
      `${"BCDFGHKLMNPR"[number % 12]}el${"abdegiknor"[number % 10]}mor${"aeio"[number % 4]}${"stn"[number % 3]}${number < 60 ? "" : "by"}`,
  );
  const messages = towns.map((town) => ({
    role: "user",
    content: `I lived in ${town} near the river, in an old mill that my uncle owned.`,
  }));
  const event = await submit(ctx, "memory.add", { remember: { ...conversation, messages } });
  await workOn(home, messageOf(event), WHOLE);
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

it("goes on where it was cut off, whichever write was the last", async () => {
  const whole = await setUp();
  await workOn(whole.home, messageOf(await submit(whole.ctx, "memory.add", { remember: conversation })), WHOLE);
  const expected = await whole.contents();
  for (let until = 1; until < expected.length + 4; until++) {
    const { ctx, home, contents } = await setUp({ until });
    const event = await submit(ctx, "memory.add", { remember: conversation });
    await workOn(home, messageOf(event), WHOLE).catch(() => undefined);
    await workOn(service.home, messageOf(event), WHOLE);
    expect(await contents(), `after ${until} writes`).toEqual(expected);
    expect(await findEvent(ctx, event.id)).toMatchObject({ status: "COMPLETED" });
  }
});

it("says that it failed when it was tried often enough, and is then left alone", async () => {
  const { ctx, home } = await setUp();
  const event = await submit(ctx, "memory.add", { remember: conversation });
  const broken = {
    ...home,
    ports: { ...home.ports, models: { ...home.ports.models, open: () => Promise.reject(new Error("no model")) } },
  };
  const quiet = { ...broken, logger: { ...home.logger, error: () => {} } };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    expect(await findEvent(ctx, event.id)).toMatchObject({ status: attempt === 1 ? "PENDING" : "RUNNING" });
    await expect(workOn(quiet, messageOf(event), WHOLE)).rejects.toThrow("no model");
  }
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "FAILED", errors: [{ code: "INTERNAL_ERROR" }] });
  expect(await isRequested(ctx.ports.records, ctx.org, event.id)).toBe(false);
  await workOn(home, messageOf(event), WHOLE);
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "FAILED" });
});

it("calls no deletion complete that finds what it cannot delete, and more", async () => {
  const { ctx, home } = await setUp();
  const event = await submit(ctx, "memory.delete", { delete: { agent_id: "helper" } });
  const gone = Array.from({ length: 500 }, () => ({ ...BLANK_DOCUMENT, org: ctx.org, id: ctx.ids("memory") }));
  const search = { ...ctx.ports.search, browse: async () => ({ documents: gone, total: 501 }) };
  const lagging = {
    ...home,
    ports: { ...home.ports, search },
    logger: { ...home.logger, error: () => {} },
  };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    expect(await findEvent(ctx, event.id)).toMatchObject({ status: attempt === 1 ? "PENDING" : "RUNNING" });
    await expect(workOn(lagging, messageOf(event), WHOLE)).rejects.toThrow("and there are more");
  }
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "FAILED" });
});

it("is announced again by the sweep when its message was lost", async () => {
  const { ctx, home, sent } = await setUp();
  const event = await submit(ctx, "memory.add", { remember: conversation });
  expect(sent).toHaveLength(1);
  expect(await resumeOverdueEvents({ ...home, clock: () => service.home.clock() + 11 * 60_000 })).toBeGreaterThan(0);
  expect(sent).toContainEqual({ body: messageOf(event), delaySeconds: 0 });
  expect(await resumeOverdueEvents(home)).toBe(0);
});

// ---------------------------------------------------------------- long conversations

const TOWNS = ["Boston", "Lisbon", "Vienna", "Oslo", "Prague"];
/** Each message is long enough to be read on its own. */
const long = {
  ...conversation,
  messages: TOWNS.map((town) => ({ role: "user", content: `I lived in ${town} near the river.${" ".repeat(2500)}` })),
};

/** The home whose models are told of each part before they read it, and may let it wait for ever, and what they read. */
function watching<H extends Home>(home: H, onRead: (town: string) => unknown = () => undefined) {
  const read: string[] = [];
  const { models } = home.ports;
  const open: typeof models.open = async (choice) => {
    const model = await models.open(choice);
    const run: LanguageModel["run"] = async (task, input, limits) => {
      const { passage, attempt } = input as Partial<Reading>;
      const first = passage?.sentences[0]?.text ?? "";
      const town = TOWNS.find((each) => first.startsWith(`I lived in ${each}`));
      if (task.name === readingTask.name && town !== undefined && attempt === 1) {
        read.push(town);
        await onRead(town);
      }
      return model.run(task, input, limits);
    };
    return { run };
  };
  return { read, home: { ...home, ports: { ...home.ports, models: { ...models, open } } } };
}

it("reads each part of a conversation once, however many turns it takes", async () => {
  const { ctx, home, sent, contents } = await setUp();
  const { read, home: watched } = watching(home);
  const event = await submit(ctx, "memory.add", { remember: long });
  let turns = 0;
  for (; (await getEvent(ctx, event.id)).status !== "COMPLETED" && turns < 20; turns++) {
    expect(sent, "a message a turn").toHaveLength(turns + 1);
    await workOn(watched, messageOf(event), ONE_STEP);
  }
  expect(turns).toBeGreaterThan(TOWNS.length);
  expect(read).toEqual(TOWNS);
  expect(await contents()).toEqual((await addedBy(ctx, event)).sort());
  for (const town of TOWNS) expect((await contents()).filter((content) => content.includes(town))).toHaveLength(1);
});

it("stores what was found first where who found it was cut off, and nothing that another reading finds", async () => {
  const { ctx, home, contents } = await setUp();
  const event = await submit(ctx, "memory.add", { remember: conversation });
  const facts = ["Ann is a nurse.", "Ann hikes."];
  const telling = (contents: string[]) => {
    const run = async () => ({
      value: { facts: contents.map((content) => ({ content, category: "other", confidence: 1 })), entities: [] },
      ...{ provider: "built_in", model: "rules", fallback: false, usage: { inputTokens: 0, outputTokens: 0 } },
    });
    const models = { ...home.ports.models, open: async () => ({ run: run as never }) };
    return { ...home, ports: { ...home.ports, models } };
  };
  await workOn(telling(facts), messageOf(event), ONE_STEP);
  await workOn(telling(["Ann works as a nurse.", "She walks in the hills."]), messageOf(event), WHOLE);
  expect(await contents()).toEqual(facts.toSorted());
});

it("gives up a conversation that those who read it are cut off at, and reads it no more", async () => {
  const { ctx, home, sent } = await setUp();
  const { read, home: hanging } = watching(home, (town) => (town === "Lisbon" ? new Promise(() => {}) : undefined));
  const event = await submit(ctx, "memory.add", { remember: long });
  // The first one gets as far as there.
  for (let cut = 0; cut <= MAX_ATTEMPTS; cut++) {
    void workOn(hanging, messageOf(event), WHOLE);
    await vi.waitFor(() => expect(read).toHaveLength(cut + 2), { timeout: 20_000 });
  }
  const quiet = { ...hanging, logger: { ...home.logger, error: () => {} } };
  await workOn(quiet, messageOf(event), WHOLE);
  expect(read).toEqual(["Boston", ...Array(MAX_ATTEMPTS + 1).fill("Lisbon")]);
  expect(await getEvent(ctx, event.id)).toMatchObject({ status: "FAILED", results: [{ event: "ADD" }] });
  await resumeOverdueEvents({ ...home, clock: () => service.home.clock() + 11 * 60_000 });
  expect(sent.filter(({ body }) => isDeepStrictEqual(body, messageOf(event)))).toHaveLength(1);
}, 60_000);

it("leaves what came of an import to those who import", async () => {
  const { ctx, home } = await setUp();
  const event = newEvent(ctx, { type: "memory.import", resource: "import" });
  await ctx.ports.records.write(insertEvent(event));
  for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) await workOn(home, messageOf(event), WHOLE);
  expect(await getEvent(ctx, event.id)).toEqual(event);
});

it("is left alone by the sweep as long as it gets further, however slow the model", async () => {
  const { ctx, home, sent } = await setUp();
  let now = service.home.clock();
  const clock = () => now;
  const { read, home: slow } = watching({ ...home, clock }, async () => {
    now += 6 * 60_000;
    await resumeOverdueEvents({ ...home, clock });
  });
  const event = await submit({ ...ctx, clock }, "memory.add", { remember: long });
  await workOn(slow, messageOf(event), WHOLE);
  expect(await getEvent(ctx, event.id)).toMatchObject({ status: "COMPLETED" });
  expect(read).toEqual(TOWNS);
  expect(sent.filter(({ body }) => isDeepStrictEqual(body, messageOf(event)))).toHaveLength(1);
});
