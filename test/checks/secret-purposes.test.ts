import { expect, it } from "vitest";
import { discoverGroups, discoverWorkers } from "../../infra/discover.ts";
import { filesOf } from "./loaded-files.ts";

/** The module through which all code requests URLs that users give. */
const FETCHING = "shared/runtime/fetching/fetch-public.ts";
const NEVER_BESIDE_FETCHING = ["secrets:bootstrap", "secrets:signing", "secrets:backups"];

it("grants no function that fetches addresses of users the first key, signing keys or the key of backups", async () => {
  const functions = [...(await discoverGroups()), ...(await discoverWorkers())];
  const filesByHandler = await filesOf(functions.map(({ handler }) => handler));
  const fetching: string[] = [];
  for (const { manifest, handler } of functions) {
    const files = filesByHandler.get(handler) ?? new Set();
    expect(files.size, manifest.name).toBeGreaterThan(10);
    if (!files.has(FETCHING)) continue;
    fetching.push(manifest.name);
    for (const capability of NEVER_BESIDE_FETCHING)
      expect(manifest.capabilities, manifest.name).not.toContain(capability);
  }
  const known = ["connections", "sources", "webhooks", "deliver-webhooks", "sync-connections"];
  expect(fetching).toEqual(expect.arrayContaining(known));
});
