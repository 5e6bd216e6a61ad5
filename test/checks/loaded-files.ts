import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles modules together and returns the files of this repository that each of them loads, at once or later. */
export async function filesOf(modules: string[]): Promise<Map<string, Set<string>>> {
  const { metafile } = await build({
    entryPoints: modules,
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
    const files = new Set([path.relative(ROOT, module)]);
    for (const file of files) {
      for (const { path: imported, external } of metafile.inputs[file]?.imports ?? []) {
        if (!external) files.add(imported);
      }
    }
    return files;
  };
  return new Map(modules.map((module) => [module, loadedBy(module)]));
}
