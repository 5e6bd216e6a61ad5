import { expect, it } from "vitest";
import { upgradeConversation } from "./requests.ts";

const messages = [{ role: "user", content: "I like tea." }];

it("a conversation of an earlier release has a time", () => {
  const draft = { user_id: "ann", created_at: "2020-01-01T00:00:00.000Z" };
  const upgraded = upgradeConversation({ messages, draft });
  expect(upgraded).toEqual({ messages, draft: { user_id: "ann", occurred_at: "2020-01-01T00:00:00.000Z" } });
  expect(upgradeConversation(upgraded)).toBe(upgraded);
});
