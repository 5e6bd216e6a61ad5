import { cpSync, existsSync, globSync, linkSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { GROUP_FILES_FOLDER } from "../shared/ports/manifest.ts";
import { BUNDLED_THREAD } from "../shared/runtime/text-work/run.ts";
import { discoverGroups, discoverWorkers } from "./discover.ts";

/** Maximum bytes that a handler loads before it can respond: its own chunk and statically imported ones, minified. */
export const HANDLER_BUDGET_BYTES = 1_350_000;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUNDLE_FOLDER = path.join(ROOT, "dist/lambda");

const ENTRY_EXTENSION = ".mjs";
const CHUNKS_FOLDER = "chunks";

/** Size of one bundled handler, in bytes. */
export interface HandlerSize {
  /** Output path without its extension, e.g. `memories` or `workers/sweep`. */
  name: string;
  own: number;
  /** Chunks imported statically, directly or indirectly. */
  shared: number;
  /** Chunks that may be imported later. */
  dynamic: number;
  /** Names of the bundled packages that are loaded at once, and of those loaded later. */
  packages: { atOnce: string[]; later: string[] };
}

export interface Bundle {
  folder: string;
  /**
   * Returns a folder with the files that a function may load, by its handler (`memories.handler`): new code of others
   * changes no file in it.
   */
  assetOf(handler: string): string;
  handlers: HandlerSize[];
  /** All files together. */
  totalBytes: number;
}

/** The Lambda entry point of a group or worker in its asset. */
export const lambdaHandler = {
  group: (name: string) => `${entryName.group(name)}.handler`,
  worker: (name: string) => `${entryName.worker(name)}.handler`,
  customResource: (name: (typeof CUSTOM_RESOURCES)[number]) => `${entryName.customResource(name)}.handler`,
};

/** Handlers of the deployment's custom resources, bundled with the service's. */
export const CUSTOM_RESOURCES = ["search-role", "first-key", "origin-hashes"] as const;

/** The worker thread that runs text tasks. */
const THREAD = fileURLToPath(new URL("text-work/thread.ts", import.meta.url));
const THREADS_FOLDER = path.dirname(BUNDLED_THREAD);

const entryName = {
  group: (name: string) => name,
  worker: (name: string) => `workers/${name}`,
  customResource: (name: string) => `custom-resources/${name}`,
};

const PACKAGES = path.join(ROOT, "node_modules");

/** Files that the code of a group reads at run time, and the group's function alone has. */
interface GroupFiles {
  group: string;
  patterns: string[];
  source: string;
}

/** The same in packages. */
type PackageFiles = Omit<GroupFiles, "source">;

/** The code and files to deploy. */
interface Handlers {
  /** Output name -> source file. */
  entries: Record<string, string>;
  packageFiles: PackageFiles[];
  groupFiles: GroupFiles[];
}

async function findHandlers(): Promise<Handlers> {
  const [groups, workers] = await Promise.all([discoverGroups(), discoverWorkers()]);
  if (groups.length + workers.length === 0) throw new Error("there is no handler to bundle");
  const entries = Object.fromEntries([
    ...groups.map(({ manifest, handler }) => [entryName.group(manifest.name), handler]),
    ...workers.map(({ manifest, handler }) => [entryName.worker(manifest.name), handler]),
    ...CUSTOM_RESOURCES.map((name) => [entryName.customResource(name), sourceOf(name)]),
    [BUNDLED_THREAD.slice(0, -ENTRY_EXTENSION.length), THREAD],
  ]);
  const groupFiles = groups.flatMap(({ manifest: { name, files = [], rootFiles = [] }, module }) => [
    { group: name, patterns: files, source: path.dirname(module) },
    { group: name, patterns: rootFiles, source: ROOT },
  ]);
  const packageFiles = groups.map(({ manifest: { name, packageFiles: patterns = [] } }) => ({ group: name, patterns }));
  return { entries, packageFiles, groupFiles };
}

function sourceOf(customResource: string): string {
  return fileURLToPath(new URL(`custom-resources/${customResource}.ts`, import.meta.url));
}

/**
 * Bundles handlers (by default all of the service's) into one folder in one esbuild pass, so that they share chunks.
 * Throws if there are none, or if one exceeds its budget.
 */
export async function bundleHandlers(
  options: { folder?: string; entries?: Record<string, string> } = {},
): Promise<Bundle> {
  const folder = options.folder ?? BUNDLE_FOLDER;
  const { entries, packageFiles, groupFiles } = options.entries
    ? { entries: options.entries, packageFiles: [], groupFiles: [] }
    : await findHandlers();
  for (const each of [folder, assetsFolder(folder)]) rmSync(each, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: entries,
    // Paths in hashes are relative to it, so that the same code has the same hash anywhere.
    absWorkingDir: ROOT,
    preserveSymlinks: true,
    outdir: folder,
    outExtension: { ".js": ENTRY_EXTENSION },
    chunkNames: `${CHUNKS_FOLDER}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    minify: true,
    // Escapes would take up to three times the bytes of letters, of which packs of languages have many.
    charset: "utf8",
    keepNames: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    legalComments: "none",
    logLevel: "warning",
    banner: { js: CREATE_REQUIRE },
    plugins: [englishZodOnly, localPlatformLeftOut],
  });
  refuseNamelessImports(metafile);
  const files = filesOfHandlers(metafile, folder);
  for (const each of packageFiles) files.get(each.group)?.push(...copyPackageFiles(each, folder));
  for (const each of groupFiles) files.get(each.group)?.push(...copyGroupFiles(each, folder));
  const handlers = measure(metafile, folder);
  refuseOverBudget(handlers);
  const totalBytes = Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  return { folder, assetOf: (handler) => linkAsset(folder, handler, files), handlers, totalBytes };
}

/** The module whose code starts the thread by the name of its file, which no import shows. */
const THREAD_STARTER = /(^|\/)shared\/runtime\/text-work\/run\.ts$/;

/** The files below a folder that each handler may load: its chunks, also those imported later, and the thread's. */
function filesOfHandlers({ outputs }: Metafile, folder: string): Map<string, string[]> {
  const allOf = (file: string) => closure(outputs, [file], ["import-statement", "dynamic-import"]);
  const thread = Object.keys(outputs).find((file) => nameIn(folder, file) === BUNDLED_THREAD);
  const handlers = Object.entries(outputs).filter(([file, output]) => isHandler(file, output, folder));
  return new Map(
    handlers.map(([file]) => {
      const reached = allOf(file);
      const startsThread = [...reached].some((each) =>
        Object.keys(outputs[each]?.inputs ?? {}).some((input) => THREAD_STARTER.test(input)),
      );
      const all = new Set([...reached, ...(startsThread && thread !== undefined ? allOf(thread) : [])]);
      return [handlerName(folder, file), [...all].map((each) => nameIn(folder, each))];
    }),
  );
}

const assetsFolder = (folder: string) => `${folder}-assets`;

/** Links the files of a handler into a folder of its own beside the bundle's, once. */
function linkAsset(folder: string, handler: string, files: Map<string, string[]>): string {
  const name = handler.slice(0, handler.lastIndexOf("."));
  const asset = path.join(assetsFolder(folder), `${name}.asset`);
  if (existsSync(asset)) return asset;
  const own = files.get(name);
  if (own === undefined) throw new Error(`the bundle has no handler '${name}'`);
  for (const file of new Set(own)) {
    mkdirSync(path.dirname(path.join(asset, file)), { recursive: true });
    linkSync(path.join(folder, file), path.join(asset, file));
  }
  return asset;
}

/**
 * Copies package files to where the code finds them as in the source tree: in node_modules above it. Returns them.
 * Throws if there are none.
 */
function copyPackageFiles({ patterns }: PackageFiles, folder: string): string[] {
  return patterns.flatMap((pattern) => {
    const scope = pattern.startsWith("@") ? 2 : 1;
    const owner = pattern.split("/").slice(0, scope).join("/");
    const found = globSync(pattern, { cwd: PACKAGES });
    if (found.length === 0) throw new Error(`no file of a package matches ${pattern}`);
    const terms = globSync(`${owner}/{package.json,LICENSE*}`, { cwd: PACKAGES });
    return [...new Set([...found, ...terms])].map((file) => {
      cpSync(path.join(PACKAGES, file), path.join(folder, "node_modules", file));
      return path.join("node_modules", file);
    });
  });
}

/**
 * Copies files of a group to where the deployed group reads them. Returns them. Throws if there are none. A folder
 * beside a handler must not have the handler's name: Lambda's runtime client would load the folder.
 */
function copyGroupFiles({ group, patterns, source }: GroupFiles, folder: string): string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: source });
    if (found.length === 0) throw new Error(`no file of the group '${group}' matches ${pattern}`);
    return found.map((file) => {
      const copy = path.join(GROUP_FILES_FOLDER, group, file);
      cpSync(path.join(source, file), path.join(folder, copy));
      return copy;
    });
  });
}

/** CommonJS dependencies inside an ESM bundle still call `require` for Node's modules. */
const CREATE_REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/** zod's messages in forty languages are half of its size; the service needs only English. */
const englishZodOnly: Plugin = {
  name: "english-zod-only",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** The local platform is not deployed to AWS: a static import fails the build, a dynamic one throws. */
const localPlatformLeftOut: Plugin = {
  name: "local-platform-omitted",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /[\\/]local[\\/]/ }, ({ path: imported, resolveDir, importer, kind }) => {
      const target = path.resolve(resolveDir, imported);
      if (!/[\\/](shared[\\/]adapters|infra)[\\/]local[\\/]/.test(target)) return undefined;
      if (kind === "dynamic-import") return { path: path.relative(ROOT, target), namespace: "local-platform" };
      return { errors: [{ text: `${importer} imports the local platform statically: ${imported}` }] };
    });
    onLoad({ filter: /.*/, namespace: "local-platform" }, () => ({
      contents: 'throw new Error("PLATFORM=local runs from source: the AWS bundle omits the local platform");',
      loader: "js",
    }));
  },
};

/** With splitting, esbuild gives a dynamic import of a CommonJS module only a default export. */
function refuseNamelessImports({ inputs }: Metafile): void {
  const nameless = Object.entries(inputs).flatMap(([importer, { imports }]) =>
    imports
      .filter(({ kind, path: imported }) => kind === "dynamic-import" && inputs[imported]?.format === "cjs")
      .filter(() => !importer.includes("node_modules"))
      .map(({ path: imported }) => `${importer} imports ${imported}`),
  );
  if (nameless.length === 0) return;
  throw new Error(
    `dynamic import of CommonJS, which loses its names; import it statically in a module of ours and that one dynamically: ${nameless.join(", ")}`,
  );
}

function measure({ outputs }: Metafile, folder: string): HandlerSize[] {
  const sizeOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
  return Object.entries(outputs)
    .filter(([file, output]) => isHandler(file, output, folder))
    .map(([file, output]) => {
      const eager = closure(outputs, [file], ["import-statement"]);
      const reachable = closure(outputs, [file], ["import-statement", "dynamic-import"]);
      return {
        name: handlerName(folder, file),
        own: output.bytes,
        shared: sizeOf(eager) - output.bytes,
        dynamic: sizeOf(reachable) - sizeOf(eager),
        packages: {
          atOnce: packagesIn(outputs, eager),
          later: packagesIn(outputs, new Set([...reachable].filter((file) => !eager.has(file)))),
        },
      };
    });
}

function handlerName(folder: string, output: string): string {
  return nameIn(folder, output).slice(0, -ENTRY_EXTENSION.length);
}

/** The path of an output below the bundle's folder; esbuild names outputs relative to the root. */
function nameIn(folder: string, output: string): string {
  return path.relative(folder, path.resolve(ROOT, output));
}

/** Threads and dynamic imports are entry points for esbuild too; the latter are among the chunks. */
function isHandler(file: string, output: Metafile["outputs"][string], folder: string): boolean {
  const [first = ""] = nameIn(folder, file).split(path.sep);
  return output.entryPoint !== undefined && ![CHUNKS_FOLDER, THREADS_FOLDER].includes(first);
}

function closure(outputs: Metafile["outputs"], from: string[], kinds: string[]): Set<string> {
  const reached = new Set(from);
  for (const file of reached) {
    for (const imported of outputs[file]?.imports ?? []) {
      if (kinds.includes(imported.kind) && !imported.external) reached.add(imported.path);
    }
  }
  return reached;
}

function packagesIn(outputs: Metafile["outputs"], files: Set<string>): string[] {
  const inputs = [...files].flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}));
  const names = inputs.flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (input.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []) : [],
  );
  return [...new Set(names)].sort();
}

function refuseOverBudget(handlers: HandlerSize[]): void {
  if (handlers.length === 0) throw new Error("the bundle has no handler");
  const over = handlers.filter(({ own, shared }) => own + shared > HANDLER_BUDGET_BYTES);
  if (over.length === 0) return;
  const named = over.map(({ name, own, shared }) => `${name} (${own + shared})`).join(", ");
  throw new Error(`over the budget of ${HANDLER_BUDGET_BYTES} bytes a handler: ${named}`);
}
