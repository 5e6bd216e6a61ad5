import type { IncomingMessage } from "node:http";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback, textOf } from "../../../test/fixtures/loopback-server.ts";
import { flushAtShutdown, registerExtension } from "./shutdown.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** An Extensions API that answers a registration with this status and never sends an event. */
async function openExtensionsApi(status: number) {
  const asked: { method: string | undefined; path: string | undefined; id: unknown; body: string }[] = [];
  const server = await listenOnLoopback(async (incoming: IncomingMessage, response) => {
    const { method, url: path, headers } = incoming;
    asked.push({ method, path, id: headers["lambda-extension-identifier"], body: await textOf(incoming) });
    if (!path?.endsWith("/register")) return;
    response.writeHead(status, status === 200 ? { "Lambda-Extension-Identifier": "one" } : {}).end("{}");
  });
  onTestFinished(() => server.close());
  return { host: new URL(server.url).host, asked };
}

it("registers for no event and requests the next one, so that Lambda sends SIGTERM", async () => {
  const { host, asked } = await openExtensionsApi(200);
  await registerExtension(host);
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked).toEqual([
    { method: "POST", path: "/2020-01-01/extension/register", id: undefined, body: '{"events":[]}' },
    { method: "GET", path: "/2020-01-01/extension/event/next", id: "one", body: "" },
  ]);
});

it("continues and logs if the registration is refused or unanswered", async () => {
  const warned = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { host } = await openExtensionsApi(403);
  await registerExtension(host);
  await registerExtension("127.0.0.1:1");
  const logged = warned.mock.calls.map(([line]) => String(line)).join("");
  expect(logged).toMatch(/EXTENSION_FAILED.*answered 403/);
  expect(logged).toMatch(/EXTENSION_FAILED.*ECONNREFUSED/);
});

it("does nothing outside of Lambda", async () => {
  await expect(registerExtension(undefined)).resolves.toBeUndefined();
});

it("flushes at SIGTERM, and exits even if that fails", async () => {
  for (const flush of [vi.fn(async () => {}), vi.fn(() => Promise.reject(new Error("the store is unavailable")))]) {
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    flushAtShutdown(flush);
    const listener = process.listeners("SIGTERM").at(-1) as () => void;
    process.removeListener("SIGTERM", listener);
    listener();
    await expect.poll(() => exit).toHaveBeenCalledWith(0);
    expect(flush).toHaveBeenCalledTimes(1);
    exit.mockRestore();
  }
});
