import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export interface BridgeOptions {
  /** Address of the service, such as `http://127.0.0.1:3000`. */
  baseUrl: string;
  apiKey: string;
  /** Confines the connection to this user. */
  userId?: string | undefined;
  input: Readable;
  output: Writable;
  fetch?: typeof fetch;
}

interface Message {
  id?: string | number | null;
}

/** The code that JSON-RPC leaves to servers, for what this side of the connection cannot do. */
const NO_ANSWER = -32_000;
const PARSE_ERROR = -32_700;

/**
 * Speaks the stdio transport of the Model Context Protocol for clients that do not speak HTTP: each line of `input` goes to the
 * service's `/mcp`, and each answer is a line of `output`. Ends with the input, after the last answer.
 */
export async function bridge({
  baseUrl,
  apiKey,
  userId,
  input,
  output,
  fetch: send = fetch,
}: BridgeOptions): Promise<void> {
  const url = new URL("mcp", `${baseUrl.replace(/\/$/, "")}/`);
  if (userId !== undefined) url.searchParams.set("user_id", userId);
  const write = (answer: string) => output.write(`${answer}\n`);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };

  async function answer(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return void write(errorOf(null, PARSE_ERROR, "This line is no JSON."));
    }
    const refuse = (problem: string) => message.id !== undefined && write(errorOf(message.id, NO_ANSWER, problem));
    try {
      const response = await send(url, { method: "POST", headers, body: line });
      const text = await response.text();
      if (response.ok) text !== "" && write(JSON.stringify(JSON.parse(text)));
      else refuse(`The memory service answers ${response.status}: ${text.slice(0, LONGEST_PROBLEM)}`);
    } catch (error) {
      refuse(`The memory service at ${url.origin} does not answer: ${String(error)}`);
    }
  }

  const open = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === "") continue;
    const answering = answer(line).finally(() => open.delete(answering));
    open.add(answering);
  }
  await Promise.all(open);
}

const LONGEST_PROBLEM = 500;

function errorOf(id: Message["id"], code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
