import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openGoogle } from "../fixtures/identity-provider.ts";
import { type LoopbackServer, listenOnLoopback } from "../fixtures/loopback-server.ts";
import { OAuthClient } from "../support/oauth.ts";
import { PASSWORD } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { hire } from "../support/users.ts";
import { describeInBrowser } from "./in-browser.ts";
import { openPage } from "./visit.ts";

/** A port that was free a moment ago: a provider must know the service's address before it starts. */
async function freePort(): Promise<string> {
  const server = await listenOnLoopback((_request, response) => response.end());
  await server.close();
  return new URL(server.url).port;
}

/** A name that would run if a page took it as markup. */
const NAME = `<img src=x onerror="document.title='owned'">A client`;

describeInBrowser("the pages of OAuth", (opened) => {
  let service: LocalService;
  let url: string;
  let email: string;
  let client: LoopbackServer;
  const arrived: URL[] = [];

  beforeAll(async () => {
    service = await openService({ HOST: "127.0.0.1" });
    url = await service.host.listen();
    const { key } = await createOrganization(service);
    ({ email } = await hire(service, key, { role: "user" }));
    client = await listenOnLoopback(({ url: path = "" }, response) => {
      if (path.startsWith("/callback")) arrived.push(new URL(path, "http://127.0.0.1"));
      response.end("back at the client");
    });
  });
  afterAll(async () => {
    await client?.close();
    await service?.close();
  });

  async function register(): Promise<OAuthClient> {
    const { body } = await service.request("POST", "/oauth/register", {
      key: null,
      body: { client_name: NAME, redirect_uris: ["http://127.0.0.1/callback"] },
    });
    return new OAuthClient(service, body.client_id);
  }

  function addressFor(asking: OAuthClient, more: Record<string, string> = {}, at = url): string {
    const given = { redirect_uri: `${client.url}/callback`, resource: undefined, ...more };
    const parameters = Object.entries(asking.request(given)).filter(([, value]) => value !== undefined);
    return `${at}/oauth/authorize?${new URLSearchParams(parameters as [string, string][])}`;
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  it("sign a person in, ask for consent, return to the client, and end the grant", async () => {
    const asking = await register();
    const { page, errors, close } = await openPage(opened.browser, { url: addressFor(asking) });
    await page.getByLabel("E-mail address").waitFor();
    expect(await page.locator("#who").textContent()).toContain(NAME);
    await page.getByLabel("Password").fill("wrong");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The email address or password is wrong").waitFor();
    await signIn(page);
    await page.getByText(`Signed in as ${email}`).waitFor();
    expect(await page.locator("#scopes li").allTextContents()).toContain("memory:read");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("back at the client").waitFor();

    const back = arrived.at(-1)?.searchParams;
    expect(Object.fromEntries(back ?? [])).toMatchObject({ state: "the client's", iss: expect.any(String) });
    const redeemed = await asking.redeem(back?.get("code") ?? "", { redirect_uri: `${client.url}/callback` });
    expect([redeemed.status, redeemed.body.scope]).toEqual([200, "memory:read search:read"]);

    await page.goto(`${url}/oauth/connected`);
    await page.getByText(`${NAME}, since`).waitFor();
    await page.getByRole("button", { name: "End" }).click();
    await page.getByText("No client is connected.").waitFor();
    expect((await asking.refresh(redeemed.body.refresh_token)).body.error).toBe("invalid_grant");
    expect(await page.title()).not.toBe("owned");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("E-mail address").waitFor();
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("__Host-memory_session");
    // What the browser reports about the refused password and the sessions that did not exist.
    expect(errors.filter((error) => !error.includes("status of 401"))).toEqual([]);
    await close();
  });

  it("sign a person in with Google, and return to the request", async () => {
    const port = await freePort();
    const own = `http://127.0.0.1:${port}`;
    const google = await openGoogle([`${own}/oauth/connected`]);
    google.people.set("7", { name: "Ada", email: "ada@example.com", verified: true });
    const { url: issuer, clientId, clientSecret } = google;
    const settings = { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret };
    const social = await openService({ HOST: "127.0.0.1", PORT: port, ...settings });
    await social.host.listen();
    const { body } = await social.request("POST", "/oauth/register", {
      key: null,
      body: { client_name: "A client", redirect_uris: ["http://127.0.0.1/callback"] },
    });
    const asking = new OAuthClient(social, body.client_id);
    const { page, close } = await openPage(opened.browser, { url: addressFor(asking, {}, own) });
    await page.context().addCookies([{ name: "person", value: "7", url: issuer }]);
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await page.getByText("Signed in as ada@example.com").waitFor();
    expect(page.url()).toContain("/oauth/authorize?");

    await page.goto(`${own}/oauth/connected?code=an-attackers&state=an-attackers`);
    await page.getByText("This window did not begin the sign-in.").waitFor();
    await close();
    await social.close();
    await google.close();
  });

  it("show an error without going anywhere", async () => {
    const asking = await register();
    const count = arrived.length;
    const { page, close } = await openPage(opened.browser, { url: addressFor(asking, { scope: "admin:all" }) });
    await page.getByText("No client can be granted admin:all.").waitFor();
    expect(await page.getByRole("link", { name: "Return to the client" }).getAttribute("href")).toContain(
      "error=invalid_scope",
    );
    await page.goto(addressFor(asking, { redirect_uri: "https://evil.example/" }));
    await page.getByText("The redirect URI is not registered").waitFor();
    expect(await page.getByRole("link").count()).toBe(0);
    expect([arrived.length, page.url().startsWith(url)]).toEqual([count, true]);
    await close();
  });
});
