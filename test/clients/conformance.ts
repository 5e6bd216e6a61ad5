/**
 * `npm run test:conformance`: runs the conformance suite of the Model Context Protocol against `/mcp`, once per version of
 * the protocol. conformance.yml names the scenarios that fail, with the reason; any other failure fails the run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../support/service-process.ts";

const VERSIONS = ["2025-11-25", "2026-07-28"];
const KEY = "key-of-the-service-that-is-checked";

const here = path.dirname(fileURLToPath(import.meta.url));
const SUITE = path.join(here, "../node_modules/@modelcontextprotocol/conformance/dist/index.js");

if (existsSync(SUITE)) await checkAll();
else process.stdout.write("conformance: SKIPPED, run npm run install:test\n");

async function checkAll(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "memory-conformance-"));
  const service = await startService(path.join(folder, "data"), { EMBEDDER: "lexical", BOOTSTRAP_API_KEY: KEY });
  // The suite sends no credentials.
  const proxy = createServer((incoming, outgoing) => forward(service.baseUrl, incoming, outgoing));
  try {
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    for (const version of VERSIONS) {
      const code = await run(url, version, folder);
      process.stdout.write(`conformance, ${version}: ${code === 0 ? "no unexpected failure" : "FAILED"}\n`);
      if (code !== 0) process.exitCode = 1;
    }
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(url: string, version: string, folder: string): Promise<number | null> {
  const expected = path.join(here, `conformance-${version}.yml`);
  const words = ["server", "--url", url, "--suite", "all", "--spec-version", version, "--expected-failures", expected];
  const child = spawn(process.execPath, [SUITE, ...words, "--output-dir", folder], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code;
}

/** Forwards a request with the key. */
function forward(baseUrl: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const sent = { ...headers, authorization: `Bearer ${KEY}` };
  const forwarded = request(`${baseUrl}${url}`, { method, headers: sent }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on("error", () => outgoing.destroy());
  incoming.pipe(forwarded);
}
