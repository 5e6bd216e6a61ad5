import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, openBrowser } from "./browser.ts";
import { type House, MARKUP, openHouse } from "./house.ts";

const chromium = findChromium();

/** Views by their addresses, and what each shows when it has what it needs. */
const VIEWS = {
  health: ["Health", "Components of the deployment"],
  traffic: ["Traffic and search", "Search latency, last day"],
  tiers: ["Tiers and compression", "Tokens saved an hour, last day"],
  webhooks: ["Webhooks", "Failed deliveries"],
  memories: ["Memories", "Previous"],
  activation: ["Spreading activation", "Query to start from"],
} as const;

/** A page of its own, and what it did that it should not. */
interface Visit {
  page: Page;
  errors: string[];
  /** Addresses of its requests. */
  requests: string[];
  close(): Promise<void>;
}

describe.skipIf(!chromium)(
  chromium ? "the console" : "the console (skipped: no chromium on PATH, and CHROMIUM_PATH names none)",
  () => {
    let house: House;
    let browser: Browser;

    beforeAll(async () => {
      [house, browser] = await Promise.all([openHouse(), openBrowser(chromium ?? "")]);
    });
    afterAll(async () => {
      await browser?.close();
      await house?.close();
    });

    async function visit(viewport = { width: 1280, height: 900 }): Promise<Visit> {
      const context = await browser.newContext({ viewport });
      const page = await context.newPage();
      const [errors, requests]: [string[], string[]] = [[], []];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(`${house.url}/console`);
      return { page, errors, requests, close: () => context.close() };
    }

    async function signIn(page: Page, key = house.service.adminKey): Promise<void> {
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
    }

    async function open(page: Page, view: keyof typeof VIEWS): Promise<void> {
      const [title] = VIEWS[view];
      await page.getByRole("link", { name: title }).click();
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    }

    async function keyWith(permissions: string[]): Promise<string> {
      const { body } = await house.service.request("POST", "/api-keys", { body: { name: "narrow", permissions } });
      return body.data.key;
    }

    it("shows every view, asks nobody but the service, and runs without an error", async () => {
      const { page, errors, requests, close } = await visit();
      await signIn(page);
      for (const view of Object.keys(VIEWS) as (keyof typeof VIEWS)[]) {
        await open(page, view);
        await page.getByText(VIEWS[view][1], { exact: false }).first().waitFor();
        expect(await page.title()).toContain(VIEWS[view][0]);
        expect(await page.locator("[aria-current=page]").textContent()).toBe(VIEWS[view][0]);
        await page.waitForLoadState("networkidle");
        expect(await page.getByRole("alert").count()).toBe(0);
      }
      expect(requests.length).toBeGreaterThan(20);
      expect(requests.filter((url) => !url.startsWith(`${house.url}/`))).toEqual([]);
      expect(errors).toEqual([]);
      await close();
    });

    it("tells of plots in words and in tables", async () => {
      const { page, close } = await visit();
      await signIn(page);
      await open(page, "traffic");
      const latency = page.getByRole("img", { name: /^Search latency, last day\. average: at most .+ ms at / });
      await latency.waitFor();
      expect(await latency.locator(".mark").count()).toBeGreaterThan(0);
      const plot = page.getByRole("figure").filter({ has: latency });
      await plot.getByText("Show as a table").click();
      expect(await plot.getByRole("row").count()).toBeGreaterThan(1);
      expect(await plot.getByRole("columnheader").allTextContents()).toContain("average (ms)");
      await close();
    });

    it("counts memories by tier as the API does", async () => {
      const { page, close } = await visit();
      const { body } = await house.service.request("GET", "/tier/policy");
      await signIn(page);
      await open(page, "tiers");
      for (const tier of ["working", "hot", "cold", "archive"]) {
        const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: tier, exact: true }) });
        const { memories } = body.data.current_usage[`${tier}_tier`];
        expect(await row.getByRole("cell").first().textContent()).toBe(String(memories));
      }
      await close();
    });

    it("finds and pages memories, and reads none of their words as markup", async () => {
      const { page, errors, close } = await visit();
      await signIn(page);
      await open(page, "memories");
      await page.getByText(/^1 to 20 of \d+$/).waitFor();
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText(/^21 to \d+ of \d+$/).waitFor();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Found");
      await page.getByLabel("Category").fill("told");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("1 to 1 of 1").waitFor();
      await page.locator(".memories summary").click();
      await page.getByText("Metadata").waitFor();
      expect(await page.locator(".whole > .content").textContent()).toBe(MARKUP);
      expect(await page.locator(".whole pre").textContent()).toBe(JSON.stringify({ markup: MARKUP }, null, 2));
      expect(await page.locator("main img, main script, main b").count()).toBe(0);
      await page.getByLabel("Category").fill("");
      await page.getByLabel("Search for").fill("sailing boat");
      await page.getByLabel("Search for").press("Enter");
      await page.getByText("score").first().waitFor();
      expect(await page.locator(".memories summary").first().textContent()).toContain("sailing boat in Lisbon");
      expect(await page.title()).toBe("Memories – Memory Service console");
      expect(errors).toEqual([]);
      await close();
    });

    it("has a dead letter delivered", async () => {
      const { page, errors, close } = await visit();
      await signIn(page);
      await open(page, "webhooks");
      house.mend();
      await page.getByRole("button", { name: /^Retry memory\.created/ }).click();
      await page.getByRole("status").getByText("is on its way again").waitFor();
      await expect
        .poll(
          async () => {
            await page.getByRole("button", { name: "Refresh" }).click();
            await page.waitForLoadState("networkidle");
            return page.getByText("No failed deliveries.").count();
          },
          { timeout: 20_000 },
        )
        .toBe(1);
      expect(await page.locator("main img, main script, main b").count()).toBe(0);
      expect(errors).toEqual([]);
      await close();
    });

    it("draws a spread of activation, whose nodes the keyboard reaches", async () => {
      const { page, errors, close } = await visit();
      await signIn(page);
      await open(page, "activation");
      await page.getByLabel("Query to start from").fill("sailing boat");
      await page.getByLabel("Maximum hops").selectOption("4");
      await page.getByRole("button", { name: "Spread" }).click();
      const graph = page.getByRole("listbox", { name: "Nodes" });
      await graph.waitFor();
      expect(await graph.getByRole("option", { name: /^entity .*Lisbon.*, activation 0\.\d+$/ }).count()).toBe(1);
      const results = page.getByRole("row").filter({ has: page.getByRole("rowheader") });
      const ranked = await results.count();
      expect(await graph.getByRole("option", { name: /^memory \d/ }).count()).toBe(ranked);
      expect(ranked).toBeGreaterThan(1);

      await page.getByLabel("Memories shown").focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowRight");
      const focused = page.locator("[role=option]:focus");
      expect(await focused.getAttribute("aria-label")).toMatch(/^memory 1 Grace Hopper keeps a sailing boat/);
      expect(await page.locator(".node-details").textContent()).toContain("memory, result 1");
      await page.keyboard.press("End");
      expect(await focused.getAttribute("aria-label")).not.toMatch(/^memory 1 /);
      await page.keyboard.press("ArrowRight");
      expect(await focused.getAttribute("aria-label")).toMatch(/^query /);
      expect(errors).toEqual([]);
      await close();
    });

    it("says so where activation has nowhere to start from", async () => {
      const { page, close } = await visit();
      const organization = await house.stranger();
      await signIn(page, organization);
      await open(page, "activation");
      await page.getByLabel("Query to start from").fill("anything");
      await page.getByRole("button", { name: "Spread" }).click();
      await page.getByText("No memory is available as a starting point for activation.").waitFor();
      await close();
    });

    it("is used by keyboard alone", async () => {
      const { page, close } = await visit();
      await page.getByLabel("API key").waitFor();
      await page.keyboard.type(house.service.adminKey);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
      const focused = () => page.evaluate("document.activeElement.textContent.trim()");
      expect(await focused()).toBe("Health");

      await page.reload();
      await page.getByText("Components of the deployment").first().waitFor();
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Skip to the content");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("Refresh");
      await page.keyboard.press("Shift+Tab");
      expect(await focused()).toBe("Spreading activation");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Memories", level: 1 }).waitFor();
      expect(await focused()).toBe("Memories");
      await close();
    });

    it("tells which permission a key lacks, and shows what it may see", async () => {
      const { page, close } = await visit();
      await signIn(page, await keyWith(["memory:read"]));
      await page.getByText("This part needs the permission admin:all").waitFor();
      await open(page, "webhooks");
      await page.getByText("This part needs the permission agents:manage").first().waitFor();
      await open(page, "memories");
      await page.getByText(/^1 to 20 of/).waitFor();
      await page.getByLabel("Search for").fill("tea");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("This part needs the permission search:read").first().waitFor();
      await close();
    });

    it("tells an organization's admin what is for the operator alone", async () => {
      const { page, close } = await visit();
      await signIn(page, await house.stranger());
      await page.getByRole("note").getByText("Not for this key.").waitFor();
      await close();
    });

    it.each(["no-such-key-at-all", "schlüssel"])("refuses %s as a key", async (key) => {
      const { page, close } = await visit();
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
      await close();
    });

    it("forgets the key on signing out, and when the service takes it no more", async () => {
      const { page, close } = await visit();
      const kept = () => page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]");
      await signIn(page);
      expect(await kept()).toEqual([1, 0, ""]);
      await page.reload();
      await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("API key").waitFor();
      expect(await kept()).toEqual([0, 0, ""]);
      expect(await page.locator("body").textContent()).not.toContain(house.service.adminKey.slice(0, 12));

      const key = await keyWith(["memory:read"]);
      await signIn(page, key);
      const { body } = await house.service.request("GET", "/api-keys");
      const { id } = body.data.api_keys.find((each: { prefix: string }) => key.startsWith(each.prefix));
      await house.service.request("DELETE", `/api-keys/${id}`);
      await page.getByRole("link", { name: "Memories" }).click();
      await page.getByText("The key is not valid any more.").waitFor();
      expect(await kept()).toEqual([0, 0, ""]);
      await close();
    });

    it("fits a telephone: nothing but tables scrolls sideways", async () => {
      const { page, close } = await visit({ width: 400, height: 800 });
      await signIn(page);
      for (const view of Object.keys(VIEWS) as (keyof typeof VIEWS)[]) {
        await open(page, view);
        await page.waitForLoadState("networkidle");
        expect([view, await page.evaluate("document.scrollingElement.scrollWidth")]).toEqual([view, 400]);
      }
      await close();
    });

    it("runs no script that text holds and makes no markup of it, by its policy", async () => {
      const { page, errors, close } = await visit();
      await page.evaluate(`{
        const script = document.createElement("script");
        try { script.textContent = "document.title = 'owned'"; } catch {}
        document.body.append(script);
      }`);
      const assigned = page.evaluate(`document.body.innerHTML = "<p>markup</p>"`);
      await expect(assigned).rejects.toThrow("TrustedHTML");
      expect(await page.title()).toBe("Sign in – Memory Service console");
      expect(errors.join("\n")).toMatch(/trusted/i);
      await close();
    });
  },
);
