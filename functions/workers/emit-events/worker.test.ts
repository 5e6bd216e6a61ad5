import { afterAll, expect, it } from "vitest";
import { sweepDanglingReferences } from "../../../shared/domain/agents/unlinking.ts";
import { MINUTE_MS } from "../../../shared/kernel/durations.ts";
import { createOrganization, openService } from "../../../test/support/service.ts";
import { createChangeConsumer } from "./worker.ts";

let now = Date.parse("2026-03-01T12:00:00.000Z");

const service = await openService({}, () => now);
const { org, key } = await createOrganization(service);
afterAll(() => service.close());

async function succeed(method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

const records = () => service.runtime.ports.records;
const makeAgent = async () => (await succeed("POST", "/agents", { name: "Guide", model: "m" })).id;
const itemsOf = async (id: string) => (await records().query({ pk: `${org}#${id}`, limit: 100 })).items;
const membershipsOf = async (agent: string) =>
  (await records().query({ index: "gsi1", pk: `${org}#${agent}#groups`, limit: 100 })).items;

/** Adds a membership that the index did not contain yet when its agent was deleted. */
async function addLateMembership(group: string, agent: string): Promise<void> {
  const membership = { pk: `${org}#${group}`, sk: `member#${agent}`, kind: "member", group_id: group, agent_id: agent };
  await records().write(
    { put: { ...membership, gsi1pk: `${org}#${agent}#groups`, gsi1sk: group } },
    { update: { pk: `${org}#${group}`, sk: "group" }, add: { member_count: 1 } },
  );
}

it("repeats the unlinking of a deleted agent once late changes have arrived, and then forgets the agent", async () => {
  const [agent, group] = [await makeAgent(), (await succeed("POST", "/groups", { name: "g" })).id];
  await succeed("DELETE", `/agents/${agent}`);
  expect((await itemsOf(agent)).map(({ kind }) => kind)).toEqual(["departure"]);
  await addLateMembership(group, agent);
  now += 4 * MINUTE_MS;
  expect(await sweepDanglingReferences(service.runtime)).toBe(0);
  now += 2 * MINUTE_MS;
  expect(await sweepDanglingReferences(service.runtime)).toBe(1);
  expect(await membershipsOf(agent)).toEqual([]);
  expect((await succeed("GET", `/groups/${group}`)).member_count).toBe(0);
  expect((await records().get({ pk: `${org}#${group}`, sk: "group" }))?.member_count).toBe(0);
  expect(await itemsOf(agent)).toEqual([]);
  expect(await sweepDanglingReferences(service.runtime)).toBe(0);
});

it("unlinks a deleted agent correctly if its change is delivered twice", async () => {
  const agent = await makeAgent();
  const memories: string[] = [];
  for (let count = 0; count < 3; count++) {
    memories.push((await succeed("POST", "/memories", { content: `memory ${count}` })).id);
    await succeed("POST", `/agents/${agent}/memories`, { memory_id: memories[count], access_type: "read" });
  }
  const before = await records().get({ pk: `${org}#${agent}`, sk: "agent" });
  await succeed("DELETE", `/agents/${agent}`);
  const consume = createChangeConsumer(service.runtime);
  const end = { key: { pk: `${org}#${agent}`, sk: "agent" }, before, sequence: "1" };
  await consume([end, end]);
  for (const memory of memories) {
    const items = await itemsOf(memory);
    expect(items.filter(({ kind }) => kind === "viewer")).toEqual([]);
    expect(items.find(({ kind }) => kind === "memory")?.shares).toEqual([]);
  }
});

it("removes everything of a deleted group except its agents", async () => {
  const [agent, group] = [await makeAgent(), (await succeed("POST", "/groups", { name: "g" })).id];
  await succeed("POST", `/groups/${group}/members`, { agent_id: agent });
  await succeed("DELETE", `/groups/${group}`);
  expect((await itemsOf(group)).map(({ kind }) => kind)).toEqual(["departure"]);
  expect(await membershipsOf(agent)).toEqual([]);
  await succeed("GET", `/agents/${agent}`);
});
