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

/** Bundles modules together and returns the files of this repository that each of them loads, at once or later. */
async function filesOf(modules: string[]): Promise<Map<string, Set<string>>> {
  const { metafile } = await build({
    entryPoints: modules.map(entryPointOf),
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
  const loadedBy = (module: string) => {
    const files = new Set([entryPointOf(module)]);
    for (const file of files) {
      for (const { path: imported, external } of metafile.inputs[file]?.imports ?? []) {
        if (!external) files.add(imported);
      }
    }
    return files;
  };
  return new Map(modules.map((module) => [module, loadedBy(module)]));
}

it("grants no function that fetches addresses of users the first key, signing keys or the key of backups", async () => {
  const functions = [...(await discoverGroups()), ...(await discoverWorkers())];
  const filesByModule = await filesOf(functions.map(({ module }) => module));
  const fetching: string[] = [];
  for (const { manifest, module } of functions) {
    const files = filesByModule.get(module) ?? new Set();
    expect(files.size, manifest.name).toBeGreaterThan(10);
    if (!files.has(FETCHING)) continue;
    fetching.push(manifest.name);
    for (const capability of NEVER_BESIDE_FETCHING)
      expect(manifest.capabilities, manifest.name).not.toContain(capability);
  }
  const known = ["connections", "sources", "webhooks", "deliver-webhooks", "sync-connections"];
  expect(fetching).toEqual(expect.arrayContaining(known));
});
