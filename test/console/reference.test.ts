import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import openapi from "../../openapi.json" with { type: "json" };
import { type LocalService, openService } from "../support/service.ts";
import { hasAxe, violationsOf } from "./axe.ts";
import { describeInBrowser } from "./in-browser.ts";
import { openPage, settle, type Visit } from "./visit.ts";

const MAX_REQUESTS = 6;
/** Of all that the page loads but the document, as sent. */
const MAX_BYTES_BESIDE_DOCUMENT = 15_000;
const MAX_BYTES_OF_DOCUMENT = 150_000;
const NARROW = { width: 320, height: 640 };

/** The operations of each group in the order of the document. */
const groups = openapi.tags.map(({ name }) => ({
  name,
  operations: Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, { summary }]) => `${method.toUpperCase()} ${path}${summary}`),
  ),
}));

const IS_WIDER = "document.documentElement.scrollWidth > innerWidth";

/** Opens an operation, or all, and what is in it, a few levels deep: schemas may contain themselves. */
async function openAll(page: Page, within: string): Promise<void> {
  for (let depth = 0; depth < 3; depth++) {
    await page.evaluate(
      `for (const each of document.querySelectorAll("${within}, ${within} details")) each.open = true;
      new Promise((resolve) => setTimeout(resolve, 300))`,
    );
  }
}

describeInBrowser("the API reference", (opened) => {
  let service: LocalService;
  let url: string;

  beforeAll(async () => {
    service = await openService({ HOST: "127.0.0.1" });
    url = await service.host.listen();
  });
  afterAll(() => service?.close());

  async function visit(address = "/docs", viewport = { width: 1280, height: 900 }): Promise<Visit> {
    const visited = await openPage(opened.browser, { url: `${url}${address}`, viewport });
    await visited.page.getByRole("heading", { name: openapi.info.title, level: 1 }).waitFor();
    return visited;
  }

  it("shows every operation in its group, groups in the order of the document", async () => {
    const { page, close } = await visit();
    const shown = await page.locator("section").evaluateAll((sections) =>
      sections.map((section) => ({
        name: section.querySelector("h2")?.textContent,
        operations: [...section.querySelectorAll(".operation > summary")].map(({ textContent }) => textContent),
      })),
    );
    expect(shown).toEqual(groups);
    const links = await page.getByRole("navigation", { name: "Groups" }).getByRole("link").allTextContents();
    expect(links).toEqual(openapi["x-tagGroups"].flatMap(({ tags }) => tags));
    await close();
  });

  it("shows parameters, fields, examples, errors and a command of an operation that its address names", async () => {
    const { page, close } = await visit("/docs#createMemory");
    const operation = page.locator("#createMemory");
    expect(await operation.getAttribute("open")).toBe("");
    const text = (await operation.textContent()) ?? "";
    expect(text).toContain("Idempotency-Key string, in header, 1 to 255 characters");
    expect(text).toContain("content string, required, 1 to 100000 characters, not blank");
    expect(text).toContain("403: PASSWORD_CHANGE_REQUIRED, PERMISSION_DENIED");
    expect(text).toContain(`curl '${url}/memories' -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" -d '{`);
    await operation.getByText("Example of a request").click();
    await operation.getByText('"content": "Ada prefers tea to coffee."').first().waitFor();
    await operation.getByText("Fields of data").click();
    await operation.getByText("Fields of facts").click();
    await operation.getByText("confidence", { exact: true }).waitFor();
    await close();
  });

  it("finds operations by all words of a search, and shows a hidden one that a link names", async () => {
    const { page, close } = await visit();
    const count = page.getByRole("search").getByRole("status");
    const all = groups.flatMap((each) => each.operations).length;
    expect(await count.textContent()).toBe(`${all} of ${all} operations`);
    await page.getByLabel("Search the operations").fill("WEBHOOK secret");
    const shown = await page.locator("section h3:visible").allTextContents();
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(20);
    expect(await page.locator("section h2:visible").allTextContents()).toEqual(["webhooks"]);
    await page.getByLabel("Search the operations").fill("no such operation");
    expect(await count.textContent()).toMatch(/^0 of /);
    await page.evaluate('location.hash = "#getMemory"');
    await page.locator("#getMemory h4", { hasText: "Parameters" }).waitFor();
    await close();
  });

  it("makes every operation and schema of the document, and answers its own command", async () => {
    const { page, errors, close } = await visit();
    await openAll(page, "main");
    expect(await page.locator(".operation > .whole:empty").count()).toBe(0);
    expect(await page.locator("body").textContent()).not.toMatch(/undefined|\[object Object\]/);
    const command = await page.locator("#readStatus pre").last().textContent();
    const [, asked = ""] = /^curl '([^']+)'/.exec(command ?? "") ?? [];
    expect((await fetch(asked, { headers: { "X-API-Key": service.adminKey } })).status).toBe(200);
    expect(errors).toEqual([]);
    await close();
  });

  it("loads little, asks only the service and runs without an error", async () => {
    const { page, errors, requests, refused, close } = await openPage(opened.browser, {
      url: "about:blank",
      isFirst: true,
    });
    const sizes: Promise<[string, number]>[] = [];
    page.on("requestfinished", (request) =>
      sizes.push(request.sizes().then(({ responseBodySize }) => [request.url(), responseBodySize])),
    );
    await page.goto(`${url}/docs`);
    await page.getByRole("heading", { name: openapi.info.title, level: 1 }).waitFor();
    await settle(page);
    const loaded = await Promise.all(sizes);
    const bytesOf = (wanted: (address: string) => boolean) =>
      loaded.filter(([address]) => wanted(address)).reduce((sum, [, bytes]) => sum + bytes, 0);
    const isDocument = (address: string) => address.endsWith("/openapi.json");
    expect(loaded.length, JSON.stringify(loaded)).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(bytesOf((address) => !isDocument(address))).toBeLessThanOrEqual(MAX_BYTES_BESIDE_DOCUMENT);
    expect(bytesOf(isDocument)).toBeGreaterThan(0);
    expect(bytesOf(isDocument)).toBeLessThanOrEqual(MAX_BYTES_OF_DOCUMENT);
    expect(requests.filter((each) => !each.startsWith(`${url}/`))).toEqual([]);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("fits a width of 320 px, also opened, and lists the groups in a menu", async () => {
    const { page, close } = await visit("/docs#createMemory", NARROW);
    await openAll(page, "#createMemory");
    expect(await page.evaluate(IS_WIDER)).toBe(false);
    const link = page.getByRole("navigation", { name: "Groups" }).getByRole("link", { name: "webhooks" });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Groups" }).click();
    await link.click();
    await link.waitFor({ state: "hidden" });
    expect(page.url()).toBe(`${url}/docs#group-webhooks`);
    await close();
  });

  it.skipIf(!hasAxe)("has no fault that axe finds, light and dark, wide and narrow, with operations open", async () => {
    const found: string[] = [];
    for (const viewport of [{ width: 1280, height: 900 }, NARROW]) {
      const { page, close } = await visit("/docs#createMemory", viewport);
      for (const id of ["#createMemory", "#uploadSource", "#deleteMemory"]) await openAll(page, id);
      found.push(...(await violationsOf(page, `${viewport.width} px`)));
      await close();
    }
    expect(found).toEqual([]);
  });
});
