import { expect, it } from "vitest";
import { toItem } from "../../../ports/item.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { sourcesOwned } from "./records.ts";

const source = { id: "src_1", org: "org_1", user_id: "ada", created_by: "grace", revision: 4, created_at: "2026" };
const record = (over: object = {}) =>
  toItem({ pk: "org_1#source#src_1", sk: "source" }, "source", { ...source, ...over });
const runtime = {} as OrgRuntime;

it("transfers sources about a user or created by one, in one conditional write", () => {
  expect(sourcesOwned.reassign(runtime, record(), { from: "ada", to: "kay" })).toMatchObject([
    { put: { user_id: "kay", created_by: "grace", revision: 5 }, condition: { revision: 4 } },
  ]);
  expect(sourcesOwned.reassign(runtime, record(), { from: "grace", to: "kay" })).toMatchObject([
    { put: { user_id: "ada", created_by: "kay" } },
  ]);
});

it("keeps sources of other users, and those without a successor", () => {
  expect(sourcesOwned.reassign(runtime, record(), { from: "mel", to: "kay" })).toBeUndefined();
  expect(sourcesOwned.reassign(runtime, record(), { from: "ada" })).toBeUndefined();
});
