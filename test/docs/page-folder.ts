import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pdfOf, zipOf } from "../fixtures/documents.ts";
import { type LoopbackServer, listenOnLoopback } from "../fixtures/loopback-server.ts";
import { type LocalService, openService } from "../support/service.ts";
import { PROJECT } from "./blocks.ts";
import { makeId, NAMES } from "./ids.ts";

/** mem0's client, a package of test/. */
const MEM0 = path.join(PROJECT, "test/node_modules/mem0ai");
export const hasMem0: boolean = existsSync(MEM0);

/** The key that pages export: the service seals archives with it, and later blocks restore them with it. */
const BACKUP_KEY = "a key of at least 20 characters";

/** The parts of the project that commands of a page read. */
const LINKED = ["package.json", "infra", "functions", "shared", "clients", "docs", "models", "test", "openapi.json"];

/** A service for one page, and a folder that looks like the project's, in which the blocks of the page run. */
export interface PageFolder {
  folder: string;
  service: LocalService;
  /** Returns the block's text with the address of this service, and with reachable stand-ins for other hosts. */
  localize(text: string): string;
  /** Returns the environment of a block, with the ids that its text names. */
  environmentFor(text: string): Promise<NodeJS.ProcessEnv>;
  /** Stops the service, for commands that need its folder. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a service with a page folder around its data. `client` is the folder of the compiled TypeScript client;
 * `embedder` is "onnx" as with `npm start`, or one that loads no model.
 */
export async function openPageFolder(client: string, embedder: "onnx" | "lexical"): Promise<PageFolder> {
  const folder = mkdtempSync(path.join(tmpdir(), "memory-page-"));
  for (const name of LINKED) symlinkSync(path.join(PROJECT, name), path.join(folder, name));
  installPackages(folder, client);
  await writeSamples(folder);
  const outside = await listenOnLoopback((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Example</h1><p>Ships call at the harbour.</p>");
  });
  const service = await openService({
    EMBEDDER: embedder,
    DATA_DIR: path.join(folder, ".data"),
    ALLOW_PRIVATE_TARGETS: "1",
    BACKUP_KEY,
  });
  const address = new URL(await service.host.listen()).host;
  const ids = new Map<string, Promise<string>>();
  const id = (name: string) => {
    const made = ids.get(name) ?? makeId(name, { service, pageUrl: outside.url, id });
    ids.set(name, made);
    return made;
  };
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await service.close();
    isStopped = true;
  };
  return {
    folder,
    service,
    localize: (text) => localized(text, address, outside),
    environmentFor: async (text) => {
      const named = NAMES.filter((name) => text.includes(`$${name}`));
      const values = await Promise.all(named.map(async (name) => [name, await id(name)]));
      return {
        ...process.env,
        PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
        CURL_HOME: folder,
        // Turns off the usage reports of mem0's client.
        MEM0_TELEMETRY: "false",
        API_KEY: service.adminKey,
        MEMORY_API_KEY: service.adminKey,
        MEMORY_URL: `http://${address}`,
        BACKUP_KEY,
        ...Object.fromEntries(values),
      };
    },
    stop,
    close: async () => {
      await stop();
      await outside.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function localized(text: string, address: string, outside: LoopbackServer): string {
  return text.replaceAll(/(localhost|127\.0\.0\.1):3000/g, address).replaceAll("https://example.com", outside.url);
}

/** Writes the files that pages upload, and settings by which curl fails on error answers. */
async function writeSamples(folder: string): Promise<void> {
  const fixture = (name: string) => readFileSync(path.join(PROJECT, "test/fixtures/documents", name));
  const conversation = { title: "Tea", mapping: {} };
  const samples = {
    ".curlrc": "fail\nshow-error\nmax-time = 30\n",
    "handbook.pdf": await pdfOf(["Ships call at the harbour."], "Handbook"),
    "handbook.docx": fixture("handbook.docx"),
    "memories.json": JSON.stringify({ memories: [{ content: "Ada drinks tea.", user_id: "ada" }] }),
    "conversations.zip": zipOf([{ name: "conversations.json", bytes: JSON.stringify([conversation]) }]),
  };
  for (const [name, content] of Object.entries(samples)) writeFileSync(path.join(folder, name), content);
  mkdirSync(path.join(folder, "snippets"));
  const settings = {
    extends: path.join(PROJECT, "tsconfig.json"),
    compilerOptions: { noUnusedLocals: false },
    include: ["snippets/*.mts"],
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(settings));
}

/** Links the project's packages, and installs the TypeScript client as `npm install ./clients/typescript` does. */
function installPackages(folder: string, client: string): void {
  const packages = path.join(PROJECT, "node_modules");
  const installed = path.join(folder, "node_modules");
  linkAll(packages, installed);
  rmSync(path.join(installed, ".bin"));
  linkAll(path.join(packages, ".bin"), path.join(installed, ".bin"));
  if (hasMem0) symlinkSync(MEM0, path.join(installed, "mem0ai"));
  const own = path.join(installed, "memory-service-client");
  cpSync(client, path.join(own, "dist"), { recursive: true });
  cpSync(path.join(PROJECT, "clients/typescript/package.json"), path.join(own, "package.json"));
  const command = path.join(own, "dist/cli.js");
  chmodSync(command, 0o755);
  symlinkSync(command, path.join(installed, ".bin/memory"));
}

function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) symlinkSync(path.join(from, name), path.join(to, name));
}
