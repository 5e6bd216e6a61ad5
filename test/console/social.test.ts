import { afterAll, beforeAll, expect, it } from "vitest";
import { openGoogle, type TestProvider } from "../fixtures/identity-provider.ts";
import type { LoopbackServer } from "../fixtures/loopback-server.ts";
import { type LocalService, openService } from "../support/service.ts";
import { describeInBrowser } from "./in-browser.ts";
import { openPrefix } from "./prefix.ts";
import { openPage } from "./visit.ts";

describeInBrowser("signing in to the console with a provider", (opened) => {
  let service: LocalService;
  let listening = "";
  let proxy: LoopbackServer;
  let google: TestProvider;
  let url: string;

  beforeAll(async () => {
    proxy = await openPrefix(() => listening, "/mem");
    url = `${proxy.url}/mem`;
    google = await openGoogle([`${url}/console/signin`]);
    google.people.set("1", { name: "Ada Lovelace", email: "ada@example.com", verified: true });
    service = await openService({
      HOST: "127.0.0.1",
      PUBLIC_URL: url,
      GOOGLE_ISSUER: google.url,
      GOOGLE_CLIENT_ID: google.clientId,
      GOOGLE_CLIENT_SECRET: google.clientSecret,
    });
    listening = await service.host.listen();
  });
  afterAll(async () => {
    await service?.close();
    await google?.close();
    await proxy?.close();
  });

  it("opens a session of the browser, and returns to the view that asked for it", async () => {
    const { page, errors, close } = await openPage(opened.browser, { url: `${url}/console/people?q=a` });
    await page.context().addCookies([{ name: "person", value: "1", url: google.url }]);
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await page.getByText("Signed in as Ada Lovelace").waitFor();
    expect(page.url()).toBe(`${url}/console/people?q=a`);
    await page.reload();
    await page.getByText("Signed in as Ada Lovelace").waitFor();
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")).toEqual([
      0,
      0,
      "person=1",
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  it("says what the provider refused, and refuses a return that this tab did not begin", async () => {
    const { page, close } = await openPage(opened.browser, { url: `${url}/console` });
    await page.context().addCookies([{ name: "person", value: "nobody", url: google.url }]);
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await page.getByRole("alert").waitFor();
    expect(page.url()).toBe(`${url}/console`);
    await page.goto(`${url}/console/signin?code=stolen&state=theirs`);
    await page.getByText("This tab began no such sign-in.").waitFor();
    expect(new URL(page.url()).search).toBe("");
    await close();
  });
});
