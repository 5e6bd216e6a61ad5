import { describe, expect, it } from "vitest";
import { confine, onBehalfOf, type ViewerHome } from "./context.ts";
import type { Ports, SearchScope } from "./ports.ts";

const ports = { records: "records", search: "search" } as unknown as Ports;

describe("confined ports", () => {
  it("are those that were declared, and no other", () => {
    const own = confine(ports, ["records"], "a group");
    expect(own.records).toBe("records");
    expect(() => own.search).toThrow("'a group' uses the port 'search' without declaring it");
  });
});

describe("the index on behalf of an agent", () => {
  /** What each verb was asked. */
  function askedBy(viewer: string, org: string): SearchScope[] {
    const asked: SearchScope[] = [];
    const note = (scope: SearchScope) => asked.push(scope);
    const index = { search: note, neighbours: note, count: note, browse: note, aggregate: note };
    const caller = { org, viewer: undefined, ports: { search: index } } as unknown as ViewerHome;
    const { search } = onBehalfOf(caller, viewer).ports;
    const verbs = search as unknown as Record<string, (scope: SearchScope) => void>;
    for (const verb of Object.keys(index)) verbs[verb]?.({ org, now: 0 });
    return asked;
  }

  it("is asked by every verb for what the agent may see", () => {
    expect(askedBy("agent_1", "org_1")).toEqual(Array(5).fill({ org: "org_1", now: 0, viewer: "agent_1" }));
  });

  it("has the skills of the whole organization", () => {
    expect(askedBy("agent_1", "org_1-skills")).toEqual(Array(5).fill({ org: "org_1-skills", now: 0 }));
  });
});
