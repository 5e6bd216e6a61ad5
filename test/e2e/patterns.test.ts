import { afterAll, beforeAll, expect, it } from "vitest";
import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import { MAINTENANCE_QUEUE } from "../../shared/ports/queues.ts";
import { expectEventually } from "../contract/eventually.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";

const USER = "joss";
const RUN_MS = 60_000;

let service: LocalService;
let key: string;
let org: string;
/** How far the service's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  service = await openService({}, () => Date.now() + ahead);
  ({ key, org } = await createOrganization(service));
});
afterAll(() => service.close());

async function ask(method: string, url: string, body?: object) {
  const answer = await service.request(method, url, { key, body });
  expect(answer.status, `${method} ${url}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body.data ?? answer.body;
}

async function store(content: string, day: string, more: object = {}): Promise<string> {
  const { id } = await ask("POST", "/memories", { content, user_id: USER, occurred_at: `${day}T09:00:00Z`, ...more });
  return id;
}

/** Returns the texts of the user's patterns after the next reading. */
async function patterns(query = ""): Promise<{ id: string; text: string; type: string; days: number }[]> {
  return (await ask("GET", `/patterns?user_id=${USER}&limit=100${query}`)).patterns;
}

const texts = async (query = "") => (await patterns(query)).map(({ text }) => text);

/** Lets time pass until the patterns of what was stored are found. */
async function wait(minutes: number): Promise<void> {
  await service.runtime.drainChangeFeed();
  ahead += minutes * MINUTE_MS;
  // The worker sleeps until the next message is due by the real clock; a new message wakes it.
  await service.runtime.ports.queue.send(MAINTENANCE_QUEUE, [{ body: { org, job: "job_none" } }]);
}

it(
  "counts what the user says, shows it as derived, and lets go of what is deleted",
  async () => {
    const days = ["2026-03-02", "2026-04-01", "2026-05-06", "2026-07-08"];
    const ids: string[] = [];
    for (const day of days) ids.push(await store("I flew to Lisbon again.", day));
    for (const [index, day] of days.entries()) await store(`My weight was ${82 - index} kg.`, day);
    await store('Anna said: "I flew to Lisbon for a week."', "2026-08-01");
    await store("I flew to Lisbon.", "2026-08-02", { metadata: { source: "mail" } });
    await store("If I flew to Lisbon once more, I would stay.", "2026-08-03");
    const series = "weight: 82 kg (2 Mar 2026), 81 kg (1 Apr 2026), 80 kg (6 May 2026), 79 kg (8 Jul 2026)";
    const flown = "flew + Lisbon: stated on 4 days, 2 Mar 2026 to 8 Jul 2026";
    await wait(11);
    await expectEventually(() => texts(), expect.arrayContaining([series, flown]));
    const [found] = (await patterns()).filter(({ text }) => text === flown);
    expect(found).toMatchObject({ derived: true, days: 4, confidence: 0.8, status: "active" });
    expect(await ask("GET", `/patterns/${found?.id}`)).toMatchObject({
      evidence: ids.map((memory_id, index) => ({ memory_id, day: days[index] })),
    });

    const recalled = await ask("POST", "/recall", { query: "How often did I fly to Lisbon?", user_id: USER });
    expect(recalled.derived).toMatchObject([{ pattern_id: found?.id, text: flown, confidence: 0.8 }]);
    expect(recalled.context).toContain(`Derived from several memories\n${recalled.derived[0].label} ${flown}`);
    const other = await ask("POST", "/recall", { query: "Which tea do I like?", user_id: USER });
    expect([other.derived, other.context.includes("Derived")]).toEqual([[], false]);
    const profile = await ask("GET", `/profiles/${USER}`);
    expect(profile.derived.map(({ text }: { text: string }) => text)).toContain(flown);
    // What the service derived is not read when a client stores it.
    const copy = await ask("POST", "/memories", { content: recalled.context, user_id: USER });
    expect(copy.facts).toEqual([]);
    await ask("DELETE", `/memories/${copy.id}`);

    await ask("DELETE", `/memories/${ids[0]}`);
    // The count falls at once, before the patterns are found anew.
    expect(await texts()).toContain("flew + Lisbon: stated on 3 days, 1 Apr 2026 to 8 Jul 2026");
    await ask("DELETE", `/memories/${ids[1]}`);
    expect((await texts()).filter((text) => text.includes("flew"))).toEqual([]);
    await ask("DELETE", `/memories/${ids[2]}`);
    await wait(2);
    const stored = () => service.runtime.ports.records.query({ pk: `${org}#patterns#${USER}`, limit: 100 });
    await expectEventually(async () => JSON.stringify(await stored()).includes("Lisbon"), false);
  },
  2 * RUN_MS,
);

it(
  "does not bring back what was declined, until that is undone",
  async () => {
    const [{ id, text } = { id: "", text: "" }] = await patterns("&type=series");
    expect(await ask("POST", `/patterns/${id}/decline`)).toMatchObject({ id, status: "declined" });
    expect(await texts()).not.toContain(text);
    await store("My weight was 78 kg.", "2026-09-09");
    await wait(11);
    await expectEventually(async () => (await patterns("&status=declined")).map(({ days }) => days), [5]);
    expect(await texts()).not.toContain(text);
    expect(await ask("POST", `/patterns/${id}/restore`)).toMatchObject({ status: "active", days: 5 });
    expect(await patterns("&type=series")).toMatchObject([{ id, days: 5 }]);
  },
  2 * RUN_MS,
);

it("shows no pattern of another organization, and none to an agent that may not read its memories", async () => {
  const [{ id } = { id: "" }] = await patterns();
  const other = await createOrganization(service);
  const answer = await service.request("GET", `/patterns/${id}`, { key: other.key });
  expect([answer.status, answer.body.error.code]).toEqual([404, "PATTERN_NOT_FOUND"]);
  const list = await service.request("GET", `/patterns?user_id=${USER}`, { key: other.key });
  expect(list.body.data.patterns).toEqual([]);
});
