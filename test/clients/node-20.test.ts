import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const CLIENT = fileURLToPath(new URL("../../clients/typescript", import.meta.url));
const OWN_PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const TSC = path.join(OWN_PACKAGES, "typescript/bin/tsc");

/** The versions of the AI SDK: the package, its mock of a model, and the version of its interface of models. */
const SDKS: [name: string, mock: string, version: string][] = [
  ["ai5", "MockLanguageModelV2", "v2"],
  ["ai6", "MockLanguageModelV3", "v3"],
  ["ai7", "MockLanguageModelV4", "v4"],
];

const NODE = findNode20();

/** The first Node 20 on PATH; tests themselves run on a newer one. */
function findNode20(): string | undefined {
  const files = (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, "node"));
  return [process.env.NODE_20 ?? "", ...files].find(
    (file) => file !== "" && spawnSync(file, ["--version"], { encoding: "utf8" }).stdout?.startsWith("v20."),
  );
}

function skipReason(name: string): string {
  if (NODE === undefined) return " (no Node 20 on PATH, and NODE_20 names none)";
  return existsSync(path.join(PACKAGES, name)) ? "" : " (not installed: npm run install:test)";
}

/** What a program does with the packed client; it prints what the model was asked. */
const programOf = ([name, mock, version]: (typeof SDKS)[number]) => `
import { generateText, jsonSchema, wrapLanguageModel } from "${name}";
import { ${mock} } from "${name}/test";
import { MemoryClient } from "memory-service-client";
import { memoryMiddleware } from "memory-service-client/ai-sdk";
import { memoryTools } from "memory-service-client/ai-sdk-tools";

const [, , baseUrl = "", apiKey = "", userId = ""] = process.argv;
const client = new MemoryClient({ baseUrl, apiKey });
const mock = new ${mock}();
const middleware = memoryMiddleware({ client, userId, specificationVersion: "${version}" });
const model = wrapLanguageModel({ model: mock, middleware });
const tools = memoryTools({ client, userId, jsonSchema });
// The mock has no answer, so the call fails after the model was asked.
const failed = await generateText({ model, tools, prompt: "Which tea do I like?", maxRetries: 0 }).catch(() => true);
if (failed !== true) throw new Error("The mock answered.");
const asked = mock.doGenerateCalls[0];
console.log(JSON.stringify({ node: process.version, prompt: asked?.prompt, tools: asked?.tools?.length }));
`;

describe("on Node 20, the packed client", () => {
  let folder: string;
  let service: LocalService;

  beforeAll(async () => {
    service = await openService();
    folder = mkdtempSync(path.join(tmpdir(), "memory-node-20-"));
    const client = path.join(folder, "node_modules", "memory-service-client");
    mkdirSync(client, { recursive: true });
    cpSync(path.join(CLIENT, "package.json"), path.join(client, "package.json"));
    if (NODE !== undefined) execFileSync(NODE, [TSC, "-p", CLIENT, "--outDir", path.join(client, "dist")]);
    for (const [name] of SDKS) symlinkSync(path.join(PACKAGES, name), path.join(folder, "node_modules", name));
    symlinkSync(path.join(OWN_PACKAGES, "@types"), path.join(folder, "node_modules", "@types"));
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  for (const sdk of SDKS) {
    const [name] = sdk;
    const reason = skipReason(name);
    it.skipIf(reason !== "")(
      `fits the types of ${name}, and serves it${reason}`,
      async () => {
        const program = path.join(folder, `${name}.ts`);
        writeFileSync(program, programOf(sdk));
        const options = ["--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2024,dom,dom.iterable"];
        const run = (...words: string[]) => promisify(execFile)(NODE ?? "", words, { cwd: folder });
        const errors = await run(TSC, ...options, "--module", "nodenext", "--types", "node", program).then(
          () => "",
          ({ stdout }) => stdout,
        );
        expect(errors).toBe("");
        const url = await service.host.listen();
        const body = { content: "My favourite tea is Assam.", user_id: name };
        expect((await service.request("POST", "/memories", { body })).status).toBe(201);
        const { stdout } = await run(path.join(folder, `${name}.js`), url, service.adminKey, name);
        const asked = JSON.parse(stdout);
        expect([asked.node, asked.tools]).toEqual([expect.stringMatching(/^v20\./), expect.any(Number)]);
        expect(JSON.stringify(asked.prompt)).toContain("Assam");
      },
      120_000,
    );
  }
});
