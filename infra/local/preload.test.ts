import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { type LocalService, openService } from "../../test/support/service.ts";

vi.mock(import("../../shared/domain/compression/condensing/tokens.ts"), { spy: true });

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

it("loads the vocabulary after the start, before a request needs it", async () => {
  await service.host.listen();
  expect(loadTokenCounter).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(loadTokenCounter).toHaveBeenCalledOnce(), { timeout: 10_000 });
});
