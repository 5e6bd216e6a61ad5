import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createOrganization } from "../support/service.ts";
import { hasAxe, violationsOf } from "./axe.ts";
import { describeInHouse } from "./in-browser.ts";
import { goTo, openPage, settle, signInWith } from "./visit.ts";

describeInHouse("accessibility by axe", (opened) => {
  async function open(key: string, width = 1280): Promise<{ page: Page; close: () => Promise<void> }> {
    const { page, close } = await openPage(opened.browser, {
      url: `${opened.house.url}/console`,
      viewport: { width, height: 900 },
    });
    await signInWith(page, key);
    return { page, close };
  }

  /** Every view of the menu. */
  async function violationsOfViews(page: Page, account: string): Promise<string[]> {
    const links = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    const found: string[] = [];
    for (const title of await links.allTextContents()) {
      await links.getByText(title, { exact: true }).click();
      await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
      await settle(page);
      found.push(...(await violationsOf(page, `${title} of ${account}`)));
    }
    return found;
  }

  it.skipIf(!hasAxe)("finds nothing in any view of a deployment with something in each", async () => {
    const { page, close } = await open(opened.house.service.adminKey);
    expect(await violationsOfViews(page, "a full account")).toEqual([]);
    await close();
  });

  it.skipIf(!hasAxe)("finds nothing in any view of an empty account, on a telephone", async () => {
    const { page, close } = await open(await opened.house.stranger(), 1280);
    const links = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
    expect(addresses.length).toBeGreaterThan(10);
    // The menu has no links there until it is opened.
    await page.setViewportSize({ width: 390, height: 844 });
    const found: string[] = [];
    for (const address of addresses) {
      await goTo(page, address.split("/console/").at(-1) ?? "");
      await settle(page);
      found.push(...(await violationsOf(page, `${await page.title()} of an empty account`)));
    }
    expect(found).toEqual([]);
    await close();
  });

  it.skipIf(!hasAxe)("finds nothing in what people open: a person, a graph, a recall, dialogs and errors", async () => {
    const { key } = await createOrganization(opened.house.service);
    for (const [occurred_at, content] of [
      ["2024-01-05T10:00:00Z", "I live in Berlin."],
      ["2025-02-06T10:00:00Z", "I moved to Zurich."],
      ["2025-03-06T10:00:00Z", "I will move to Lisbon in March 2099."],
      ["2025-04-06T10:00:00Z", "My favourite tea is Assam."],
    ]) {
      await opened.house.service.request("POST", "/memories", {
        key,
        body: { content, occurred_at, user_id: "ada" },
      });
    }
    const { page, close } = await open(key);
    const found: string[] = [];
    const check = async (address: string, state: string, act?: () => Promise<unknown>) => {
      await goTo(page, address);
      await settle(page);
      await act?.();
      found.push(...(await violationsOf(page, state)));
    };
    const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
    await check("people?id=ada", "a person");
    await check("people?id=ada&on=2024-04-14", "a chosen fact", () =>
      page.getByRole("option", { name: /^lives in Zurich/ }).click(),
    );
    await check("people?id=ada&on=2024-04-15", "retracting", () =>
      page
        .getByRole("option", { name: /^lives in Zurich/ })
        .click()
        .then(() => press("Retract lives_in, Zurich")),
    );
    await check("facts?user=ada", "a fact", () => page.locator(".memories summary").first().click());
    await check("graph?user=ada", "a graph", () => page.getByText("Show as a list").click());
    await check("memories?q=Where+do+I+live%3F&user=ada&tokens2=1000", "a comparison", () =>
      page.locator(".reasons summary").first().click(),
    );
    await check("memories", "a new memory", () => press("Add a memory"));
    await check("keys", "a new key", () => press("Create a key"));
    await check("webhooks", "a new webhook", () => press("Add a webhook"));
    await check("sources", "a new connection", () => press("Connect a website"));
    await check("facts?user=ada&slot=favourite+tea", "correcting", () =>
      page
        .locator(".memories summary")
        .first()
        .click()
        .then(() => press("Correct favourite_tea, Assam")),
    );
    await check("team", "an invitation", () => press("Invite a colleague"));
    await check("settings/organization", "erasing a user", () => press("Erase a user"));
    await check("home", "the palette", () => page.keyboard.press("Control+k"));
    await check("people", "code", () => press("Show as code"));
    await check("recalls?id=rec_no_such", "an error");
    await goTo(page, "home");
    await press("Sign out");
    found.push(...(await violationsOf(page, "signing in")));
    expect(found).toEqual([]);
    await close();
  });

  it.skipIf(!hasAxe)("finds nothing in the account of a person, nor in setting up a second factor", async () => {
    const { url, cookie } = opened.house;
    const { page, close } = await openPage(opened.browser, { url: `${url}/console/account`, cookie });
    await page.getByText("You have allowed no client to act for you.").waitFor();
    const found = await violationsOf(page, "an account");
    await page.getByRole("button", { name: "Set up a second factor" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    found.push(...(await violationsOf(page, "a second factor")));
    expect(found).toEqual([]);
    await close();
  });
});
