import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { WEBHOOK_EVENTS } from "../../shared/domain/integration/webhooks/webhook.ts";
import { createOrganization } from "../support/service.ts";
import { MARKUP } from "./house.ts";
import { describeInHouse } from "./in-browser.ts";
import { LARGE_GRAPH_NODES, largeGraph } from "./large-graph.ts";
import { openPrefix } from "./prefix.ts";
import { goTo, openPage, pressesIn, settle, signInWith, type VisitOptions } from "./visit.ts";

const PRESSES_OF_SIGN_IN = 1;

/** Views by their addresses, and what each shows when it has what it needs. */
const VIEWS = {
  facts: ["Facts", "Facts by property"],
  recalls: ["Recalls", "recalled nothing within a day"],
  graph: ["Graph", "Name a person"],
  sessions: ["Sessions", "No conversation is stored."],
  agents: ["Agents", "No agent is stored."],
  skills: ["Skills", "No skill waits for a review."],
  team: ["Team", "Nobody is invited."],
  people: ["People", "Users that memories are stored under"],
  sources: ["Documents", "No document is stored."],
  keys: ["API keys", "Begins with"],
  operate: ["Jobs, backups, logs", "No backup exists."],
  home: ["Home", "Users with the most memories"],
  health: ["Health", "Components of the deployment"],
  usage: ["Usage", "Requests a day"],
  traffic: ["Traffic and search", "Search latency, last day"],
  tiers: ["Tiers and compression", "Tokens saved an hour, last day"],
  webhooks: ["Webhooks", "Failed deliveries"],
  memories: ["Memories", "Previous"],
  activation: ["Spreading activation", "Query to start from"],
  "settings/organization": ["Organization", "Organizations of the deployment"],
  "settings/search": ["Search settings", "Save for the deployment"],
} as const;

