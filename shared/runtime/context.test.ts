import { describe, expect, it } from "vitest";
import type { Ports } from "../ports/ports.ts";
import type { SearchScope } from "../ports/search-index.ts";
import { PURPOSES, SECRET_PURPOSES, type SecretPurpose } from "../ports/secret-names.ts";
import { type MemoryScope, onBehalfOf, restrictPorts } from "./context.ts";

const ports = { records: "records", search: "search" } as unknown as Ports;

describe("restricted ports", () => {
  it("are only those that were declared", () => {
    const own = restrictPorts(ports, ["records"], "a group");
    expect(own.records).toBe("records");
    expect(() => own.search).toThrow("'a group' uses the port 'search' without declaring it");
  });

  it("send only to declared queues and their dead-letter queues, and read the state of all", async () => {
    const sent: string[] = [];
    const queue = { send: async (name: string) => void sent.push(name), depth: async (name: string) => name };
    const own = restrictPorts({ queue } as unknown as Ports, ["queue:maintain"], "a group").queue;
    await own.send("maintain", []);
    await own.send("maintain-dead-letters", []);
    await expect(own.send("remember", [])).rejects.toThrow(
      "'a group' sends to the queue 'remember' without declaring it",
    );
    expect(sent).toEqual(["maintain", "maintain-dead-letters"]);
    expect(await own.depth("remember")).toBe("remember");
    const reading = restrictPorts({ queue } as unknown as Ports, ["queue"], "a group").queue;
    await expect(reading.send("maintain", [])).rejects.toThrow("without declaring it");
  });

  const held = { get: async () => "a value", putIfAbsent: async () => "a value", remove: async () => {} };
  const everyUse = PURPOSES.flatMap((purpose) =>
    (["get", "putIfAbsent", "remove"] as const).map((verb) => ({ purpose, verb })),
  );

  it.each(everyUse)("$verb secrets of $purpose only if declared and used that way", async (use) => {
    const { purpose, verb } = use;
    const secretsOf = (declared: SecretPurpose) =>
      restrictPorts({ secrets: held } as unknown as Ports, [`secrets:${declared}`], "a group").secrets;
    const isUsed = (SECRET_PURPOSES[purpose] as readonly string[]).includes(verb);
    const admitted = await Promise.all(
      PURPOSES.map((declared) =>
        secretsOf(declared)
          [verb](`${purpose}/name`, "value")
          .then(
            () => true,
            (error: Error) => !error.message.startsWith(`'a group' may not ${verb} the secret '${purpose}/name'`),
          ),
      ),
    );
    expect(admitted).toEqual(PURPOSES.map((declared) => isUsed && declared === purpose));
  });

  it("have no secrets if no purpose is declared", () => {
    expect(() => restrictPorts({ ...ports, secrets: held }, ["records"], "a group").secrets).toThrow(
      "'secrets' without",
    );
  });
});

describe("the index on behalf of an agent", () => {
  /** Returns the scope that each verb passes to the index. */
  function askedBy(viewer: string, org: string): SearchScope[] {
    const asked: SearchScope[] = [];
    const note = (scope: SearchScope) => asked.push(scope);
    const index = { search: note, neighbours: note, count: note, browse: note, aggregate: note };
    const caller = { org, viewer: undefined, ports: { search: index } } as unknown as MemoryScope;
    const { search } = onBehalfOf(caller, viewer).ports;
    const verbs = search as unknown as Record<string, (scope: SearchScope) => void>;
    for (const verb of Object.keys(index)) verbs[verb]?.({ org, now: 0 });
    return asked;
  }

  it("limits every verb to what the agent may see", () => {
    expect(askedBy("agent_1", "org_1")).toEqual(Array(5).fill({ org: "org_1", now: 0, viewer: "agent_1" }));
  });

  it("has the skills of the whole organization", () => {
    expect(askedBy("agent_1", "org_1-skills")).toEqual(Array(5).fill({ org: "org_1-skills", now: 0 }));
  });
});
