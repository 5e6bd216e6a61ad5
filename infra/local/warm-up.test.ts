import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { warmUp } from "../../shared/domain/memory/warm-up.ts";
import { loadTagger } from "../../shared/language/statements/tagging.ts";
import { type LocalService, openService } from "../../test/support/service.ts";

vi.mock(import("../../shared/domain/compression/condensing/tokens.ts"), { spy: true });
vi.mock(import("../../shared/domain/memory/warm-up.ts"), { spy: true });
vi.mock(import("../../shared/language/statements/tagging.ts"), { spy: true });

let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

it("loads the lexicon and the vocabulary after the start, before a request needs them", async () => {
  await service.host.listen();
  expect(warmUp).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(warmUp).toHaveBeenCalledOnce(), { timeout: 10_000 });
  await vi.mocked(warmUp).mock.results[0]?.value;
  expect(loadTagger).toHaveBeenCalled();
  expect(loadTokenCounter).toHaveBeenCalled();
});
