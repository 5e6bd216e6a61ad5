import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { discoverGroups, discoverWorkers } from "../../infra/discover.ts";
import { entryPointOf, entryPoints } from "../../infra/entry-points.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The module through which all code requests URLs that users give. */
const FETCHING = "shared/runtime/fetching/fetch-public.ts";
const NEVER_BESIDE_FETCHING = ["secrets:bootstrap", "secrets:signing", "secrets:backups"];

/** Returns the files of this repository that a module loads, at once or later. */
async function filesOf(module: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entryPointOf(module)],
    plugins: [entryPoints],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: path.join(ROOT, "out"),
  });
  return Object.keys(metafile.inputs);
}

it("grants no function that fetches addresses of users the first key, signing keys or the key of backups", async () => {
  const functions = [...(await discoverGroups()), ...(await discoverWorkers())];
  const fetching: string[] = [];
  for (const { manifest, module } of functions) {
    const files = await filesOf(module);
    expect(files.length, manifest.name).toBeGreaterThan(10);
    if (!files.includes(FETCHING)) continue;
    fetching.push(manifest.name);
    for (const capability of NEVER_BESIDE_FETCHING)
      expect(manifest.capabilities, manifest.name).not.toContain(capability);
  }
  const known = ["connections", "sources", "webhooks", "deliver-webhooks", "sync-connections"];
  expect(fetching).toEqual(expect.arrayContaining(known));
});
