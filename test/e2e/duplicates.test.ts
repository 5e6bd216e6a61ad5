import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Ports } from "../../shared/ports/ports.ts";
import { replaced } from "../support/replaced.ts";
import { createOrganization, openService } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
  // Passwords are compared as they were sent; on AWS, the default is to take them out.
  const { organization } = (await caller.get("/whoami")).body.data;
  const project = `/api/v1/orgs/organizations/${organization.id}/projects/default`;
  expect((await caller.patch(project, { secrets_policy: "store" })).status).toBe(200);
});
afterAll(() => target.close());

let users = 0;
const newUser = () => `teller_${++users}`;

async function say(user_id: string, content: string, occurred_at: string) {
  const options = { skip_duplicates: true };
  const { body } = await caller.post("/memories", { content, user_id, occurred_at, options });
  return body.data;
}

describe("a repeated statement", () => {
  it.each([
    ["happened at other times", ["I had a migraine attack.", "I had a migraine attack.", "I had a migraine attack."]],
    ["was superseded in between", ["I live in Paris.", "I live in Rome.", "I live in Paris."]],
    ["refers to another day", ["I saw the dentist yesterday.", "I saw the dentist yesterday."]],
    ["differs in the case of a password", ["The door code is Kestrel9", "The door code is kestrel9"]],
    ["is in a language without tense rules", ["Hoy corrí diez kilómetros.", "Hoy corrí diez kilómetros."]],
  ])("is stored again if it %s", async (_why, statements) => {
    const user = newUser();
    for (const [month, content] of statements.entries()) {
      const { processing } = await say(user, content, `2026-0${month + 1}-10T09:00:00Z`);
      expect(processing.status).not.toBe("skipped");
    }
  });

  it.each([
    ["I prefer green tea.", "i prefer green tea"],
    ["Ada prefers green tea.", "Green tea is what Ada prefers."],
    ["I have two cats.", "I have two cats."],
  ])("increases the repeats of a lasting statement: %s, %s", async (first, again) => {
    const user = newUser();
    const { id } = await say(user, first, "2026-01-10T09:00:00Z");
    // Otherwise the repetition would be stored too, and be the duplicate of the next one.
    await eventually(async () => expect((await caller.get(`/memories/${id}`)).body.data.index.pending).toBe(false));
    await eventually(async () => {
      const { processing, repeats } = await say(user, again, "2026-04-10T09:00:00Z");
      expect(processing).toMatchObject({ status: "skipped", duplicate_of: id });
      expect(repeats).toBeGreaterThanOrEqual(1);
    });
    const { body } = await caller.get(`/memories/${id}`);
    expect(body.data).toMatchObject({ repeats: expect.any(Number), repeated_at: expect.any(String) });
  });

  it("is skipped if it happened on the same day", async () => {
    const user = newUser();
    await say(user, "I had a migraine attack.", "2026-02-10T08:00:00Z");
    const { processing } = await say(user, "I had a migraine attack.", "2026-02-10T19:00:00Z");
    expect(processing.status).toBe("skipped");
  });

  it("is stored again after another value held, and later duplicates refer to it", async () => {
    const user = newUser();
    const [paris] = [await say(user, "I live in Paris.", "2026-01-10T09:00:00Z")];
    await say(user, "I live in Rome.", "2026-02-10T09:00:00Z");
    const again = await say(user, "I live in Paris.", "2026-03-10T09:00:00Z");
    expect(again.id).not.toBe(paris.id);
    const { processing } = await say(user, "I live in Paris.", "2026-04-10T09:00:00Z");
    expect(processing).toMatchObject({ status: "skipped", duplicate_of: again.id });
  });
});

it("is stored again after another value, although the index lags behind the records", async () => {
  const isBehind: Partial<Ports["search"]> = {
    search: async () => ({ semantic: [], keyword: [], statistics: { documents: 0, terms: [] } }),
  };
  const around = (ports: Ports): Ports => ({ ...ports, search: replaced(ports.search, isBehind) });
  const service = await openService({}, undefined, { around });
  onTestFinished(() => service.close());
  const { key } = await createOrganization(service);
  const statuses: string[] = [];
  for (const content of ["I live in Paris.", "I live in Rome.", "I live in Paris.", "I live in Paris."]) {
    const body = { content, user_id: "ada", options: { skip_duplicates: true } };
    const answer = await service.request("POST", "/memories", { key, body });
    statuses.push(answer.body.data.processing.status);
  }
  expect(statuses.map((status) => status === "skipped")).toEqual([false, false, false, true]);
});
