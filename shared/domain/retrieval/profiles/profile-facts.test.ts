import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LocalService, openService } from "../../../../test/support/service.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { placeStatedFacts, statedOfUser } from "./known-facts.ts";
import { profileOf } from "./profile.ts";
import { profileFacts } from "./profile-facts.ts";

const USER = "mara";

let service: LocalService;
beforeEach(async () => {
  service = await openService();
});
afterEach(() => service.close());

async function remember(content: string, rest: object = {}): Promise<string> {
  const { body } = await service.request("POST", "/memories", { body: { content, user_id: USER, ...rest } });
  return body.data.id;
}

async function rememberAll(contents: string[]): Promise<void> {
  for (const content of contents) await remember(content);
}

/** Counts the records that are read. */
function counted(records: RecordStore) {
  const count = { records: 0 };
  const store: Pick<RecordStore, "get" | "getMany" | "query" | "write"> = {
    get: (key) => {
      count.records++;
      return records.get(key);
    },
    getMany: (keys) => {
      count.records += keys.length;
      return records.getMany(keys);
    },
    query: async (query) => {
      const page = await records.query(query);
      count.records += page.items.length;
      return page;
    },
    write: (...writes) => records.write(...writes),
  };
  return { count, records: store as RecordStore };
}

async function read(viewer?: string) {
  const { runtime } = service;
  const { count, records } = counted(runtime.ports.records);
  const ctx = { ports: { ...runtime.ports, records }, clock: runtime.clock, org: OPERATOR_ORG, viewer };
  const { text } = profileOf(await profileFacts(ctx, USER), runtime.clock());
  return { text, ...count };
}

it("ends at its deadline, or with the request of its client", async () => {
  await rememberAll(["I live in Bern.", "I work at Acme.", "My favourite tea is Assam."]);
  const { runtime } = service;
  const ctx = { ports: runtime.ports, clock: runtime.clock, org: OPERATOR_ORG, viewer: undefined };
  await expect(profileFacts(ctx, USER, 0)).rejects.toMatchObject({ code: "SEARCH_TIMEOUT" });
  await profileFacts(ctx, USER);
  const gone = { ...ctx, request: { id: "req_1", signal: AbortSignal.abort(new Error("the client left")) } };
  await expect(profileFacts(gone, USER)).rejects.toThrow("the client left");
});

/** The profile by all facts of the user. */
async function readAll(): Promise<string> {
  const { runtime } = service;
  const ctx = { ports: runtime.ports, clock: runtime.clock, org: OPERATOR_ORG, viewer: undefined };
  return profileOf(await placeStatedFacts(ctx, await statedOfUser(ctx, USER, 1000)), runtime.clock()).text;
}

const PLACES = ["Zurich", "Vienna", "Lisbon", "Porto", "Oslo", "Riga"];
const moves = (many: number) =>
  Array.from(
    { length: many },
    (_, turn) => `I moved to ${PLACES[turn % PLACES.length]} and the bakery has ${turn} ovens.`,
  );

describe("the facts of a profile", () => {
  it("cost the same however many memories the user has", async () => {
    await rememberAll(moves(30));
    await read();
    const few = await read();
    await rememberAll(moves(90));
    const many = await read();
    expect(many.text).toBe(await readAll());
    expect(many.records).toBeLessThanOrEqual(few.records);
    expect(many.records).toBeLessThan(40);
  }, 60_000);

  it("are those of all facts: changes, ends, plans, corrections, instructions and people", async () => {
    await remember("I live in Zurich.");
    await read();
    await rememberAll([
      "I moved to Vienna.",
      "I'm vegan.",
      "I like chess.",
      "I like rowing.",
      "I'm not vegan any more.",
      "I no longer like chess.",
      "Always answer in French.",
      "My sister works for Siemens.",
      "I fly to Porto on 4 December 2099.",
      "I'm moving to Lisbon in May 2099.",
      "My gym is Fit4U.",
      "I go to PureGym now.",
      "I like tea.",
      "I like tea.",
    ]);
    const { text } = await read();
    expect(text).toBe(await readAll());
    for (const word of ["Vienna", "Porto", "Lisbon", "PureGym", "rowing", "French"]) expect(text).toContain(word);
    for (const word of ["vegan", "chess", "Fit4U"]) expect(text).not.toContain(word);
  });

  it("reopen what a deleted memory had ended, and name no memory that is gone", async () => {
    await remember("I live in Zurich.");
    const moved = await remember("I moved to Vienna.");
    const diet = await remember("I'm vegan.");
    const ended = await remember("I'm not vegan any more.");
    await read();
    expect((await read()).text).not.toContain("vegan");
    await service.request("DELETE", `/memories/${moved}`);
    await service.request("DELETE", `/memories/${ended}`);
    expect((await read()).text).toMatch(/Zurich\n[\s\S]*vegan/);
    await service.request("DELETE", `/memories/${diet}`);
    expect((await read()).text).not.toContain("vegan");
  });

  it("follow corrections of facts into other slots", async () => {
    await rememberAll(["I live in Zurich.", "The port of geo-cache is 7300."]);
    await read();
    const { body } = await service.request("GET", `/facts?user_id=${USER}`);
    const fact = body.data.facts.find(({ value }: { value: string }) => value !== "Zurich");
    await service.request("PUT", `/facts/${fact.id}`, { body: { subject: "user", attribute: "gym", value: "Fit4U" } });
    expect((await read()).text).toContain("Fit4U");
  });

  it("are only those that an agent may see", async () => {
    await rememberAll(["I live in Zurich.", "I work as a nurse."]);
    await read();
    expect((await read()).text).toContain("Zurich");
    expect((await read("agt_other")).text).toBe("");
  });

  it("are listed by nobody for a user of whom nothing is known", async () => {
    expect((await read()).text).toBe("");
    const { items } = await service.runtime.ports.records.query({ pk: `${OPERATOR_ORG}#slots#${USER}`, limit: 5 });
    expect(items).toEqual([]);
  });
});
