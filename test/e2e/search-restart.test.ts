import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type LocalService, openService } from "../support/service.ts";

const KEY = "a-key-of-more-than-twenty-characters";

let service: LocalService;
afterEach(() => service.close());

it("search statistics and settings survive restarts", async () => {
  const environment = { DATA_DIR: temporaryFolder(), BOOTSTRAP_API_KEY: KEY };
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await service.request(method, path, { key: KEY, body });
    expect(status, JSON.stringify(answer)).toBe(200);
    return answer.data;
  };
  service = await openService(environment);
  await ask("GET", "/search?q=green+tea");
  await ask("POST", "/search/advanced", { query: "Green tea" });
  const settings = await ask("PUT", "/search/config", { settings: { limit: 3, max_hops: 2 } });
  await service.close();

  service = await openService(environment);
  await ask("POST", "/search/hybrid", { query: "bicycle" });
  expect(await ask("GET", "/search/stats")).toMatchObject({
    total_searches: 3,
    by_mode: { semantic: 1, advanced: 1, hybrid: 1, spreading: 0 },
    success_rate: 1,
    popular_queries: [
      { query: "green tea", count: 2 },
      { query: "bicycle", count: 1 },
    ],
  });
  expect(await ask("GET", "/search/config")).toEqual(settings);
  expect(settings.default_settings).toMatchObject({ limit: 3, max_hops: 2, threshold: 0.7 });
});
