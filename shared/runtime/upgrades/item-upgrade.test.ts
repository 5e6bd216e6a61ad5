import { describe, expect, it } from "vitest";
import { RECORD_MIGRATIONS } from "../../adapters/local/record-migrations.ts";
import { NewerFormatError } from "../../ports/formats.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { itemVersion, takeStep, upgradeItem, upgradeItems } from "./item-upgrade.ts";
import { ITEM_STEPS } from "./steps/item-steps.ts";
import type { AddingStep, ItemStep } from "./steps/step.ts";

const ENTITY: StoredRecord = { pk: "org_1#ent_1", sk: "entity", kind: "entity", id: "ent_1", name: "Zurich" };
const SOURCE = { pk: "org_1#source#s", sk: "source", kind: "source", id: "s", generation: 1, last_generation: 1 };
const OLD: StoredRecord[] = [
  ENTITY,
  { pk: "org_1#people#ada", sk: "bob", kind: "person", name: "Bob" },
  { pk: "org_1#people#a#people", sk: "bob", kind: "person", name: "Bob" },
  { pk: "org_1#agt_1#people", sk: '["a]\\"da"]bob', kind: "person", name: "Bob" },
  { pk: "org_1", sk: "organization", kind: "organization", id: "org_1", created_at: "2026-01-01" },
  { pk: "org_1#mem_1", sk: "memory", kind: "memory", compression: { original_tokens: 7 } },
  { pk: "org_1#ses_1", sk: "session", kind: "session" },
  { ...SOURCE, status: "processing" },
  { ...SOURCE, last_generation: 2, upload_id: "job_2" },
  { ...SOURCE, last_generation: 2 },
  { pk: "org_1#chain_1", sk: "chain", kind: "chain", id: "chain_1", org: "org_1", created_at: "2026-01-01" },
  { pk: "org_1#mem_1", sk: "fact#fact_1", kind: "fact", memory_id: "mem_1" },
  { pk: "org_1#mem_1", sk: "version#000000001", kind: "version", version: 1 },
];

describe("the steps of items", () => {
  it("have consecutive versions from 2, each of which the local adapter applies", () => {
    const versions = [...new Set(ITEM_STEPS.map(({ version }) => version))];
    expect(versions).toEqual(versions.map((_, index) => index + 2));
    expect(ITEM_STEPS.map(({ version }) => version)).toEqual(ITEM_STEPS.map(({ version }) => version).sort());
    const names = RECORD_MIGRATIONS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(versions.map((version) => `bring items to version ${version}`)));
  });

  it("add the attributes of each kind", () => {
    expect(upgradeItems(OLD)).toEqual([
      { ...ENTITY, org: "org_1", is_kept: true },
      { ...OLD[1], org: "org_1", user_id: "ada", mentioned_on: "0001-01-01" },
      { ...OLD[2], org: "org_1", user_id: "a#people", mentioned_on: "0001-01-01" },
      { ...OLD[3], org: "org_1", agent_id: "agt_1", user_id: 'a]"da', mentioned_on: "0001-01-01" },
      { ...OLD[4], gsi1pk: "organizations", gsi1sk: "2026-01-01#org_1" },
      {
        ...OLD[5],
        tier: "working",
        tokens: 7,
        processing: { status: "done", provider: "built-in", model: "rules", fallback: false },
      },
      OLD[6],
      { ...OLD[7], ingestion_id: "job_ingestion_s" },
      OLD[8],
      { ...OLD[9], upload_id: "job_upload_s" },
      { ...OLD[10], gsi1pk: "org_1#chains", gsi1sk: "2026-01-01#chain_1" },
      { ...OLD[11], is_guess: false, provenance: { written_by: "unknown", door: "unknown", derived_from: "mem_1" } },
      { ...OLD[12], changed_by: "unknown" },
    ]);
  });

  const adding = ITEM_STEPS.filter((step) => "upgrade" in step);

  it.each(adding)("change nothing when applied again: $name", (step) => {
    for (const record of OLD.filter(({ kind }) => step.kinds.includes(kind))) {
      const [upgraded = record] = takeStep(step, record) ?? [];
      expect(takeStep(step, upgraded)).toBeUndefined();
    }
  });
});

const NICKNAMES: ItemStep[] = [
  {
    version: 2,
    name: "give people a nickname",
    kinds: ["person"],
    upgrade: (person) => (person.nickname === undefined ? [{ ...person, nickname: `${person.name}y` }] : undefined),
  },
  {
    version: 3,
    name: "list nicknames",
    kinds: ["person"],
    upgrade: (person) => {
      if (person.is_listed) return undefined;
      const listed = { pk: "nicknames", sk: String(person.nickname), kind: "nickname" };
      return [{ ...person, is_listed: true }, listed];
    },
  },
];
const PERSON: StoredRecord = { pk: "p", sk: "bob", kind: "person", name: "Bob" };

describe("an item", () => {
  it("gets the steps above its version for its kind", () => {
    const additional = [{ pk: "nicknames", sk: "Boby", kind: "nickname" }];
    const record = { ...PERSON, nickname: "Boby", is_listed: true };
    expect(upgradeItem(PERSON, 1, NICKNAMES)).toEqual({ record, additional });
    expect(upgradeItem({ ...PERSON, kind: "agent" }, 1, NICKNAMES)).toBeUndefined();
    expect(upgradeItem(record, 3, NICKNAMES)).toBeUndefined();
  });

  it("gets the steps of this release whatever its number, as the previous release may have changed it since", () => {
    const record = { ...PERSON, nickname: "Bobby" };
    expect(upgradeItem(record, 3, NICKNAMES)?.record).toEqual({ ...record, is_listed: true });
  });

  it("of the next release is read, and of a later one refused", () => {
    expect(upgradeItem(PERSON, itemVersion(NICKNAMES) + 1, NICKNAMES)).toBeDefined();
    expect(() => upgradeItem(PERSON, itemVersion(NICKNAMES) + 2, NICKNAMES)).toThrow(NewerFormatError);
  });

  it.each([
    { changed: "an attribute", upgrade: (record: StoredRecord) => [{ ...record, name: "Robert" }] },
    { changed: "the key", upgrade: (record: StoredRecord) => [{ ...record, sk: "robert" }] },
    { changed: "what is there", upgrade: ({ name, ...record }: StoredRecord) => [record] },
  ])("keeps what the previous release relies on: a step that changes $changed is refused", ({ upgrade }) => {
    const step = { version: 2, name: "bad", kinds: ["person"], upgrade } as AddingStep;
    expect(() => takeStep(step, PERSON)).toThrow("steps only add");
  });
});
