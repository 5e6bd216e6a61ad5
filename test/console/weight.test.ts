import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, openBrowser } from "./browser.ts";
import { type House, openHouse } from "./house.ts";
import { openPage, signInWith } from "./visit.ts";

const MAX_REQUESTS = 6;
const MAX_BYTES = 60_000;
const MAX_BYTES_OF_RELOAD = 2000;
/** Of all files of the page together, uncompressed. */
const MAX_BYTES_OF_FILES = 220_000;

const chromium = findChromium();

describe.skipIf(!chromium)(
  chromium ? "what the console loads" : "what the console loads (skipped: no chromium on PATH)",
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

    /** The requests of a visit and the bytes of their bodies as sent, until Home shows what is known. */
    async function measure(page: Page, go: () => Promise<unknown>) {
      const sizes: Promise<number>[] = [];
      const count = (request: { sizes(): Promise<{ responseBodySize: number }> }) =>
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      page.on("requestfinished", count);
      await go();
      await page.getByText("Users with the most memories").waitFor();
      await page.waitForLoadState("networkidle");
      page.off("requestfinished", count);
      const bytes = await Promise.all(sizes);
      return { requests: bytes.length, bytes: bytes.reduce((sum, each) => sum + each, 0) };
    }

    it("is little at first and next to nothing on a reload, with one script for all views", async () => {
      const { page, requests, close } = await openPage(browser, { url: `${house.url}/console` });
      await signInWith(page, house.service.adminKey);
      const kept = await page.evaluate("JSON.stringify(sessionStorage)");
      await close();

      const context = await browser.newContext();
      context.setDefaultTimeout(15_000);
      await context.addInitScript(`for (const [name, value] of Object.entries(${kept})) sessionStorage[name] = value;`);
      const fresh = await context.newPage();
      const first = await measure(fresh, () => fresh.goto(`${house.url}/console`));
      expect(first.requests).toBeLessThanOrEqual(MAX_REQUESTS);
      expect(first.bytes).toBeLessThanOrEqual(MAX_BYTES);
      const again = await measure(fresh, () => fresh.reload());
      expect(again.requests).toBeLessThanOrEqual(MAX_REQUESTS);
      expect(again.bytes).toBeLessThanOrEqual(MAX_BYTES_OF_RELOAD);
      expect(first.bytes).toBeGreaterThan(again.bytes);
      expect(requests.filter((url) => url.endsWith(".js"))).toHaveLength(1);
      const files = [...new Set(requests)].filter((url) => url.includes("/console"));
      const sizes = await Promise.all(files.map(async (url) => (await fetch(url)).arrayBuffer()));
      expect(sizes.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(MAX_BYTES_OF_FILES);
      await context.close();
    });
  },
);
