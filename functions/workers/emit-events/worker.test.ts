import { afterAll, expect, it } from "vitest";
import { sweepDanglingReferences } from "../../../shared/domain/agents/unlinking.ts";
import { MINUTE_MS } from "../../../shared/kernel/durations.ts";
import { createOrganization, openService } from "../../../test/support/service.ts";
import { createChangeConsumer } from "./worker.ts";

let now = Date.parse("2026-03-01T12:00:00.000Z");

const service = await openService({}, () => now);
const { org, key } = await createOrganization(service);
afterAll(() => service.close());

async function done(method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

const records = () => service.runtime.ports.records;
const makeAgent = async () => (await done("POST", "/agents", { name: "Guide", model: "m" })).id;
const everythingOf = async (id: string) => (await records().query({ pk: `${org}#${id}`, limit: 100 })).items;
const placesOf = async (agent: string) =>
  (await records().query({ index: "gsi1", pk: `${org}#${agent}#groups`, limit: 100 })).items;

/** Adds a membership that the index did not contain yet when its agent was deleted. */
async function leaveBehind(group: string, agent: string): Promise<void> {
  const place = { pk: `${org}#${group}`, sk: `member#${agent}`, kind: "member", group_id: group, agent_id: agent };
  await records().write(
    { put: { ...place, gsi1pk: `${org}#${agent}#groups`, gsi1sk: group } },
    { update: { pk: `${org}#${group}`, sk: "group" }, add: { member_count: 1 } },
  );
}

it("is done again when everything has settled, and then forgotten", async () => {
  const [agent, group] = [await makeAgent(), (await done("POST", "/groups", { name: "g" })).id];
  await done("DELETE", `/agents/${agent}`);
  expect((await everythingOf(agent)).map(({ kind }) => kind)).toEqual(["departure"]);
  await leaveBehind(group, agent);
  now += 4 * MINUTE_MS;
  expect(await sweepDanglingReferences(service.runtime)).toBe(0);
  now += 2 * MINUTE_MS;
  expect(await sweepDanglingReferences(service.runtime)).toBe(1);
  expect(await placesOf(agent)).toEqual([]);
  expect((await done("GET", `/groups/${group}`)).member_count).toBe(0);
  expect((await records().get({ pk: `${org}#${group}`, sk: "group" }))?.member_count).toBe(0);
  expect(await everythingOf(agent)).toEqual([]);
  expect(await sweepDanglingReferences(service.runtime)).toBe(0);
});

it("may come twice, and to an end before that", async () => {
  const agent = await makeAgent();
  const memories: string[] = [];
  for (let count = 0; count < 3; count++) {
    memories.push((await done("POST", "/memories", { content: `memory ${count}` })).id);
    await done("POST", `/agents/${agent}/memories`, { memory_id: memories[count], access_type: "read" });
  }
  const before = await records().get({ pk: `${org}#${agent}`, sk: "agent" });
  await done("DELETE", `/agents/${agent}`);
  const consume = createChangeConsumer(service.runtime);
  const end = { key: { pk: `${org}#${agent}`, sk: "agent" }, before, sequence: "1" };
  await consume([end, end]);
  for (const memory of memories) {
    const items = await everythingOf(memory);
    expect(items.filter(({ kind }) => kind === "viewer")).toEqual([]);
    expect(items.find(({ kind }) => kind === "memory")?.shares).toEqual([]);
  }
});

it("leaves nothing of a group but its agents", async () => {
  const [agent, group] = [await makeAgent(), (await done("POST", "/groups", { name: "g" })).id];
  await done("POST", `/groups/${group}/members`, { agent_id: agent });
  await done("DELETE", `/groups/${group}`);
  expect((await everythingOf(group)).map(({ kind }) => kind)).toEqual(["departure"]);
  expect(await placesOf(agent)).toEqual([]);
  await done("GET", `/agents/${agent}`);
});
