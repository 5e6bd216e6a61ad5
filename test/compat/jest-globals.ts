import { vi } from "vitest";

/** What tests that are written for Jest call by its name. */
Object.assign(globalThis, {
  jest: Object.assign(Object.create(vi), { setTimeout: (testTimeout: number) => vi.setConfig({ testTimeout }) }),
});
