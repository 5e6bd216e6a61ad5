import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { pagesOf } from "../../shared/ports/pages.ts";
import { expectEventually } from "../contract/eventually.ts";
import { makeThing, SAMPLES, THINGS } from "../routes/samples/index.ts";
import { findLeaks, placesIn } from "../support/canary.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";

const RUN_MS = 180_000;
/** As long as the job waits for the change feed, which is read to its end meanwhile. */
const A_WAIT_MS = 15_000;
/** A name that every kind of resource is created with; index terms are in lower case. */
const WORD = "zqorganizationxv";
/** What an administrator of the operator does is kept: the job and its entry in the audit trail. */
const KEPT = ["audit", "erase_organization_job"];

let service: LocalService;
let ahead = 0;
let isOpen = true;

beforeAll(async () => {
  service = await openService({ ALLOW_PRIVATE_TARGETS: "true" }, () => Date.now() + ahead);
});
afterAll(() => (isOpen ? service.close() : rmSync(service.dataDir, { recursive: true, force: true })));

async function ask(method: string, url: string, key: string, body?: object) {
  const { status, body: answer } = await service.request(method, url, { key, body });
  expect(status, `${method} ${url}: ${JSON.stringify(answer)}`).toBeLessThan(300);
  return answer.data ?? answer;
}

function placesOf(value: string): string[] {
  const places = placesIn(service.dataDir).map(({ name, bytes }) => {
    return { name, bytes: Buffer.from(bytes.toString("latin1").toLowerCase(), "latin1") };
  });
  const found = findLeaks(new Map([["it", value.toLowerCase()]]), places).map(({ place }) => place);
  // Mails that were sent, as to a mailbox outside.
  return found.filter((place) => !place.startsWith("outbox"));
}

async function kindsNaming(org: string): Promise<string[]> {
  const kinds = new Set<string>();
  for await (const { items } of pagesOf((after) => service.runtime.ports.inventory.list({ limit: 500, after }))) {
    for (const item of items) if (JSON.stringify(item).includes(org)) kinds.add(item.kind);
  }
  return [...kinds].sort();
}

it(
  "leaves no record, document, file or word of an organization, and everything of another",
  async () => {
    const { org, key } = await createOrganization(service);
    const other = await createOrganization(service);
    for (const thing of Object.keys(THINGS)) await makeThing(service, key, thing, WORD);
    for (const each of [key, other.key]) {
      await ask("POST", "/memories", each, { content: `I moved to ${WORD} with ${WORD} Lindqvist.`, user_id: "ada" });
      await ask("GET", `/search?q=${WORD}&user_id=ada`, each);
    }
    const person = { email: `ada@${WORD}.example`, name: WORD, role: "admin", password: "correct horse battery 9" };
    await ask("POST", "/admin/users", key, person);
    await service.runtime.rollups.flush();
    await service.host.drain();
    expect((await kindsNaming(org)).length).toBeGreaterThan(Object.keys(SAMPLES).length / 10);
    expect(placesOf(WORD).length).toBeGreaterThan(2);
    const ofOther = async () => {
      const { memories } = await ask("GET", "/memories?user_id=ada", other.key);
      const { results } = await ask("GET", `/search?q=${WORD}&user_id=ada`, other.key);
      return [memories.length, results.length];
    };
    expect(await ofOther()).toEqual([1, 1]);

    const erasure = { organization_id: org, confirm: true, reason: "asked" };
    const { job_id } = await ask("DELETE", "/admin/organizations", service.adminKey, erasure);
    expect(await ask("DELETE", "/admin/organizations", service.adminKey, erasure)).toMatchObject({ job_id });
    expect((await service.request("GET", "/memories", { key })).status).toBe(401);
    const shown = async () => (await ask("GET", `/admin/jobs?job_id=${job_id}`, service.adminKey)).jobs[0];
    expect(await shown()).toMatchObject({ type: "erase_organization", organization_id: org });
    while (!["completed", "failed"].includes((await shown()).status)) {
      ahead += A_WAIT_MS;
      await service.host.drain();
    }
    expect(await shown()).toMatchObject({ status: "completed", error: null, erased: expect.any(Number) });
    expect(await kindsNaming(org)).toEqual(KEPT);
    expect(await ofOther()).toEqual([1, 1]);

    // The word is left in the other organization alone.
    await ask("DELETE", "/admin/organizations", service.adminKey, { ...erasure, organization_id: other.org });
    ahead += DAY_MS;
    const left = async () => {
      ahead += A_WAIT_MS;
      await service.host.drain();
      return (await kindsNaming(other.org)).join();
    };
    await expectEventually(left, KEPT.join());
    await service.host.drain();
    await service.host.close();
    isOpen = false;
    expect(placesOf(WORD)).toEqual([]);
  },
  RUN_MS,
);
