import { expect, it } from "vitest";
import { upgradeRequest } from "./requests.ts";

const messages = [{ role: "user", content: "I like tea." }];

it("a request that an earlier release left says when it was said", () => {
  const draft = { user_id: "ann", created_at: "2020-01-01T00:00:00.000Z" };
  const upgraded = upgradeRequest({ remember: { messages, draft } });
  expect(upgraded).toEqual({
    remember: { messages, draft: { user_id: "ann", occurred_at: "2020-01-01T00:00:00.000Z" } },
  });
  expect(upgradeRequest(upgraded)).toBe(upgraded);
});

it.each([{ remember: { messages, draft: { user_id: "ann" } } }, { delete: { user_id: "ann" } }])(
  "a request without it stays as it is",
  (request) => {
    expect(upgradeRequest(request)).toBe(request);
  },
);
