import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { on } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReadingJob } from "../shared/domain/knowledge/sources/extraction/jobs.ts";
import { GROUP_FILES_FOLDER } from "../shared/ports/manifest.ts";
import { type TaskMessage, TEXT_THREAD } from "../shared/runtime/text-work/messages.ts";
import { BUNDLED_THREAD } from "../shared/runtime/text-work/run.ts";
import { pdfOf, pngOf, wavOf } from "../test/fixtures/documents.ts";
import { temporaryFolder } from "../test/fixtures/temporary-folder.ts";
import { type Bundle, bundleHandlers, HANDLER_BUDGET_BYTES } from "./bundle.ts";
import { discoverGroups, discoverWorkers } from "./discover.ts";

/** Largest asset of a function, compared with all files together. */
const MAX_SHARE = 0.8;

/** Where all handlers are bundled once for the tests that look into the bundle. */
const folder = mkdtempSync(path.join(tmpdir(), "bundle-"));
let handlers: Bundle["handlers"];
let assetOf: Bundle["assetOf"];
beforeAll(async () => {
  ({ handlers, assetOf } = await bundleHandlers({ folder }));
});
afterAll(() => {
  for (const each of [folder, `${folder}-assets`]) rmSync(each, { recursive: true, force: true });
});

/** Bundles one module of the given source. */
async function bundleSource(source: string) {
  const folder = temporaryFolder();
  const entry = path.join(folder, "entry.ts");
  writeFileSync(entry, source);
  return bundleHandlers({ folder: path.join(folder, "out"), entries: { entry } });
}

describe("the bundle of all handlers", () => {
  it("is within budget, loads, and omits the local platform and zod's other languages", async () => {
    const [groups, workers] = await Promise.all([discoverGroups(), discoverWorkers()]);
    const names = [...groups, ...workers].map(({ manifest }) => manifest.name);
    expect(handlers.map(({ name }) => path.basename(name))).toEqual(expect.arrayContaining(names));
    for (const { own, shared } of handlers) expect(own + shared).toBeLessThanOrEqual(HANDLER_BUDGET_BYTES);

    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".mjs"));
    const code = files.map((file) => readFileSync(path.join(folder, file), "utf8")).join("\n");
    expect(code).not.toContain("node:sqlite");
    expect(code).not.toContain("Ungültige Eingabe");

    const imports = handlers.map(({ name }) => `import(${JSON.stringify(path.join(folder, `${name}.mjs`))})`);
    const script = `const modules = await Promise.all([${imports}]);
      console.log(modules.filter(({ handler }) => typeof handler === "function").length); process.exit();`;
    const loaded = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    expect(Number(loaded)).toBe(handlers.length);
  });
});

/** The files below a folder, by their paths there. */
const filesIn = (folder: string) => [...digestsIn(folder).keys()];

