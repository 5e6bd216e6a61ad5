import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type * as api from "../api.ts";
import { call } from "../call.ts";
import { Transport } from "../transport.ts";
import { normalizedUrl, serviceUrl, storeCredentials } from "./credentials.ts";
import { CLI_OPERATIONS } from "./operations.ts";
import { SetupError } from "./setup-error.ts";

/** Stores an address, a key and who owns it, after a request with them succeeded. Returns them without the key. */
export async function login(url: string | undefined): Promise<{ url: string; file: string; version: string }> {
  const baseUrl = url === undefined ? serviceUrl() : normalizedUrl(url);
  const key = process.env.MEMORY_API_KEY || (await readKey(baseUrl));
  if (key === "") throw new SetupError("There is no key.", "Set MEMORY_API_KEY, or give the key on stdin.");
  const transport = new Transport({ baseUrl, apiKey: key });
  const { version } = await call<api.ReadStatusAnswer>(transport, CLI_OPERATIONS.readStatus);
  const { owner_id } = await call<api.ReadPrincipalAnswer>(transport, CLI_OPERATIONS.readPrincipal);
  return { url: baseUrl, file: storeCredentials({ url: baseUrl, key, owner: owner_id }), version };
}

/** Reads the key from stdin, because an argument would be visible to other users and stay in the shell's history. */
async function readKey(url: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write(`API key for ${url} (not shown): `);
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: noEcho, terminal: true });
  try {
    return (await lines.question("")).trim();
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
