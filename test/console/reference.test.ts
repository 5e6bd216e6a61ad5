import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import openapi from "../../openapi.json" with { type: "json" };
import { type LocalService, openService } from "../support/service.ts";
import { describeInBrowser } from "./in-browser.ts";

/** The operations of each group, as `METHOD /path`, in the order of the document. */
const groups = openapi.tags.map(({ name }): [string, string[]] => {
  const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method]) => `${method.toUpperCase()}${path}`),
  );
  return [name, operations.sort()];
});

describeInBrowser("the API reference", (opened) => {
  let service: LocalService;
  let url: string;
  let page: Page;
  const errors: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    service = await openService({ HOST: "127.0.0.1" });
    url = await service.host.listen();
    page = await opened.browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${url}/docs`);
    await page.getByRole("heading", { name: openapi.info.title, level: 1 }).waitFor();
  });
  afterAll(async () => {
    await service?.close();
  });

  it("shows every operation in its group, groups in the order of the document", async () => {
    const sidebar = page.getByRole("complementary").or(page.getByRole("navigation")).first();
    const names = [...openapi["x-tagGroups"], ...openapi.tags].map(({ name }) => name);
    for (const name of names) {
      const group = sidebar.getByRole("button", { name: `Open Group - ${name}`, exact: true });
      if (await group.count()) await group.click();
    }
    const links = await sidebar
      .locator('a[href^="#tag/"]')
      .evaluateAll((all) => all.map((each) => ({ href: each.getAttribute("href") ?? "", text: each.textContent })));
    const shown = links.filter(({ href }) => href.split("/").length === 2);
    expect(shown.map(({ text }) => text)).toEqual(groups.map(([name]) => name));
    for (const [index, [name, operations]] of groups.entries()) {
      const prefix = `${shown[index]?.href}/`;
      const own = links.filter(({ href }) => href.startsWith(prefix)).map(({ href }) => href.slice(prefix.length));
      expect([name, own.sort()]).toEqual([name, operations]);
    }
  });

  it("sends requests with the API key as entered or as a bearer token, and keeps it nowhere", async () => {
    const dialog = page.getByRole("dialog");
    const send = async () => {
      const [response] = await Promise.all([
        page.waitForResponse(`${url}/status`),
        dialog.getByRole("button", { name: /^Send get request/ }).click(),
      ]);
      return { status: response.status(), headers: response.request().headers() };
    };
    await page.getByText("Selected Auth Type: ApiKey").first().waitFor();
    await page.getByLabel("Value").first().fill(service.adminKey);
    await page.evaluate("location.hash = '#tag/health/GET/status'");
    await page.getByRole("button", { name: "Test Request (get /status)" }).click();
    expect(await send()).toMatchObject({ status: 200, headers: { "x-api-key": service.adminKey } });
    await dialog.getByText("200 OK").waitFor();
    await dialog.getByText('"uptime_seconds"').first().waitFor();

    await dialog.getByText("Selected Auth Type: ApiKey").click();
    await page.getByRole("option", { name: "Bearer" }).click();
    await dialog.getByRole("button", { name: "Bearer", exact: true }).click();
    await dialog.getByLabel("Bearer Token").fill(service.adminKey);
    const { status, headers } = await send();
    expect([status, headers.authorization, headers["x-api-key"]]).toEqual([
      200,
      `Bearer ${service.adminKey}`,
      undefined,
    ]);
    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")).not.toContain(
      service.adminKey,
    );
  });

  it("asks only the service and runs without an error", async () => {
    await page.waitForLoadState("networkidle");
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((each) => !each.startsWith(`${url}/`))).toEqual([]);
    expect(errors).toEqual([]);
  });
});
