import { rmSync } from "node:fs";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { newProvider, ofBrowser, openBrowser } from "../support/oauth.ts";
import { newEmail, PASSWORD } from "../support/people.ts";
import { startService } from "../support/service-process.ts";

/** A port that is free now: the service must know its address before it listens. */
async function freePort(): Promise<string> {
  const server = await listenOnLoopback(() => {});
  await server.close();
  return new URL(server.url).port;
}

it("the official client connects to a service in its own process, as somebody who has just registered", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startService(folder, { EMBEDDER: "lexical", PORT: await freePort() });
  onTestFinished(async () => void (await service.stop()));
  const address = new URL(`${service.baseUrl}/mcp`);

  const { kept, provider } = newProvider();
  const transport = new StreamableHTTPClientTransport(address, { authProvider: provider });
  await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow(UnauthorizedError);

  const email = newEmail();
  const post = (path: string, body: object) => service.request("POST", path, { key: null, body });
  await post("/auth/register", { email, password: PASSWORD, name: "Ada" });
  const { body: signedIn } = await post("/auth/login", { email, password: PASSWORD });
  const browser = await openBrowser(service, signedIn.data.access_token);
  const asked = Object.fromEntries(kept.authorizationUrl?.searchParams ?? []);
  const consent = { ...asked, approve: true, access: "write", memory_user: "ada" };
  const { body } = await service.request("POST", "/oauth/consent", {
    key: null,
    headers: ofBrowser(browser),
    body: consent,
  });
  await transport.finishAuth(new URL(body.data.redirect_to).searchParams);

  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("recall");
  await client.callTool({ name: "remember", arguments: { content: "I moved to Zurich." } });
  const recalled = await client.callTool({ name: "recall", arguments: { query: "Where do I live?" } });
  expect(JSON.stringify(recalled)).toContain("Zurich");
  await client.close();
});
