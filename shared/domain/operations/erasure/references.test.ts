import { describe, expect, it } from "vitest";
import type { RecordStore, StoredRecord } from "../../../ports/record-store.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import { recordsAbout } from "./references.ts";

const OWN = "mem_01M833Z5CJXWGKRH7BQXVYSSM7";
const OTHERS = "mem_01M833Z5CJXWGKRH7BQXVYSSM8";
const MEMORIES: StoredRecord[] = [
  { ...memoryKey("org_1", OWN), kind: "memory", id: OWN, user_id: "ada" },
  { ...memoryKey("org_1", OTHERS), kind: "memory", id: OTHERS, user_id: "bob" },
];
const records = {
  getMany: async (keys) => MEMORIES.filter(({ pk }) => keys.some((key) => key.pk === pk)),
} as Pick<RecordStore, "getMany"> as RecordStore;

const isAbout = async (record: object) =>
  (await recordsAbout(records, "org_1", "ada", [{ pk: "org_1#x", sk: "x", kind: "compat_event", ...record }])).length >
  0;

describe("a record is about a user", () => {
  it.each([
    ["names the user", { payload: { user_id: "ada" } }],
    ["names the user in JSON within JSON", { payload: JSON.stringify({ body: JSON.stringify({ user_id: "ada" }) }) }],
    ["names a memory of the user", { results: [{ id: OWN }] }],
    ["names a chunk of a source of the user", { memory_id: `${OWN}_1_0`, user_id: "ada" }],
  ])("that %s", async (_, record) => expect(await isAbout(record)).toBe(true));

  it.each([
    ["names another user, whose name is longer", { payload: { user_id: "adam" } }],
    ["names a memory of another user", { results: [{ id: OTHERS }] }],
    ["was made by the user", { created_by: "ada", by: { id: "ada", kind: "user" }, results: [{ id: OTHERS }] }],
  ])("but not one that %s", async (_, record) => expect(await isAbout(record)).toBe(false));
});
