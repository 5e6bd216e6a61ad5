import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization, type LocalService, openService } from "../../../../test/support/service.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import { renameUsersIfDue } from "./rename-users.ts";

let service: LocalService;
/** How far the service's clock is ahead. */
let ahead = 0;
const A_PASS_MS = 15_000;

beforeAll(async () => {
  service = await openService({}, () => Date.now() + ahead);
});
afterAll(() => service.close());

async function ask(key: string, method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { key, body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body.data;
}

/** Stores under `*` what an earlier release accepted, by renaming a user in all records, and their keys. */
async function renameInRecords(org: string, from: string): Promise<void> {
  const { records, inventory } = service.runtime.ports;
  const found: StoredRecord[] = [];
  for await (const page of inventory.snapshot().pages) found.push(...page.filter(({ pk }) => pk.startsWith(org)));
  for (const record of found) {
    const text = JSON.stringify(record);
    const renamed = text.replaceAll(`"user_id":"${from}"`, '"user_id":"*"').replaceAll(`#${from}`, "#*");
    if (renamed === text) continue;
    const { pk, sk } = record;
    const put = JSON.parse(renamed) as StoredRecord;
    await records.write(...(put.pk === pk && put.sk === sk ? [] : [{ delete: { pk, sk } }]), { put });
  }
}

it("renames users named * once, with all that is stored under the name, and reports it", async () => {
  const { org, key } = await createOrganization(service);
  const other = await createOrganization(service);
  await ask(key, "POST", "/memories", { content: "I live in Bern.", user_id: "asterisk" });
  const { id } = await ask(key, "POST", "/memories", { content: "I live in Zurich.", user_id: "starry" });
  const session = await ask(key, "POST", "/sessions", { agent_id: "guide", user_id: "starry" });
  await ask(key, "POST", "/sources/ingest", { type: "text", content: "Ships call at noon.", user_id: "starry" });
  const config = { url: "https://docs.example.com", sync_interval_minutes: 0 };
  await ask(key, "POST", "/connections/web_crawler", { user_id: "starry", config });
  await ask(other.key, "POST", "/memories", { content: "I live in Bern.", user_id: "ada" });
  await service.runtime.drainChangeFeed();
  await renameInRecords(org, "starry");

  expect(await renameUsersIfDue(service.runtime)).toBe(1);
  expect(await renameUsersIfDue(service.runtime)).toBe(0);
  const report = async () => (await ask(service.adminKey, "GET", "/admin/logs?service=user")).logs;
  for (let turn = 0; turn < 5 && (await report()).length === 0; turn++) {
    await service.host.drain();
    ahead += A_PASS_MS;
  }
  const [entry] = await report();
  expect(JSON.stringify(entry)).toContain("user.renamed");
  expect(JSON.stringify(entry)).toContain('"from":"*","to":"asterisk-2"');

  expect((await ask(key, "GET", `/memories/${id}`)).user_id).toBe("asterisk-2");
  expect((await ask(key, "GET", `/sessions/${session.id}`)).user_id).toBe("asterisk-2");
  const { facts } = await ask(key, "GET", "/facts?user_id=asterisk-2");
  expect(facts.map(({ value }: { value: string }) => value)).toEqual(["Zurich"]);
  const { results } = await ask(key, "GET", "/search?q=Zurich&user_id=asterisk-2");
  expect(results.length).toBeGreaterThan(0);
  for await (const page of service.runtime.ports.inventory.snapshot().pages) {
    const left = page.filter((record) => record.pk.startsWith(org) && record.user_id === "*");
    expect(left.map(({ kind }) => kind)).toEqual([]);
  }
});
