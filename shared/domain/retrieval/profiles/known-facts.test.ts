import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LocalService, openService } from "../../../../test/support/service.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { placeStatedFacts, statedOfUser } from "./known-facts.ts";
import { profileOf } from "./profile.ts";

let service: LocalService;
beforeEach(async () => {
  service = await openService();
});
afterEach(() => service.close());

async function remember(content: string): Promise<string> {
  const { body } = await service.request("POST", "/memories", { body: { content, user_id: "mara" } });
  return body.data.id;
}

/** Counts sequential reads: concurrent reads are one round trip. */
function counted(records: RecordStore) {
  const count = { trips: 0, memories: 0 };
  let open = 0;
  const during = async <T>(act: () => Promise<T>): Promise<T> => {
    if (open++ === 0) count.trips++;
    try {
      await new Promise(setImmediate);
      return await act();
    } finally {
      open--;
    }
  };
  const store: Pick<RecordStore, "getMany" | "query"> = {
    getMany: (keys) => {
      count.memories += keys.length;
      return during(() => records.getMany(keys));
    },
    query: (query) => during(() => records.query(query)),
  };
  return { count, records: store as RecordStore };
}

async function read() {
  const { runtime } = service;
  const { count, records } = counted(runtime.ports.records);
  const ctx = { ports: { ...runtime.ports, records }, clock: runtime.clock, org: OPERATOR_ORG, viewer: undefined };
  const known = await placeStatedFacts(ctx, await statedOfUser(ctx, "mara", 1000));
  const { text } = profileOf(known, runtime.clock());
  return { text, ...count };
}

describe("what is known of a user", () => {
  it("costs one round trip while no further memory states facts, and reads that memory alone then", async () => {
    await remember("I live in Zurich.");
    await remember("I work as a nurse.");
    expect(await read()).toMatchObject({ trips: 2, memories: 2 });
    const unchanged = await read();
    expect(unchanged).toMatchObject({ trips: 1, memories: 2 });
    expect(unchanged.text).toContain("Zurich");
    await remember("I am allergic to peanuts.");
    const grown = await read();
    expect(grown).toMatchObject({ trips: 2, memories: 3 });
    expect(grown.text).toContain("peanuts");
  });

  it("is never of a memory that is gone", async () => {
    const id = await remember("I live in Zurich.");
    await remember("I work as a nurse.");
    expect((await read()).text).toContain("Zurich");
    await service.request("DELETE", `/memories/${id}`);
    expect((await read()).text).not.toContain("Zurich");
  });
});
