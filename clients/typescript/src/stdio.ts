import type { Readable, Writable } from "node:stream";
import { baseOf, requireCredential } from "./transport.ts";

export interface BridgeOptions {
  /** Address of the service, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  apiKey: string;
  /** Restricts the connection to this user. */
  userId?: string | undefined;
  input: Readable;
  output: Writable;
  fetch?: typeof fetch;
}

type Id = string | number | null;

interface Answer {
  jsonrpc?: "2.0";
  result?: { protocolVersion?: string };
  error?: object;
}

interface Params {
  _meta?: Record<string, unknown>;
  name?: unknown;
  uri?: unknown;
}

const VERSION_IN_META = "io.modelcontextprotocol/protocolVersion";
/**
 * A JSON-RPC code for implementation-defined server errors, used if the service cannot be reached or sends no JSON-RPC
 * answer.
 */
const NO_ANSWER = -32_000;
const PARSE_ERROR = -32_700;
const MAX_PROBLEM_LENGTH = 500;

/**
 * Implements the stdio transport of the Model Context Protocol for clients without HTTP: each line of `input` is sent
 * to the service's `/mcp`, and each answer is written as a line of `output`. Resolves after the input has ended and the
 * last answer is written.
 */
export async function bridge({
  baseUrl,
  apiKey,
  userId,
  input,
  output,
  fetch: send = fetch,
}: BridgeOptions): Promise<void> {
  const url = new URL("mcp", `${baseOf(baseUrl)}/`);
  if (userId !== undefined) url.searchParams.set("user_id", userId);
  const write = (answer: object) => output.write(`${JSON.stringify(answer)}\n`);
  const headers: Record<string, string> = {
    authorization: `Bearer ${requireCredential("apiKey", apiKey)}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };

  async function answer(line: string): Promise<void> {
    const message = parsed(line);
    if (message === undefined) return void write(errorOf(null, PARSE_ERROR, "This line is not JSON."));
    const id = idOf(message);
    // A notification gets no answer.
    const refuse = (error: object) => id !== undefined && write(error);
    try {
      const sent = { ...headers, ...headersOf(message) };
      const response = await send(url, { method: "POST", headers: sent, body: line, redirect: "error" });
      const text = await response.text();
      const said = parsed(text) as Answer | undefined;
      if (said?.result?.protocolVersion !== undefined) headers["mcp-protocol-version"] = said.result.protocolVersion;
      if (response.ok) said !== undefined && write(said);
      else if (said?.jsonrpc !== undefined) refuse({ ...said, id });
      else {
        const problem = `The memory service answers ${response.status}: ${text.replaceAll(apiKey, "[REDACTED]").slice(0, MAX_PROBLEM_LENGTH)}`;
        refuse(errorOf(id ?? null, NO_ANSWER, problem));
      }
    } catch (error) {
      const problem = `The memory service at ${url.origin} does not answer: ${String(error)}`;
      refuse(errorOf(id ?? null, NO_ANSWER, problem));
    }
  }

  const open = new Set<Promise<void>>();
  for await (const line of linesOf(input)) {
    if (line.trim() === "") continue;
    const answering = answer(line).finally(() => open.delete(answering));
    open.add(answering);
  }
  await Promise.all(open);
}

/** Returns the headers that repeat a message of protocol version 2026-07-28 or later, which names its version itself. */
function headersOf(message: unknown): Record<string, string> {
  const { method, params } = Object(message) as { method?: unknown; params?: Params };
  const version = params?._meta?.[VERSION_IN_META];
  if (typeof version !== "string" || typeof method !== "string") return {};
  const name = method === "resources/read" ? params?.uri : params?.name;
  return {
    "mcp-protocol-version": asHeader(version),
    "mcp-method": asHeader(method),
    ...(typeof name === "string" && { "mcp-name": asHeader(name) }),
  };
}

/** Encodes what a header cannot contain, as the protocol says. */
function asHeader(text: string): string {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/** Splits only at \n, because JSON may contain the other separators that `readline` splits at. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the id for the answer: null if the message's id is unknown, undefined for a notification. */
function idOf(message: unknown): Id | undefined {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return null;
  return (message as { id?: Id }).id;
}

function errorOf(id: Id, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