describe("the asset of a function", () => {
  it("has each file that its code imports, and loads by itself", () => {
    const script = (file: string) => `import(${JSON.stringify(file)}).then(({ handler }) => {
      if (typeof handler !== "function") throw new Error("no handler");
    })`;
    const loads = handlers.map(({ name }) => script(path.join(assetOf(`${name}.handler`), `${name}.mjs`)));
    execFileSync(process.execPath, ["--input-type=module", "--eval", `await Promise.all([${loads}]); process.exit();`]);
    for (const { name } of handlers) {
      const asset = assetOf(`${name}.handler`);
      for (const file of filesIn(asset).filter((each) => each.endsWith(".mjs"))) {
        const code = readFileSync(path.join(asset, file), "utf8");
        const imported = [...code.matchAll(/(?:from|import\(?)\s*"(\.{1,2}\/[^"]+\.mjs)"/g)].map(
          ([, each = ""]) => each,
        );
        const absent = imported.filter((each) => !existsSync(path.join(asset, path.dirname(file), each)));
        expect(absent, `${name}: ${file}`).toEqual([]);
      }
    }
  });

  it("has fonts, pages and the thread only where they are used", () => {
    const having = (pattern: RegExp) =>
      handlers.flatMap(({ name }) =>
        filesIn(assetOf(`${name}.handler`)).some((file) => pattern.test(file)) ? [name] : [],
      );
    expect(having(/\.ttf$/)).toEqual(["sessions"]);
    expect(having(/README\.md$/)).toEqual(["docs"]);
    expect(having(new RegExp(`^${GROUP_FILES_FOLDER}/console/`))).toEqual(["console"]);
    const withThread = having(new RegExp(`^${BUNDLED_THREAD}$`));
    expect(withThread).toEqual(expect.arrayContaining(["memories", "search", "sources"]));
    expect(withThread).not.toContain("custom-resources/origin-hashes");
    expect(() => assetOf("nobody.handler")).toThrow("has no handler 'nobody'");
  });

  it("is smaller than the whole bundle", () => {
    const bytes = (folder: string, files: string[]) =>
      files.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
    const whole = bytes(folder, filesIn(folder));
    const sizes = handlers.map(({ name }) => assetOf(`${name}.handler`)).map((asset) => bytes(asset, filesIn(asset)));
    for (const size of sizes) expect(size).toBeLessThan(whole * MAX_SHARE);
  });

  it("stays the same if the code of another function changes", async () => {
    const source = temporaryFolder();
    const entries = Object.fromEntries(["one", "other"].map((name) => [name, path.join(source, `${name}.ts`)]));
    writeFileSync(path.join(source, "shared.ts"), 'export const shared = () => "shared by both";');
    const write = (name: string, text: string) =>
      writeFileSync(
        path.join(source, `${name}.ts`),
        `import { shared } from "./shared.ts"; export const handler = () => shared() + ${JSON.stringify(text)};`,
      );
    const assets = async (text: string) => {
      write("one", "unchanged");
      write("other", text);
      const { assetOf } = await bundleHandlers({ folder: path.join(source, "out"), entries });
      return [digestsIn(assetOf("one.handler")), digestsIn(assetOf("other.handler"))];
    };
    const [one, other] = await assets("before");
    const [sameOne, changedOther] = await assets("after");
    expect(sameOne).toEqual(one);
    expect(one?.size).toBe(2);
    expect(changedOther).not.toEqual(other);
  });
});

describe("the bundle of the same code", () => {
  it("is the same file by file from another path and another working directory", () => {
    const copy = path.join(temporaryFolder(), "at/another/path");
    const folders = ["functions", "shared", "infra", "models", "docs", "clients/typescript", "clients/python"];
    for (const part of [...folders, "package.json", "tsconfig.json", "openapi.json", "llms.txt", "README.md"]) {
      cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true, filter: isSource });
    }
    symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
    const script = `import { bundleHandlers } from ${JSON.stringify(path.join(copy, "infra/bundle.ts"))};
      await bundleHandlers();`;
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: tmpdir() });
    const digests = digestsIn(folder);
    expect(digests.size).toBeGreaterThan(handlers.length);
    expect(digestsIn(path.join(copy, "dist/lambda"))).toEqual(digests);
  });
});

const ROOT = path.join(import.meta.dirname, "..");

/** Excludes packages, and files that other tests write beside the code. */
function isSource(file: string): boolean {
  return !/[\\/](node_modules|dist|cdk\.out)$|\.test\.ts$/.test(file);
}