describeInHouse("the console", (opened) => {
  const visit = ({ url = `${opened.house.url}/console`, ...options }: Partial<VisitOptions> = {}) =>
    openPage(opened.browser, { url, ...options });
  const signIn = (page: Page, key = opened.house.service.adminKey, view?: string) => signInWith(page, key, view);

  /** A visit of an operator whose browser has a session. */
  async function visitSignedIn(options: Partial<VisitOptions> = {}) {
    const visited = await visit({ cookie: opened.house.cookie, ...options });
    await visited.page.getByText("Users with the most memories").waitFor();
    return visited;
  }

  async function open(page: Page, view: keyof typeof VIEWS): Promise<void> {
    const [title] = VIEWS[view];
    const menu = page.getByRole("button", { name: "Menu" });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole("link", { name: title, exact: true }).click();
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  }

  async function keyWith(permissions: string[]): Promise<string> {
    const { body } = await opened.house.service.request("POST", "/api-keys", { body: { name: "narrow", permissions } });
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
      await settle(page);
      expect(await page.getByRole("alert").count()).toBe(0);
    }
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.filter((url) => !url.startsWith(`${opened.house.url}/`))).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("describes plots in words and in tables", async () => {
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
    const { body } = await opened.house.service.request("GET", "/tier/policy");
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
    await page.getByLabel("Category").fill("told");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("1 to 1 of 1").waitFor();
    await page.locator(".memories summary").click();
    await page.getByText("Metadata").waitFor();
    expect(await page.locator(".whole > .content").textContent()).toBe(MARKUP);
    expect(await page.locator(".whole pre").textContent()).toBe(JSON.stringify({ markup: MARKUP }, null, 2));
    expect(await page.locator("main img, main script, main b").count()).toBe(0);
    await page.getByLabel("Category").fill("");
    await page.getByLabel("Search for").fill("sailing boat");
    await page.getByLabel("Search for").press("Enter");
    await page.locator(".memories small").filter({ hasText: "score" }).first().waitFor();
    expect(await page.locator(".memories summary").first().textContent()).toContain("sailing boat in Lisbon");
    expect(await page.title()).toBe("Memories – Memory Service console");
    expect(errors).toEqual([]);
    await close();
  });

  it("offers every event and webhook of dead letters, and lists them without statistics", async () => {
    const { page, close } = await visit();
    await page.route("**/webhooks/delivery-stats", (route) => route.fulfill({ status: 500, json: {} }));
    await signIn(page);
    await open(page, "webhooks");
    const { body } = await opened.house.service.request("GET", "/webhooks/dead-letter");
    const [{ webhook_id }] = body.data.dead_letter_entries;
    await page.getByRole("table", { name: "Failed deliveries" }).getByText(webhook_id).waitFor();
    const choices = (name: string) => page.getByLabel(name, { exact: true }).locator("option").allTextContents();
    expect(await choices("Webhook")).toEqual(["all", webhook_id]);
    expect(await choices("Event")).toEqual(["all", ...WEBHOOK_EVENTS]);
    await close();
  });

  it("has a dead letter delivered", async () => {
    const { page, errors, close } = await visit();
    await signIn(page);
    await open(page, "webhooks");
    await page.getByLabel("Event", { exact: true }).selectOption("memory.updated");
    await page.getByRole("button", { name: "Retry all that match" }).click();
    await page.getByText("0 on their way again, 0 skipped.").waitFor();
    expect(await pressesIn(page)).toBe(PRESSES_OF_SIGN_IN + 2);
    opened.house.mend();
    await page.getByRole("button", { name: /^Retry memory\.created/ }).click();
    await page.getByRole("status").getByText("is on its way again").waitFor();
    expect(await pressesIn(page)).toBe(PRESSES_OF_SIGN_IN + 2 + 1);
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: "Refresh" }).click();
          await settle(page);
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

  it("changes only what differs when the day moves or a node is selected, among 500 nodes", async () => {
    const { page, errors, close } = await visitSignedIn();
    const data = largeGraph();
    await page.route(`${opened.house.url}/graph?*`, (route) => route.fulfill({ json: { success: true, data } }));
    await goTo(page, "graph?user=ada");
    const nodes = page.getByRole("listbox", { name: "Nodes" }).getByRole("option");
    await nodes.nth(LARGE_GRAPH_NODES - 1).waitFor();
    /** Attributes changed and nodes added or removed until the next frame. */
    const changesBy = (act: string) =>
      page.evaluate(`(async () => {
        let changes = 0;
        const observer = new MutationObserver((records) => {
          for (const { addedNodes, removedNodes, type } of records) {
            changes += type === "childList" ? addedNodes.length + removedNodes.length : 1;
          }
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        ${act};
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return changes;
      })()`) as Promise<number>;
    const moveDay = (days: number) => `{
      const slider = document.querySelector("input[type=range]");
      slider.value = Number(slider.max) - ${days};
      slider.dispatchEvent(new Event("input"));
    }`;
    const nextNode = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }))`;
    await changesBy(moveDay(100));
    const before = await nodes.count();
    // Ten facts with their names, the date, the sentence about that date, and the details of the selected node.
    const moved = await changesBy(moveDay(110));
    expect([moved > 20, moved < 60]).toEqual([true, true]);
    expect(await nodes.count()).toBe(before - 10);
    await page.locator("[role=option][tabindex='0']").focus();
    for (let step = 0; step < 3; step += 1) {
      const changes = await changesBy(nextNode);
      expect([changes > 4, changes < 120]).toEqual([true, true]);
    }
    expect(errors).toEqual([]);
    await close();
  });

  it("says so where activation has nowhere to start from", async () => {
    const { page, close } = await visit();
    const organization = await opened.house.stranger();
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
    await page.keyboard.type(opened.house.service.adminKey);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent.trim()");
    expect(await focused()).toBe("Home");
    await close();
  });

  it("is gone through by keyboard alone: every view by the menu, and its content by Tab", async () => {
    const { page, close } = await visitSignedIn();
    const focused = () => page.evaluate("document.activeElement.textContent.trim()");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("Shift+Tab");
    expect(await focused()).toBe("Account");
    const views = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    const titles = await views.allTextContents();
    for (const title of titles.reverse()) {
      // From the heading of the view before, over the link of the last view, to the next one upwards.
      for (let steps = 0; steps < 100 && (await focused()) !== title; steps += 1)
        await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
      expect(await focused()).toBe(title);
      await settle(page);
      expect([title, await unreachableIn(page)]).toEqual([title, []]);
    }
    await close();
  });

  it.each([["search:read"], ["memory:read"], ["memory:read", "memory:write"]])(
    "offers a key with %s only what it may do",
    async (...permissions) => {
      const { page, refused, close } = await visit();
      await signIn(page, await keyWith(permissions));
      const links = page.getByRole("navigation").getByRole("link");
      for (const title of await links.allTextContents()) {
        await links.filter({ hasText: title }).click();
        await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
        await settle(page);
      }
      await page.getByRole("link", { name: "Memories", exact: true }).click();
      if (permissions.includes("search:read")) {
        await page.getByLabel("Search for").fill("sailing boat");
        await page.getByRole("button", { name: "Show", exact: true }).click();
        await page.getByText("sailing boat in Lisbon").first().waitFor();
        expect(await page.locator(".memories details").count()).toBe(0);
      } else {
        await page.getByText(/^1 to 20 of/).waitFor();
        expect(await page.getByLabel("Search for").count()).toBe(0);
      }
      expect(await page.getByRole("button", { name: "Add a memory" }).count()).toBe(
        permissions.includes("memory:write") ? 1 : 0,
      );
      await goTo(page, "health");
      await page.getByText("There is no view at this address, or you may not use it.").waitFor();
      await settle(page);
      expect(refused).toEqual([]);
      await close();
    },
  );

  it("takes an empty account to its first recall in three steps, within a minute", async () => {
    const started = performance.now();
    const { page, errors, refused, close } = await visit();
    await signIn(page, await opened.house.stranger());
    await page.locator(".steps > li").first().waitFor();
    expect(await page.locator(".steps > li").count()).toBe(3);
    await page.getByLabel("What ada says").fill("I live in Lisbon.");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByText("Remembered. It states:").waitFor();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".steps pre").getByText("I live in Lisbon.").waitFor();
    expect(performance.now() - started).toBeLessThan(60_000);
    await page.getByRole("button", { name: "Fill in a new key" }).click();
    await page.getByText("The key is shown only now").waitFor();
    const [, made = ""] = /X-API-Key: (\S+)"/.exec((await page.locator(".steps pre").last().textContent()) ?? "") ?? [];
    expect((await opened.house.service.request("GET", "/memories", { key: made })).status).toBe(200);
    await goTo(page, "home");
    await page.getByText("Users with the most memories").waitFor();
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("loads an example person, and removes it with one click", async () => {
    const { page, errors, refused, close } = await visit();
    await signIn(page, await opened.house.stranger());
    await page.getByRole("button", { name: "Load an example person" }).click();
    await page.getByRole("link", { name: "example-ada" }).click();
    await page.locator(".told").getByText("Today Ada lives in Zurich").waitFor();
    await page.getByRole("option", { name: /^lives in Berlin, superseded/ }).waitFor();
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByRole("button", { name: "Remove the example person" }).click();
    await page.getByRole("button", { name: "Load an example person" }).waitFor();
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("goes by Ctrl-K to a view, a person and a memory", async () => {
    const { page, errors, refused, close } = await visit();
    await signIn(page);
    const type = async (typed: string, found: RegExp) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(typed);
      await page.getByRole("option", { name: found, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await type("webh", /^Webhooks/);
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await type("ada", /^ada ?person, \d+ memories$/);
    await page.getByRole("navigation", { name: "This person" }).getByText("ada").waitFor();
    await type("sailing boat", /^Grace Hopper keeps a sailing boat/);
    await page.locator("details[open] .whole > .content").getByText("sailing boat").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("shows a view as code that answers the same", async () => {
    const { page, close } = await visit();
    await signIn(page);
    await goTo(page, "memories?q=sailing+boat&user=ada");
    await page.locator(".memories summary").getByText("sailing boat").waitFor();
    await page.getByRole("button", { name: "Show as code" }).click();
    const code = page.getByRole("dialog", { name: "This view as code" });
    const shown = await code.locator("pre").allTextContents();
    expect(shown).toContain(
      `const answer = await memory.search("sailing boat", {"filters":{"user_id":"ada"},"options":{"limit":20}});`,
    );
    expect(shown).toContain(`answer = memory.recall("sailing boat", user_id="ada", max_tokens=300)`);
    const tool = { name: "recall", arguments: { query: "sailing boat", user_id: "ada", max_tokens: 300 } };
    expect(shown).toContain(JSON.stringify({ method: "tools/call", params: tool }));
    const [, path] = /^curl '[^']*(\/search\?[^']*)'/.exec(shown.find((each) => each.includes("/search?")) ?? "") ?? [];
    const { body } = await opened.house.service.request("GET", path ?? "");
    expect(body.data.results[0].content).toContain("sailing boat");
    await close();
  });

  it("keeps query, filters and the opened memory over Reload, Back and in a link", async () => {
    const { page, close } = await visitSignedIn();
    await open(page, "memories");
    await page.getByLabel("User").fill("ada");
    await page.getByLabel("Category").fill("people");
    await page.getByLabel("Search for").fill("sailing boat");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.locator(".memories summary").first().click();
    await page.locator(".whole > .content").waitFor();
    const link = page.url();
    expect(link).toMatch(/\/console\/memories\?q=sailing\+boat&user=ada&category=people&open=mem_/);
    const isKept = async () => {
      await page.locator("details[open] .whole > .content").getByText("sailing boat").waitFor();
      expect(await page.getByLabel("Search for").inputValue()).toBe("sailing boat");
      expect(await page.getByLabel("Category").inputValue()).toBe("people");
      expect(page.url()).toBe(link);
    };
    await page.reload();
    await isKept();
    await open(page, "tiers");
    await page.goBack();
    await isKept();
    await page.goto(`${opened.house.url}/console`);
    await page.goto(link);
    await isKept();
    await close();
  });

  it("follows an address of before, which had the view in the fragment", async () => {
    const { page, close } = await visit({ url: `${opened.house.url}/console#memories?q=sailing+boat&user=ada` });
    await signIn(page, opened.house.service.adminKey, "Memories");
    await page.locator(".memories summary").getByText("sailing boat").waitFor();
    expect(page.url()).toBe(`${opened.house.url}/console/memories?q=sailing+boat&user=ada`);
    await page.evaluate(`location.hash = "#people?q=a"`);
    await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
    expect(page.url()).toBe(`${opened.house.url}/console/people?q=a`);
    await page.goBack();
    await page.getByRole("heading", { name: "Memories", level: 1 }).waitFor();
    await close();
  });

  it("shows the last answer, however late an earlier one is", async () => {
    const { page, close } = await visit();
    await signIn(page);
    await page.route(/\/search\?.*q=tea/, async (route) => {
      await delay(1500);
      await route.continue().catch(() => {});
    });
    await open(page, "memories");
    for (const query of ["tea", "sailing boat"]) {
      await page.getByLabel("Search for").fill(query);
      await page.getByRole("button", { name: "Show", exact: true }).click();
    }
    await page.locator(".memories summary").getByText("sailing boat").waitFor();
    await delay(2000);
    expect(await page.locator(".memories summary").first().textContent()).toContain("sailing boat");
    await close();
  });

  it("shows on Back what it showed before, and then what is another by now", async () => {
    const { page, errors, close } = await visitSignedIn();
    await open(page, "memories");
    await page.getByLabel("User").fill("ada");
    await page.getByLabel("Category").fill("people");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const listed = page.locator(".memories summary");
    await listed.getByText("sailing boat").waitFor();
    const before = await listed.count();
    await open(page, "tiers");
    const content = "Ada Lovelace bought a kite in Bergen.";
    const body = { content, user_id: "ada", category: "people" };
    const stored = await opened.house.service.request("POST", "/memories", { body });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/memories\?/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goBack();
    await listed.getByText("sailing boat").waitFor();
    expect([await listed.count(), await page.getByText(content).count()]).toEqual([before, 0]);
    answer();
    await listed.getByText(content).waitFor();
    expect(await listed.count()).toBe(before + 1);
    await page.unrouteAll();
    await opened.house.service.request("DELETE", `/memories/${stored.body.data.id}`);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await listed.getByText(content).waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("is sent no content again that is the same", async () => {
    const { page, errors, close } = await visitSignedIn();
    await open(page, "memories");
    await page.getByText(/^1 to 20 of \d+$/).waitFor();
    await open(page, "tiers");
    const statuses: [string, number][] = [];
    page.on("response", (response) => statuses.push([new URL(response.url()).pathname, response.status()]));
    await open(page, "memories");
    await page.getByText(/^1 to 20 of \d+$/).waitFor();
    expect(statuses).toContainEqual(["/memories", 304]);
    expect(errors).toEqual([]);
    await close();
  });

  it("keeps nothing of an answer that was left while it was read", async () => {
    const { page, errors, close } = await visitSignedIn();
    // As if the content had not ended when the view is left.
    await page.evaluate(`{
      const { json } = Response.prototype;
      Response.prototype.json = function () {
        if (!this.url.includes("/memories?")) return json.call(this);
        Response.prototype.json = json;
        return new Promise((_, reject) => {
          globalThis.endReading = () => reject(new DOMException("left", "AbortError"));
        });
      };
    }`);
    await open(page, "memories");
    await page.waitForFunction("globalThis.endReading");
    await open(page, "tiers");
    await page.evaluate("endReading()");
    await open(page, "memories");
    await page.getByText(/^1 to 20 of \d+$/).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("works behind a proxy's prefix, as the reference does", async () => {
    const proxy = await openPrefix(() => opened.house.url, "/mem");
    const { page, errors, requests, close } = await visitSignedIn({ url: `${proxy.url}/mem/console` });
    await page.goto(`${proxy.url}/mem/console/`);
    await page.getByText("Users with the most memories").waitFor();
    await page.getByRole("link", { name: "People", exact: true }).click();
    expect(page.url()).toBe(`${proxy.url}/mem/console/people`);
    for (const address of ["people", "people/"]) {
      await page.goto(`${proxy.url}/mem/console/${address}?q=ad`);
      await page.getByRole("link", { name: "ada" }).waitFor();
    }
    await page.goto(`${proxy.url}/mem/docs`);
    await page.getByRole("heading", { name: "Memory Service", level: 1 }).first().waitFor();
    expect(requests.filter((url) => !url.startsWith(`${proxy.url}/mem/`) && !url.startsWith("blob:"))).toEqual([]);
    expect(errors).toEqual([]);
    await close();
    await proxy.close();
  });

  it("shows when it happened, what replaced it, and names of any direction in place", async () => {
    const { page, close } = await visit();
    const { key } = await createOrganization(opened.house.service);
    const turned = "עדה";
    for (const [occurred_at, content] of [
      ["2024-01-05T10:00:00Z", "I live in Berlin."],
      ["2025-02-06T10:00:00Z", "I moved to Zurich."],
    ]) {
      const body = { content, occurred_at, user_id: turned };
      const answer = await opened.house.service.request("POST", "/memories", { key, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
    await signIn(page, key);
    await open(page, "memories");
    await page.getByText(/^1 to 2 of 2$/).waitFor();
    expect(await page.locator(".memories small").allTextContents()).toMatchObject([
      expect.stringMatching(/^happened 6 Feb 2025, .* · stored /),
      expect.stringMatching(/^happened 5 Jan 2024, .* · stored /),
    ]);
    expect(await page.locator(".memories small bdi").first().textContent()).toBe(turned);
    await page.getByLabel("Search for").fill("Where do I live? Berlin");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.locator(".memories small").getByText("superseded").waitFor();
    await close();
  });

  it("isolates a text that reverses its direction from what is shown around it", async () => {
    const { page, close } = await visit();
    const { key } = await createOrganization(opened.house.service);
    const turning = "The code is \u202e321 cba.";
    const post = (path: string, body: object) => opened.house.service.request("POST", path, { key, body });
    await post("/memories", { content: turning, user_id: "ada" });
    await post("/agents", { name: turning, model: "any" });
    await post("/sessions", { agent_id: "guide", user_id: "ada", title: turning });
    // Ids and categories with it are refused.
    expect((await post("/memories", { content: "tea", user_id: "ada\u202e" })).status).toBe(400);
    expect((await post("/memories", { content: "tea", category: "a\u202e" })).status).toBe(400);
    await signIn(page, key);
    for (const view of ["memories", "agents", "sessions", "keys"] as const) {
      if (view === "keys") await post("/api-keys", { name: turning, permissions: ["memory:read"] });
      await open(page, view);
      await page.locator("main :not(:has(*))").filter({ hasText: "The code is" }).first().waitFor();
      const bidi = (await page.evaluate(`[...document.querySelectorAll("main *")]
        .filter((each) => each.childElementCount === 0 && each.textContent.includes("The code is"))
        .map((each) => getComputedStyle(each).unicodeBidi)`)) as string[];
      expect([view, [...new Set(bidi)]]).toEqual([view, ["isolate"]]);
    }
    await close();
  });

  it.each([320, 1440])(
    "keeps names of 200 letters and a word of 10,000 within a window of %i pixels",
    async (width) => {
      const { page, errors, close } = await visit({ viewport: { width, height: 900 } });
      const { key } = await createOrganization(opened.house.service);
      const user_id = "W".repeat(200);
      const post = (path: string, body: object) => opened.house.service.request("POST", path, { key, body });
      for (const content of [`I live in ${user_id}.`, `My favourite ${user_id} is ${user_id}.`]) {
        expect((await post("/memories", { content, user_id, category: user_id })).status).toBe(201);
      }
      const word = await post("/memories", { content: "W".repeat(10_000), user_id });
      await post("/sessions", { agent_id: "guide", user_id, title: user_id });
      await post("/api-keys", { name: user_id, permissions: ["memory:read"] });
      await signIn(page, key);
      for (const address of [
        ...[
          "home",
          "memories",
          `memories?q=where&user=${user_id}`,
          `memories?open=${word.body.data.id}`,
          "recalls",
          "people",
          `people?id=${user_id}`,
        ],
        ...["facts", `facts?user=${user_id}`],
        ...[`graph?user=${user_id}`, "sessions", "keys", "team", "usage", "traffic", "settings/organization"],
      ]) {
        await goTo(page, address);
        await settle(page);
        expect([address, await page.evaluate("document.scrollingElement.scrollWidth")]).toEqual([address, width]);
      }
      expect(errors).toEqual([]);
      await close();
    },
  );

  it("says what an empty account has, and not that nothing matches", async () => {
    const { page, close } = await visit();
    await signIn(page, await opened.house.stranger());
    await open(page, "memories");
    await page.getByText("No memory is stored yet.").waitFor();
    await page.getByLabel("Search for").fill("tea");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("No memory matches.").waitFor();
    await open(page, "people");
    await page.getByText("No memory is stored under a user yet.").waitFor();
    await close();
  });

  it("shows a plan of the next century without compressing what held before", async () => {
    const { page, close } = await visit();
    const { key } = await createOrganization(opened.house.service);
    for (const [occurred_at, content] of [
      ["2024-01-05T10:00:00Z", "I live in Berlin."],
      ["2025-02-06T10:00:00Z", "I moved to Zurich."],
      ["2025-03-06T10:00:00Z", "I will move to Lisbon in March 2099."],
    ]) {
      await opened.house.service.request("POST", "/memories", { key, body: { content, occurred_at, user_id: "ada" } });
    }
    await signIn(page, key);
    await goTo(page, "people?id=ada");
    const widthOf = async (name: RegExp) => (await page.getByRole("option", { name }).boundingBox())?.width ?? 0;
    await page.getByRole("option", { name: /^lives in Lisbon, planned/ }).waitFor();
    expect(await widthOf(/^lives in Berlin/)).toBeGreaterThan(60);
    await page.getByRole("slider", { name: "Day" }).press("Home");
    await page.locator(".told").getByText("On 5 Jan 2024 ada lived in Berlin.").waitFor();
    expect(page.url()).toContain("on=2024-01-05");
    const cursor = page.locator(".timeline .cursor");
    expect(await cursor.getAttribute("transform")).toBe("translate(8)");
    await close();
  });

  it("shows the recall on a telephone without scrolling", async () => {
    const { page, close } = await visit({ viewport: { width: 390, height: 844 } });
    await signIn(page);
    await open(page, "memories");
    await page.getByLabel("Search for").fill("sailing boat");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const block = await page.locator(".recall pre").first().boundingBox();
    expect((block?.y ?? 0) + 40).toBeLessThan(844);
    await close();
  });

  it.each(["no-such-key-at-all", "schlüssel"])("refuses %s as a key", async (key) => {
    const { page, close } = await visit();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await close();
  });

  it("stores no key: it is gone with Reload, with signing out, and when the service takes it no more", async () => {
    const { page, close } = await visit();
    const kept = () => page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]");
    await signIn(page);
    expect(await kept()).toEqual([0, 0, ""]);
    expect(await page.locator("header").textContent()).not.toContain(opened.house.service.adminKey.slice(0, 4));
    await open(page, "people");
    await page.reload();
    await signIn(page, opened.house.service.adminKey, "People");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await kept()).toEqual([0, 0, ""]);
    expect(await page.locator("body").textContent()).not.toContain(opened.house.service.adminKey.slice(0, 12));

    const key = await keyWith(["memory:read"]);
    await signIn(page, key, "People");
    const { body } = await opened.house.service.request("GET", "/api-keys");
    const { id } = body.data.api_keys.find((each: { prefix: string }) => key.startsWith(each.prefix));
    await opened.house.service.request("DELETE", `/api-keys/${id}`);
    await page.getByRole("link", { name: "Memories" }).click();
    await page.getByText("The key or sign-in is not valid any more.").waitFor();
    expect(await kept()).toEqual([0, 0, ""]);
    await close();
  });

  it("fits a telephone: nothing but tables scrolls sideways", async () => {
    const { page, close } = await visit({ viewport: { width: 320, height: 800 } });
    await signIn(page);
    for (const view of Object.keys(VIEWS) as (keyof typeof VIEWS)[]) {
      await open(page, view);
      await settle(page);
      expect([view, await page.evaluate("document.scrollingElement.scrollWidth")]).toEqual([view, 320]);
    }
    for (const address of ["people?id=ada", "graph?user=ada", "memories?q=tea&user=ada&tokens2=120"]) {
      await goTo(page, address);
      await settle(page);
      expect([address, await page.evaluate("document.scrollingElement.scrollWidth")]).toEqual([address, 320]);
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
});

/** Regions that scroll are stops too. */
const EXTRA_STOPS = 20;

/**
 * Controls of the content that Tab does not stop at. Links, fields and buttons are reached one by one; of a list of options or
 * a group with a moving focus, one is.
 */
async function unreachableIn(page: Page): Promise<string[]> {
  const controls = page.locator("main :is(a[href], button, input, select, textarea, summary, [tabindex='0'])");
  const names = await controls.evaluateAll((all) =>
    all
      .filter((each) => each.matches(":not(:disabled)") && each.checkVisibility())
      .map((each, index) => {
        each.setAttribute("data-stop", String(index));
        return each.outerHTML.slice(0, 80);
      }),
  );
  await page.evaluate(`addEventListener("focusin", ({ target }) => target.setAttribute("data-reached", ""))`);
  await page.locator("#main").focus();
  const missed = page.locator("[data-stop]:not([data-reached])");
  for (const steps of [names.length, EXTRA_STOPS]) {
    for (let step = 0; step < steps; step += 1) await page.keyboard.press("Tab");
    if ((await missed.count()) === 0) return [];
  }
  const numbers = await missed.evaluateAll((all) => all.map((each) => Number(each.getAttribute("data-stop"))));
  return numbers.map((index) => names[index] ?? "");
}
