import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type LocalService, openService } from "../../test/support/service.ts";

let service: LocalService;
beforeEach(async () => {
  service = await openService();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await service.close();
});

it.each(["agent", "entity"])("ends the profile of an %s after 10 seconds", async (type) => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(service.runtime.ports.search, "browse").mockImplementation(() => {
    resolve();
    return new Promise(() => {});
  });
  const answer = service.request("GET", `/profiles/acme?type=${type}`);
  await asked;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toMatchObject({ status: 504, body: { error: { code: "SEARCH_TIMEOUT" } } });
});
