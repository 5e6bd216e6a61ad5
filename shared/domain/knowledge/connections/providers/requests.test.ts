import { afterEach, describe, expect, it } from "vitest";
import { type Given, type StandIn, startStandIn } from "../../../../../test/fixtures/connections/stand-in.ts";
import { loadConfig } from "../../../../entry/config.ts";
import { CredentialsRefusedError, ProviderError, RetryLaterError } from "../../../../ports/provider-faults.ts";
import { createProviderFetch } from "./requests.ts";

const open: StandIn[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

/** Sends a request that is answered with the faults and then with success; `time` is the rest of the turn in ms. */
async function ask(faults: Given[], { time = 60_000, environment = { ALLOW_PRIVATE_TARGETS: "1" } as object } = {}) {
  const server = await startStandIn(() => ({ text: "well" }));
  open.push(server);
  server.failNext(...faults);
  const fetch = createProviderFetch({
    config: loadConfig({ ...environment }),
    clock: Date.now,
    deadline: Date.now() + time,
  });
  const answer = fetch(`${server.url}/x`).then(async (response) => `${response.status} ${await response.text()}`);
  return { answer: await answer.catch((error: unknown) => error), requests: server.requests.length };
}

const times = (count: number, given: Given) => Array.from({ length: count }, () => given);

describe("a request to a provider", () => {
  it.each<[string, Given]>([
    ["429 with seconds", { status: 429, headers: { "retry-after": "0" } }],
    ["429 with a date", { status: 429, headers: { "retry-after": new Date(0).toUTCString() } }],
    ["429 with nothing", { status: 429 }],
    ["500", { status: 500 }],
    ["503", { status: 503, headers: { "retry-after": "0" } }],
    ["403 with Retry-After", { status: 403, headers: { "retry-after": "0" } }],
    ["a spent allowance", { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" } }],
  ])("is repeated after %s", async (_what, fault) => {
    expect(await ask([fault, fault])).toEqual({ answer: "200 well", requests: 3 });
  });

  it("waits as long as the response asks", async () => {
    const begun = Date.now();
    await ask([{ status: 429, headers: { "retry-after": "1" } }]);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
  });

  it.each([400, 403, 404, 409, 501])("is not repeated after %d", async (status) => {
    expect(await ask([{ status, text: "no" }])).toEqual({ answer: `${status} no`, requests: 1 });
  });

  it("is not retried if credentials are refused", async () => {
    expect(await ask([{ status: 401 }])).toEqual({ answer: expect.any(CredentialsRefusedError), requests: 1 });
  });

  it("is postponed if the wait is longer than the turn, or any turn", async () => {
    for (const [wait, time] of [
      ["2", 1_000],
      ["3600", 7_200_000],
    ] as const) {
      const { answer, requests } = await ask([{ status: 429, headers: { "retry-after": wait } }], { time });
      expect(answer).toBeInstanceOf(RetryLaterError);
      expect((answer as RetryLaterError).until).toBeGreaterThan(Date.now() + Number(wait) * 1000 - 1_500);
      expect(requests).toBe(1);
    }
  });

  it("fails after five attempts, with the provider's status", async () => {
    const { answer, requests } = await ask(times(5, { status: 502, headers: { "retry-after": "0" } }));
    expect(answer).toBeInstanceOf(ProviderError);
    expect((answer as Error).message).toContain("502");
    expect(requests).toBe(5);
    const busy = await ask(times(5, { status: 429, headers: { "retry-after": "0" } }));
    expect(busy.answer).toBeInstanceOf(RetryLaterError);
  });

  it("never goes to a private address", async () => {
    const { answer, requests } = await ask([], { environment: {} });
    expect(answer).toBeInstanceOf(ProviderError);
    expect(requests).toBe(0);
  });
});
