import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { afterEach, expect, it } from "vitest";
import { MemoryClient } from "../../clients/typescript/src/index.ts";
import { bridge } from "../../clients/typescript/src/stdio.ts";

const KEY = "mk_canary_0123456789";
const REDIRECTS = [301, 302, 303, 307, 308];
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server and returns its address and the requests that it received. */
async function serve(answer: (request: IncomingMessage) => { status: number; headers?: object; body?: string }) {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    request.resume();
    const { status, headers = {}, body = "" } = answer(request);
    response.writeHead(status, { ...headers }).end(body);
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const CALLS: Record<string, (client: MemoryClient) => Promise<unknown>> = {
  remember: (client) => client.remember("Tea."),
  recall: (client) => client.recall("Tea?", { user_id: "ada" }),
  search: (client) => client.search("Tea"),
  get: (client) => client.get("mem_1"),
  update: (client) => client.update("mem_1", { content: "Tea." }),
  forget: (client) => client.forget("mem_1"),
  list: (client) => client.list().next(),
  profile: (client) => client.profile("ada"),
  "sessions.create": (client) => client.sessions.create({ agent_id: "helper", user_id: "ada" }),
  "sessions.append": (client) => client.sessions.append("ses_1", { role: "user", content: "Tea." }),
  "sources.add": (client) => client.sources.add({ type: "text", content: "Tea.", title: "Tea" }),
};

/** Everything that a log would show of a value. */
const shown = (value: unknown): string => inspect(value, { depth: 10, showHidden: true });

it.each(Object.entries(CALLS))("%s follows no redirect", async (_name, call) => {
  const elsewhere = await serve(() => ({ status: 200, body: '{"success":true,"data":{}}' }));
  for (const status of REDIRECTS) {
    const { url, received } = await serve(() => ({ status, headers: { location: `${elsewhere.url}/stolen` } }));
    const client = new MemoryClient({ baseUrl: url, apiKey: KEY, maxRetries: 0 });
    const error = await call(client).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ConnectionError" });
    expect(shown(error)).not.toContain(KEY);
    expect(received).toHaveLength(1);
  }
  expect(elsewhere.received).toHaveLength(0);
});

it("follows no redirect over stdio", async () => {
  const elsewhere = await serve(() => ({ status: 200, body: "{}" }));
  const { url } = await serve(() => ({ status: 307, headers: { location: `${elsewhere.url}/mcp` } }));
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await bridge({ baseUrl: url, apiKey: KEY, input, output });
  output.end();
  expect(await text(output)).toMatch(/does not answer/);
  expect(elsewhere.received).toHaveLength(0);
});

it("keeps the key out of errors where a server repeats the request's headers", async () => {
  const { url } = await serve(({ headers }) => {
    const problem = JSON.stringify(headers);
    return { status: 400, body: JSON.stringify({ error: { code: "NO", message: problem, details: { problem } } }) };
  });
  for (const credential of [{ apiKey: KEY }, { accessToken: KEY }]) {
    const client = new MemoryClient({ baseUrl: url, ...credential });
    const error = await client.get("mem_1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "NO" });
    expect(shown([error, client])).not.toContain(KEY);
  }
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await bridge({ baseUrl: url, apiKey: KEY, input, output });
  output.end();
  expect(await text(output)).not.toContain(KEY);
});

it.each([`${KEY}\n`, ` ${KEY}`, `${KEY}ü`, `${KEY}\0`])("does not repeat a key that no header can carry: %j", (key) => {
  const problem = captured(() => new MemoryClient({ baseUrl: "http://127.0.0.1:9", apiKey: key }));
  expect(problem).toBeInstanceOf(TypeError);
  expect(shown(problem)).not.toContain(KEY);
});

it("does not repeat a password in the address", () => {
  const problem = captured(() => new MemoryClient({ baseUrl: `http://ada:${KEY}@127.0.0.1:9`, apiKey: "key" }));
  expect(problem).toBeInstanceOf(TypeError);
  expect(shown(problem)).not.toContain(KEY);
});

it.each(["", ".", ".."])("sends no request for the id %j", async (id) => {
  const { url, received } = await serve(() => ({ status: 200, body: '{"data":{}}' }));
  const client = new MemoryClient({ baseUrl: url, apiKey: KEY });
  for (const call of [client.get(id), client.forget(id), client.update(id, {}), client.profile(id)]) {
    await expect(call).rejects.toMatchObject({ name: "InvalidRequestError", code: "INVALID_ID" });
  }
  expect(received).toHaveLength(0);
});

function captured(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
