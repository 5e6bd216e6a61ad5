import { expect, test } from "vitest";
import { entityId } from "./entity-identity.ts";

test("an entity's id depends on its organization, type and normalized name", () => {
  const id = entityId("org_1", "place", "Grand Canyon");
  expect(id).toMatch(/^ent_[0-9a-f]{26}$/);
  expect(entityId("org_1", "place", "the grand  canyon")).toBe(id);
  expect(entityId("org_2", "place", "Grand Canyon")).not.toBe(id);
  expect(entityId("org_1", "person", "Grand Canyon")).not.toBe(id);
});

test("names without letters are distinct, and quotes cannot shift field boundaries", () => {
  expect(entityId("org_1", "other", "🙂")).not.toBe(entityId("org_1", "other", "🙃"));
  expect(entityId('a","b', "other", "c")).not.toBe(entityId("a", "other", 'b","c'));
});
