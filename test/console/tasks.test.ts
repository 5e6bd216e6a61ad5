import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otpOf } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { findChromium, openBrowser } from "./browser.ts";
import { openPage, signInWith } from "./visit.ts";

const chromium = findChromium();

/** What people do in the console, each in an organization of its own. */
describe.skipIf(!chromium)(
  chromium
    ? "tasks in the console"
    : "tasks in the console (skipped: no chromium on PATH, and CHROMIUM_PATH names none)",
  () => {
    let service: LocalService;
    let browser: Browser;
    let url: string;
    let key: string;

    beforeAll(async () => {
      [service, browser] = await Promise.all([
        openService({ HOST: "127.0.0.1", ALLOW_PRIVATE_TARGETS: "1" }),
        openBrowser(chromium ?? ""),
      ]);
      url = `${await service.host.listen()}/console`;
      ({ key } = await createOrganization(service));
      for (const [occurred_at, content] of [
        ["2024-01-05T10:00:00Z", "I live in Berlin."],
        ["2025-02-06T10:00:00Z", "I moved to Zurich."],
        ["2025-03-06T10:00:00Z", "My favourite tea is Assam."],
      ]) {
        await service.request("POST", "/memories", { key, body: { content, occurred_at, user_id: "ada" } });
      }
    });
    afterAll(async () => {
      await browser?.close();
      await service?.close();
    });

    async function visit(view: string, withKey = key) {
      const opened = await openPage(browser, { url });
      await signInWith(opened.page, withKey);
      await opened.page.getByRole("link", { name: view, exact: true }).click();
      await opened.page.getByRole("heading", { name: view, level: 1 }).waitFor();
      return opened;
    }

    const fact = (page: Page, value: string) => page.getByRole("row").filter({ hasText: value });

    it("adds a memory, deletes it, and undoes that", async () => {
      const { page, errors, close } = await visit("Memories");
      await page.getByRole("button", { name: "Add a memory" }).click();
      await page.getByLabel("What is to be remembered").fill("The spare key is under the blue pot.");
      await page.getByLabel("User").last().fill("ada");
      await page.getByRole("button", { name: "Remember" }).click();
      const entry = page.locator(".memories summary").filter({ hasText: "blue pot" });
      await entry.click();
      await page.getByRole("button", { name: "Delete this memory" }).click();
      await page.getByText("The memory is deleted.").waitFor();
      await entry.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await entry.waitFor();
      expect(errors).toEqual([]);
      await close();
    });

    it("shows what is known about a person over time, and corrects, retracts and restores it", async () => {
      const { page, errors, close } = await visit("People");
      await page.getByRole("link", { name: "ada" }).click();
      await page.getByRole("heading", { name: "Profile" }).waitFor();
      await fact(page, "Berlin").getByText("superseded").waitFor();
      await fact(page, "Zurich").getByText("current").waitFor();
      await page.getByLabel("What held on this day").fill("2024-04-14");
      await page.getByRole("button", { name: "Show facts" }).click();
      await page.getByRole("heading", { name: "Facts that held on 14 Apr 2024" }).waitFor();
      await fact(page, "Berlin").waitFor();
      expect(await fact(page, "Zurich").count()).toBe(0);
      await page.goBack();
      await page.getByRole("button", { name: /^Correct .*Assam$/ }).click();
      await page.getByLabel("Value").fill("Darjeeling");
      await page.getByRole("button", { name: "Save" }).click();
      await fact(page, "Darjeeling").getByText("current").waitFor();
      await page.getByRole("button", { name: /^Retract .*Darjeeling$/ }).click();
      await fact(page, "Darjeeling").getByText("retracted").waitFor();
      await page.getByRole("button", { name: /^Restore .*Darjeeling$/ }).click();
      await fact(page, "Darjeeling").getByText("current").waitFor();
      expect(errors).toEqual([]);
      await close();
    });

    it("explains a recalled line, and what did not get in", async () => {
      const { page, close } = await visit("Memories");
      await page.getByLabel("Search for").fill("Where do I live?");
      await page.getByLabel("User").fill("ada");
      await page.getByRole("button", { name: "Show" }).click();
      await page.locator(".reasons summary").first().click();
      await page.getByText("Nearness in meaning").first().waitFor();
      await page.getByText(/^Found, but not in the block: \d+$/).click();
      await close();
    });

    it("makes a key with limits, and revokes it", async () => {
      const { page, close } = await visit("API keys");
      await page.getByRole("button", { name: "Create a key" }).click();
      await page.getByLabel("Name").fill("reader");
      await page.getByLabel("search:read").check();
      await page.getByLabel("Requests a minute").fill("30");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      const made = await page.getByLabel("The new key.").inputValue();
      const who = await service.request("GET", "/whoami", { key: made });
      expect(who.body.data).toMatchObject({
        kind: "api_key",
        name: "reader",
        permissions: ["search:read"],
        operator: false,
        rate_limit: { requests_per_minute: 30, burst_limit: 30 },
      });
      await page.getByRole("button", { name: "Revoke reader" }).click();
      await page.getByText("The key reader is revoked.").waitFor();
      expect((await service.request("GET", "/whoami", { key: made })).status).toBe(401);
      await close();
    });

    it("uploads a document, and finds its words", async () => {
      const { page, close } = await visit("Documents");
      await page.getByRole("button", { name: "Upload a document" }).click();
      const buffer = Buffer.from("The boiler is serviced every October by Meier & Sons.");
      await page.getByLabel("File").setInputFiles({ name: "house.txt", mimeType: "text/plain", buffer });
      await page.getByRole("button", { name: "Upload", exact: true }).click();
      await page.getByRole("row").filter({ hasText: "house.txt" }).getByText("active").waitFor();
      await page.getByRole("link", { name: "Memories", exact: true }).click();
      await page.getByLabel("Search for").fill("Who services the boiler?");
      await page.getByRole("button", { name: "Show" }).click();
      await page.locator(".memories").getByText("Meier & Sons").first().waitFor();
      await close();
    });

    it("shows the operator jobs, backups and logs, and makes a backup", async () => {
      const { page, close } = await visit("Jobs, backups, logs", service.adminKey);
      await page.getByText("No job ran.").waitFor();
      await page.getByRole("button", { name: "Make a backup" }).click();
      await page.getByRole("table", { name: "Backups of the deployment" }).waitFor();
      await page.getByRole("heading", { name: "Logs", exact: true }).waitFor();
      await close();
    });

    it("adds a webhook", async () => {
      const { page, close } = await visit("Webhooks");
      await page.getByRole("button", { name: "Add a webhook" }).click();
      await page.getByLabel("Name").fill("Archive");
      await page.getByLabel("Address that receives").fill("http://127.0.0.1:9/");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("The webhook is added.").waitFor();
      await page.getByRole("row").filter({ hasText: "Archive" }).waitFor();
      await close();
    });

    it("signs in with e-mail, password and second factor", async () => {
      const body = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
      await service.request("POST", "/auth/register", { key: null, body });
      const { email, password } = body;
      const login = () => service.request("POST", "/auth/login", { key: null, body: { email, password } });
      const bearer = async (path: string, sent: object) => {
        const { access_token } = (await login()).body.data;
        const headers = { authorization: `Bearer ${access_token}` };
        return (await service.request("POST", path, { key: null, headers, body: sent })).body.data;
      };
      const { secret } = await bearer("/auth/2fa/setup", {});
      const { recovery_codes } = await bearer("/auth/2fa/enable", { otp: otpOf(secret, Date.now()) });
      const { page, close } = await openPage(browser, { url });
      await page.getByLabel("E-mail address").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in with password" }).click();
      await page.getByLabel("Code of the authenticator app").fill(recovery_codes[0]);
      await page.getByRole("button", { name: "Verify" }).click();
      await page.getByText("Signed in as Ada").waitFor();
      await page.reload();
      await page.getByText("Signed in as Ada").waitFor();
      await close();
    });
  },
);
