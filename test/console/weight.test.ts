import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInHouse } from "./in-browser.ts";
import { openPage, settle } from "./visit.ts";

const MAX_REQUESTS = 6;
const MAX_BYTES = 60_000;
const MAX_BYTES_OF_RELOAD = 2000;
/** Of all files of the page together, uncompressed. */
const MAX_BYTES_OF_FILES = 220_000;

describeInHouse("what the console loads", (opened) => {
  /** The requests of a visit and the bytes of their bodies as sent, until Home shows what is known. */
  async function measure(page: Page, go: () => Promise<unknown>) {
    const sizes: Promise<number>[] = [];
    const count = (request: { sizes(): Promise<{ responseBodySize: number }> }) =>
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    page.on("requestfinished", count);
    await go();
    await page.getByText("Users with the most memories").waitFor();
    await settle(page);
    page.off("requestfinished", count);
    const bytes = await Promise.all(sizes);
    return { requests: bytes.length, bytes: bytes.reduce((sum, each) => sum + each, 0) };
  }

  it("is little at first and next to nothing on a reload, with one script for all views", async () => {
    const { url, cookie } = opened.house;
    const { page, requests, close } = await openPage(opened.browser, { url: `${url}/health`, cookie, isFirst: true });
    const first = await measure(page, () => page.goto(`${url}/console`));
    expect(first.requests).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(first.bytes).toBeLessThanOrEqual(MAX_BYTES);
    const again = await measure(page, () => page.reload());
    expect(again.requests).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(again.bytes).toBeLessThanOrEqual(MAX_BYTES_OF_RELOAD);
    expect(first.bytes).toBeGreaterThan(again.bytes);
    expect([...new Set(requests)].filter((each) => each.endsWith(".js"))).toHaveLength(1);
    const files = [...new Set(requests)].filter((each) => each.includes("/console"));
    const sizes = await Promise.all(files.map(async (each) => (await fetch(each)).arrayBuffer()));
    expect(sizes.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(MAX_BYTES_OF_FILES);
    await close();
  });
});
