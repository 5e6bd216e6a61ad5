import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { newPrincipal } from "../../test/support/principals.ts";
import { openRecordStore } from "../../test/support/record-store.ts";
import type { LocalRecordStore } from "../adapters/local/records.ts";
import { loadConfig } from "../entry/config.ts";
import { createIds } from "../kernel/ids.ts";
import type { AuditScope } from "./audit/audit.ts";
import { listAudit } from "./audit/records.ts";
import { type Setting, Settings } from "./settings.ts";

const COLOURS: Setting<{ wall: string; roof: string }> = {
  name: "colours",
  schema: z.object({ wall: z.string(), roof: z.string().default("red") }),
  initial: { wall: "white", roof: "red" },
};

let now: number;
let store: LocalRecordStore;

beforeEach(() => {
  now = Date.parse("2026-01-31T12:00:00Z");
  store = openRecordStore(() => now);
});

const ADMIN: AuditScope = {
  org: "org_1",
  principal: newPrincipal({ kind: "user", id: "user_1", operator: true, permissions: ["admin:all"] }),
  clock: () => now,
  ids: createIds(),
  config: loadConfig({}),
};

const openSettings = () => new Settings(store, () => now);

describe("settings", () => {
  it("have their initial value until they are changed, and a change returns both values", async () => {
    const settings = openSettings();
    expect(await settings.read(COLOURS)).toEqual(COLOURS.initial);
    const change = await settings.change(ADMIN, COLOURS, (current) => ({ ...current, wall: "blue" }));
    expect(change).toEqual({ previous: COLOURS.initial, value: { wall: "blue", roof: "red" } });
    expect(await settings.read(COLOURS)).toEqual({ wall: "blue", roof: "red" });
  });

  it("are effective at once where they are changed, and within seconds in other processes", async () => {
    const [here, elsewhere] = [openSettings(), openSettings()];
    await elsewhere.read(COLOURS);
    await here.change(ADMIN, COLOURS, (current) => ({ ...current, wall: "blue" }));
    expect((await here.read(COLOURS)).wall).toBe("blue");
    now += 30_000;
    expect((await elsewhere.read(COLOURS)).wall).toBe("blue");
  });

  it("have an audit record of who changed which parts", async () => {
    await openSettings().change(ADMIN, COLOURS, (current) => ({ ...current, wall: "blue" }));
    const { entries } = await listAudit(store, { org: "org_1" }, {}, { limit: 10, offset: 0 });
    expect(entries).toMatchObject([
      {
        action: "settings.changed",
        target: "colours",
        actor: { kind: "user", id: "user_1" },
        details: { changed: ["wall"] },
      },
    ]);
  });

  it("lose no concurrent change of different parts", async () => {
    const [one, other] = [openSettings(), openSettings()];
    await Promise.all([one.read(COLOURS), other.read(COLOURS)]);
    await Promise.all([
      one.change(ADMIN, COLOURS, (current) => ({ ...current, wall: "blue" })),
      other.change(ADMIN, COLOURS, (current) => ({ ...current, roof: "black" })),
    ]);
    expect(await openSettings().read(COLOURS)).toEqual({ wall: "blue", roof: "black" });
  });
});
