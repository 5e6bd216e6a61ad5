import { afterAll, beforeAll, expect, it } from "vitest";
import { type CompatEvent, findEvent, getEvent } from "../../../shared/compat/events.ts";
import { resumeOverdueEvents } from "../../../shared/compat/overdue.ts";
import { findRequest, submit } from "../../../shared/compat/requests.ts";
import { listResults } from "../../../shared/compat/results.ts";
import { workOn } from "../../../shared/compat/work.ts";
import { findMemories, listMemories } from "../../../shared/memory/records.ts";
import type { Context } from "../../../shared/platform/context.ts";
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
  const sent: unknown[] = [];
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
const messageOf = ({ org, id }: CompatEvent) => ({ org, event_id: id });

it("remembers once what is delivered again and again, at once and after its end", async () => {
  const { ctx, home, contents } = await setUp();
  const event = await submit(ctx, "memory.add", { remember: conversation });
  await Promise.all([1, 2, 3].map(() => workOn(home, messageOf(event), false)));
  await workOn(home, messageOf(event), false);
  const found = await contents();
  expect(found.length).toBeGreaterThan(1);
  expect(new Set(found).size).toBe(found.length);
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "COMPLETED", finished_at: expect.any(String) });
  expect(await findRequest(ctx, event)).toBeUndefined();
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
  await workOn(home, messageOf(event), false);
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
  await workOn(whole.home, messageOf(await submit(whole.ctx, "memory.add", { remember: conversation })), false);
  const expected = await whole.contents();
  for (let until = 1; until < expected.length + 4; until++) {
    const { ctx, home, contents } = await setUp({ until });
    const event = await submit(ctx, "memory.add", { remember: conversation });
    await workOn(home, messageOf(event), false).catch(() => undefined);
    await workOn(service.home, messageOf(event), false);
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
  await expect(workOn(quiet, messageOf(event), false)).rejects.toThrow("no model");
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "RUNNING" });
  await expect(workOn(quiet, messageOf(event), true)).rejects.toThrow("no model");
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "FAILED", errors: [{ code: "INTERNAL_ERROR" }] });
  await workOn(home, messageOf(event), false);
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
  await expect(workOn(lagging, messageOf(event), false)).rejects.toThrow("and there are more");
  expect(await findEvent(ctx, event.id)).toMatchObject({ status: "RUNNING" });
  await expect(workOn(lagging, messageOf(event), true)).rejects.toThrow("and there are more");
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