/** SHA-256 of every file below a folder, by its path there. */
function digestsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  return new Map(
    paths.map((file) => [path.relative(folder, file), createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );
}

/** `run-maintenance` is included because it deletes the connections of erased users. */
const CONNECTING = ["connections", "workers/sync-connections"];

/** Packages that take tens of milliseconds or megabytes to load, and the functions that may load them on demand. */
const HEAVY: Record<string, string[] | "any function"> = {
  "@aws-lambda-powertools/metrics": "any function",
  "@aws-sdk/client-bedrock-runtime": "any function",
  "@aws-sdk/client-cloudwatch-logs": "any function",
  "@aws-sdk/client-dynamodb": "any function",
  "@aws-sdk/client-s3": "any function",
  "@aws-sdk/client-secrets-manager": "any function",
  "@aws-sdk/client-sesv2": "any function",
  "@aws-sdk/client-sqs": "any function",
  "@notionhq/client": CONNECTING,
  "@octokit/request": CONNECTING,
  "@slack/web-api": CONNECTING,
  "@zxcvbn-ts/language-common": ["auth", "users"],
  fontkit: ["sessions"],
  "openid-client": ["auth"],
  pdfkit: ["sessions"],
  qr: ["auth"],
};

/** Packages that the many functions for texts load. */
const HEAVY_WITH_TEXTS = ["compromise", "gpt-tokenizer"];
/** Packages that only the local platform loads. */
const LOCAL = ["nodemailer"];
/** Packages that only the thread for text tasks loads, to read files. */
const HEAVY_IN_THREAD = ["@mozilla/readability", "html-to-text", "htmlparser2", "linkedom", "music-metadata", "unpdf"];

describe("heavy libraries", () => {
  it("are in no function's initial load, and are available only to the functions that use them", async () => {
    const service = handlers.filter(({ name }) => !name.startsWith("custom-resources/"));
    const all = [...Object.keys(HEAVY), ...HEAVY_WITH_TEXTS, ...HEAVY_IN_THREAD, "@opensearch-project/opensearch"];
    for (const { name, packages } of service) {
      expect(packages.atOnce, name).toContain("zod");
      const heavy = packages.atOnce.filter((each) => all.includes(each) || each.startsWith("@aws-sdk/client-"));
      const local = [...packages.atOnce, ...packages.later].filter((each) => LOCAL.includes(each));
      const ofThread = packages.later.filter((each) => HEAVY_IN_THREAD.includes(each));
      expect({ heavy, local, ofThread }, name).toEqual({ heavy: [], local: [], ofThread: [] });
    }
    const reaching = (library: string) =>
      service.filter(({ packages }) => packages.later.includes(library)).map(({ name }) => name);
    for (const [library, functions] of Object.entries(HEAVY)) {
      if (functions === "any function") expect(reaching(library).length, library).toBeGreaterThan(0);
      else expect(reaching(library).sort(), library).toEqual(functions);
    }
    for (const library of HEAVY_WITH_TEXTS) {
      expect(reaching(library), library).toContain("memories");
      expect(reaching(library), library).not.toContain("auth");
    }
  });
});

describe("the bundled thread", () => {
  it("reads files of every kind with its bundled libraries", async () => {
    const read = async (job: ReadingJob) => {
      const thread = new Worker(path.join(folder, BUNDLED_THREAD), { workerData: TEXT_THREAD });
      const messages = on(thread, "message");
      thread.postMessage({ task: `read_${job.kind}`, input: job } satisfies TaskMessage);
      // The first message reports the start of the task.
      await messages.next();
      const answer = await messages.next();
      await thread.terminate();
      return answer.value?.[0].value;
    };
    const html = Buffer.from("<html><body><article><h1>Pier</h1><p>Ships call here.</p></article></body></html>");
    expect(await read({ kind: "html", bytes: html, declared: "", page: true })).toMatchObject({
      reading: { title: "Pier", text: expect.stringContaining("Ships call here.") },
    });
    const pdf = await pdfOf(["Ships call here."]);
    expect(await read({ kind: "pdf", bytes: pdf })).toMatchObject({
      reading: { text: expect.stringContaining("Ships call here.") },
    });
    expect(await read({ kind: "image", bytes: pngOf(3, 2) })).toEqual({
      reading: { details: { width: 3, height: 2 } },
    });
    const sound = { kind: "audio" as const, bytes: wavOf(1), content_type: "audio/wav", size: 8044 };
    expect(await read(sound)).toMatchObject({ reading: { details: { duration_seconds: 1 } } });
  });
});

describe("files of packages", () => {
  it("are where the code looks for them, with their licences", async () => {
    const { resolve } = createRequire(path.join(folder, "chunks", "any.mjs"));
    const groups = (await discoverGroups()).filter(({ manifest }) => manifest.packageFiles);
    expect(groups.length).toBeGreaterThan(0);
    const named = groups.flatMap(({ manifest }) => manifest.packageFiles ?? []).filter((file) => !file.includes("*"));
    expect(named.length).toBeGreaterThan(5);
    for (const file of named) {
      expect(resolve(file)).toBe(path.join(folder, "node_modules", file));
      const owner = path.join(folder, "node_modules", /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "");
      const { license } = JSON.parse(readFileSync(path.join(owner, "package.json"), "utf8"));
      // A package without the text of its licence names it.
      expect(readdirSync(owner).some((each) => each.startsWith("LICENSE")) || license === "OFL-1.1", owner).toBe(true);
    }
  });
});

/** Returns a bundled function's response to its sample event with another path, in a process started as on Lambda. */
function served(group: string, rawPath: string): { body: string } {
  const answer = path.join(temporaryFolder(), "answer");
  const event = { ...JSON.parse(readFileSync(`events/${group}.json`, "utf8")), rawPath };
  const script = `const { handler } = await import(${JSON.stringify(path.join(folder, `${group}.mjs`))});
    const response = await handler(${JSON.stringify(event)}, {});
    (await import("node:fs")).writeFileSync(${JSON.stringify(answer)}, JSON.stringify(response));
    process.exit();`;
  const env = { ...process.env, PLATFORM: "aws", AWS_REGION: "us-east-1", LAMBDA_TASK_ROOT: folder };
  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { env, stdio: "ignore" });
  return JSON.parse(readFileSync(answer, "utf8"));
}

describe("files of groups", () => {
  it("are in folders named after the groups, without tests", async () => {
    const groups = (await discoverGroups()).filter(({ manifest }) => manifest.files ?? manifest.rootFiles);
    expect(groups.map(({ manifest }) => manifest.name)).toEqual(["console", "docs"]);
    for (const { manifest, module } of groups) {
      const root = path.join(folder, GROUP_FILES_FOLDER, manifest.name);
      const copied = readdirSync(root, { recursive: true, encoding: "utf8" });
      const read = (parent: string, file: string) => readFileSync(path.join(parent, file), "utf8");
      const files = copied.filter((file) => path.extname(file) !== "");
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => file.endsWith(".ts"))).toEqual([]);
      for (const file of files) {
        expect(read(root, file)).toBe(read(manifest.rootFiles ? "." : path.dirname(module), file));
      }
    }
    const page = readFileSync("functions/console/browser/page.html", "utf8");
    expect(served("console", "/console").body).toBe(page.replaceAll("{root}", "./").replace("{session}", ""));
  });
});

describe("handlers", () => {
  it("have no folder of the same name beside them, which Lambda's runtime client would load instead", () => {
    const folders = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isDirectory());
    const names = new Set(folders.map((each) => path.relative(folder, path.join(each.parentPath, each.name))));
    expect(names).toContain(GROUP_FILES_FOLDER);
    expect(handlers.filter(({ name }) => names.has(name))).toEqual([]);
  });
});

describe("the API reference", () => {
  it("is a page of one function, whose files another serves", () => {
    const { body: page } = served("docs", "/docs");
    for (const name of ["style.css", "reference.css", "reference.js"]) {
      expect(page).toContain(`"./console/${name}"`);
      expect(served("console", `/console/${name}`)).toMatchObject({ statusCode: 200 });
    }
  });
});

describe("the documentation", () => {
  it("is served with its index", () => {
    expect(served("docs", "/llms.txt").body).toContain("(docs/recall.md)");
    expect(served("docs", "/docs/recall.md")).toMatchObject({ statusCode: 200 });
  });
});

describe("bundleHandlers", () => {
  it("refuses a bundle without handlers", async () => {
    await expect(bundleHandlers({ folder: temporaryFolder(), entries: {} })).rejects.toThrow("no handler");
  });

  it("refuses a handler over budget, and names it", async () => {
    const heavy = `export const handler = () => ${JSON.stringify("x".repeat(HANDLER_BUDGET_BYTES))};`;
    await expect(bundleSource(heavy)).rejects.toThrow(/over the budget .*entry \(\d+\)/);
  });

  it("does not count dynamic imports", async () => {
    const folder = temporaryFolder();
    const late = `export const late = ${JSON.stringify("x".repeat(HANDLER_BUDGET_BYTES))};`;
    writeFileSync(path.join(folder, "late.ts"), late);
    const entry = path.join(folder, "entry.ts");
    writeFileSync(entry, 'export const handler = async () => (await import("./late.ts")).late;');
    const { handlers } = await bundleHandlers({ folder: path.join(folder, "out"), entries: { entry } });
    expect(handlers).toEqual([expect.objectContaining({ name: "entry" })]);
    expect(handlers[0]!.own).toBeLessThan(2000);
    expect(handlers[0]!.dynamic).toBeGreaterThan(HANDLER_BUDGET_BYTES);
  });

  it("refuses a static import of the local platform", async () => {
    const local = path.resolve("shared/adapters/local/ports.ts");
    await expect(bundleSource(`export { openLocalPorts as handler } from ${JSON.stringify(local)};`)).rejects.toThrow(
      "imports the local platform statically",
    );
  });

  it("refuses a dynamic import of CommonJS, whose names esbuild would lose", async () => {
    const signer = path.resolve("node_modules/@opensearch-project/opensearch/lib/aws/index-v3.js");
    const source = `export const handler = async () => (await import(${JSON.stringify(signer)})).AwsSigv4Signer;`;
    await expect(bundleSource(source)).rejects.toThrow("loses its names");
  });
});
