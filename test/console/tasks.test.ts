import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { ROLE_PERMISSIONS, ROLES } from "../../shared/runtime/access/permissions.ts";
import { listenOnLoopback } from "../fixtures/loopback-server.ts";
import { linkIn } from "../support/form-page.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { openBrowser } from "../support/oauth.ts";
import { otpOf, PASSWORD } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { signInUser } from "../support/users.ts";
import { describeInBrowser } from "./in-browser.ts";
import { openPage, pressesIn, settle, signInWith, type Visit } from "./visit.ts";

/** What people do in the console, each in an organization of its own. */
describeInBrowser("tasks in the console", (opened) => {
  let service: LocalService;
  let url: string;
  let org: string;
  let key: string;
  /** Of an admin of the organization who is signed in. */
  let cookie: string;
  let mails: Mail[];

  beforeAll(async () => {
    service = await openService({ HOST: "127.0.0.1", ALLOW_PRIVATE_TARGETS: "1" });
    url = `${await service.host.listen()}/console`;
    ({ org, key } = await createOrganization(service));
    const { token } = await signInUser(service, { org, role: "admin" });
    ({ cookie } = await openBrowser(service, token));
    mails = mailboxOf(service);
    for (const [occurred_at, content] of [
      ["2024-01-05T10:00:00Z", "I live in Berlin."],
      ["2025-02-06T10:00:00Z", "I moved to Zurich."],
      ["2025-03-06T10:00:00Z", "My favourite tea is Assam."],
    ]) {
      await service.request("POST", "/memories", { key, body: { content, occurred_at, user_id: "ada" } });
    }
  });
  afterAll(async () => {
    await service?.close();
  });

  async function visit(view: string, withKey?: string) {
    const visited = await openPage(opened.browser, { url, cookie: withKey === undefined ? cookie : undefined });
    if (withKey !== undefined) await signInWith(visited.page, withKey);
    await visited.page.getByRole("link", { name: view, exact: true }).click();
    await visited.page.getByRole("heading", { name: view, level: 1 }).waitFor();
    return visited;
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

  it("deletes no memory that another has changed since it was shown", async () => {
    const body = { content: "The parcel is at the neighbours.", user_id: "ada" };
    const { id } = (await service.request("POST", "/memories", { key, body })).body.data;
    const { page, close } = await visit("Memories");
    await page.locator(".memories summary").filter({ hasText: "parcel" }).click();
    await page.getByRole("button", { name: "Delete this memory" }).waitFor();
    await service.request("PUT", `/memories/${id}`, { key, body: { content: "The parcel is in the shed." } });
    await page.getByRole("button", { name: "Delete this memory" }).click();
    await page.locator(".whole .notice").waitFor();
    expect((await service.request("GET", `/memories/${id}`, { key })).status).toBe(200);
    await close();
  });

  it("shows what is known about a person at a day, and corrects, retracts and restores it", async () => {
    const { page, errors, refused, close } = await visit("People");
    await page.getByRole("link", { name: "ada" }).click();
    const told = page.locator(".told");
    await told.getByText("Today ada lives in Zurich.").waitFor();
    expect(await pressesIn(page)).toBe(2);
    await page.getByLabel("What held on this day").fill("2024-04-14");
    await told.getByText("On 14 Apr 2024 ada lived in Berlin.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "lives in: Berlin" }).getByText("(today: Zurich)").waitFor();
    await page.reload();
    await told.getByText("On 14 Apr 2024 ada lived in Berlin.").waitFor();
    await page.getByRole("slider", { name: "Day" }).press("End");
    await told.getByText("lives in Zurich").or(told.getByText("will live in Zurich")).waitFor();
    await page.getByRole("button", { name: "Today" }).click();

    await page.getByRole("option", { name: /^lives in Zurich, current/ }).click();
    const chosen = page.getByRole("group", { name: "The chosen fact" });
    await chosen.getByText("I moved to Zurich.").waitFor();
    await page.getByRole("button", { name: "Retract lives_in, Zurich" }).click();
    await page.getByText("“Berlin”, which it replaced, holds again").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Retract" }).click();
    await told.getByText("Today ada lives in Berlin.").waitFor();
    await page.getByRole("button", { name: "Restore lives_in, Zurich" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await told.getByText("Today ada lives in Zurich.").waitFor();
    await fact(page, "Berlin").getByText("superseded").waitFor();

    const before = await pressesIn(page);
    await page.getByRole("button", { name: "Choose favourite tea, Assam" }).click();
    await page.getByRole("button", { name: "Correct favourite_tea, Assam" }).click();
    await page.getByLabel("Value").fill("Darjeeling");
    await page.getByText("“Darjeeling” holds from 6 Mar 2025 on, instead of “Assam”.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await fact(page, "Darjeeling").getByText("current").waitFor();
    expect((await pressesIn(page)) - before).toBe(3);
    await page.getByRole("option", { name: /^favourite tea Darjeeling, current/ }).waitFor();
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("lists facts by state, property and memory, and corrects, retracts and restores one", async () => {
    for (const content of ["I live in Oslo.", "I moved to Bergen.", "My favourite soup is ramen."]) {
      await service.request("POST", "/memories", { key, body: { content, user_id: "tove" } });
    }
    const { page, errors, refused, close } = await visit("Facts");
    await page.getByLabel("User").fill("tove");
    await page.getByLabel("State").selectOption("superseded");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const facts = page.locator(".memories summary");
    await facts.getByText("Oslo").waitFor();
    expect(await facts.count()).toBe(1);
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Property").fill("lives in");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await facts.getByText("Bergen").click();
    await page.locator("blockquote").getByText("I moved to Bergen.").waitFor();
    const link = page.url();
    expect(link).toMatch(/\/console\/facts\?user=tove&slot=lives\+in&open=/);
    await page.getByRole("button", { name: "Retract lives_in, Bergen" }).click();
    await page.getByText("“Oslo”, which it replaced, holds again").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Retract" }).click();
    await facts.filter({ hasText: "Oslo" }).getByText("current").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Restore lives_in, Bergen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await facts.filter({ hasText: "Oslo" }).getByText("superseded").waitFor();
    await page.getByRole("button", { name: "Correct lives_in, Bergen" }).click();
    await page.getByRole("dialog").getByLabel("Value").fill("Trondheim");
    await page.getByRole("button", { name: "Save" }).click();
    await facts.filter({ hasText: "Trondheim" }).getByText("current").waitFor();
    expect(page.url()).toBe(link);
    await page.getByRole("link", { name: "Show on the timeline" }).click();
    await page.getByRole("group", { name: "The chosen fact" }).getByText("I moved to Bergen.").waitFor();
    await page.getByRole("link", { name: "Open the memory" }).click();
    await page.getByRole("link", { name: "Show these facts" }).click();
    await facts.getByText("Trondheim").waitFor();
    expect(await facts.count()).toBe(1);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("reads a long list of facts on, and marks those that are unsure", async () => {
    const { page, errors, close } = await visit("Facts");
    const { facts } = (await service.request("GET", "/facts?user_id=ada", { key })).body.data;
    const page1 = Array.from({ length: 20 }, (_, index) => ({ ...facts[0], id: `fact_${index}`, confidence: 0.4 }));
    const at = (has_next: boolean) => ({
      total: 21,
      limit: 20,
      offset: 0,
      has_next,
      ...(has_next && { next_cursor: "c" }),
    });
    await page.route(`**/facts?*`, (route) => {
      const isFirst = !route.request().url().includes("cursor=c");
      const data = isFirst ? { facts: page1, pagination: at(true) } : { facts: [facts[0]], pagination: at(false) };
      return route.fulfill({ json: { success: true, data } });
    });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("20 of 21").waitFor();
    expect(await page.locator(".memories .badge").filter({ hasText: "unsure" }).count()).toBe(20);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("1 of 21").waitFor();
    expect(await page.locator(".memories .badge").filter({ hasText: "unsure" }).count()).toBe(0);
    expect(page.url()).toContain("after=c");
    await page.getByRole("button", { name: "First page" }).click();
    await page.getByText("20 of 21").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("explains a recalled line, and what did not get in", async () => {
    const { page, close } = await visit("Memories");
    await page.getByLabel("Search for").fill("Where do I live?");
    await page.getByLabel("User").fill("ada");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const before = await pressesIn(page);
    await page.locator(".reasons summary").first().click();
    await page.getByText("Similarity in meaning").first().waitFor();
    expect((await pressesIn(page)) - before).toBe(1);
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
    expect(await pressesIn(page)).toBe(4);
    const who = await service.request("GET", "/whoami", { key: made });
    expect(who.body.data).toMatchObject({
      kind: "api_key",
      name: "reader",
      permissions: ["search:read"],
      operator: false,
      rate_limit: { requests_per_minute: 30, burst_limit: 30 },
    });
    await page.getByRole("button", { name: "Usage of reader" }).click();
    await page.getByText(/\d+ requests, 0 failed/).waitFor();
    await page.getByRole("button", { name: "Revoke reader" }).click();
    await page.getByText("The key reader is revoked.").waitFor();
    expect((await service.request("GET", "/whoami", { key: made })).status).toBe(401);
    await close();
  });

  it("uploads a document, and finds its words", async () => {
    const { page, close } = await visit("Documents");
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Upload a document" }).click();
    const buffer = Buffer.from("The boiler is serviced every October by Meier & Sons.");
    await (await choosing).setFiles({ name: "house.txt", mimeType: "text/plain", buffer });
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "house.txt" }).getByText("active").waitFor();
    await page.getByLabel("Ask").click();
    await page.keyboard.type("Who services the boiler?");
    await page.keyboard.press("Enter");
    await page.locator(".memories").getByText("Meier & Sons").first().waitFor();
    expect(await pressesIn(page)).toBe(4);
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
    const { page, close } = await openPage(opened.browser, { url });
    await signInWithPassword(page, email, password);
    await page.getByLabel("Code of the authenticator app").fill(recovery_codes[0]);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("Signed in as Ada").waitFor();
    await page.reload();
    await page.getByText("Signed in as Ada").waitFor();
    await close();
  });

  it("keeps a sign-in over Reload in a cookie that no script reads, and ends it everywhere with signing out", async () => {
    const body = { email: "hedy@example.com", password: PASSWORD, name: "Hedy" };
    await service.request("POST", "/auth/register", { key: null, body });
    const { page, errors, close } = await openPage(opened.browser, { url });
    const authorized: string[] = [];
    page.on("request", (request) => {
      if ("authorization" in request.headers()) authorized.push(new URL(request.url()).pathname);
    });
    await signInWithPassword(page, body.email, PASSWORD);
    await page.getByText("Signed in as Hedy").waitFor();
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    const [kept] = await page.context().cookies();
    expect(kept).toMatchObject({ name: "__Host-memory_session", httpOnly: true, secure: true, sameSite: "Lax" });
    await page.reload();
    await page.getByLabel("What ada says").fill("I live in Lisbon.");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByText("Remembered. It states:").waitFor();
    expect(authorized).toEqual(["/auth/session"]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await expect.poll(async () => (await page.context().cookies()).length).toBe(0);
    const headers = { cookie: `${kept?.name}=${kept?.value}` };
    expect((await service.request("GET", "/whoami", { key: null, headers })).status).toBe(401);
    await page.reload();
    await page.getByLabel("API key").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("asks for a password of one's own after a sign-in with a temporary one, and goes on", async () => {
    const email = "tove@example.com";
    const temporary = "temporary but long enough";
    const body = { email, name: "Tove", password: temporary, role: "viewer" };
    expect((await service.request("POST", "/admin/users", { key, body })).status).toBe(201);
    const { page, close } = await openPage(opened.browser, { url: `${url}/people` });
    await signInWithPassword(page, email, "a wrong one, surely");
    await page.getByRole("alert").getByText("password").waitFor();
    await signInWithPassword(page, email, temporary);
    await page.getByRole("heading", { name: "Choose a password" }).waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("new-password");
    await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("New password again").fill(`${PASSWORD}?`);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("New password again").fill(PASSWORD);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("Signed in as Tove").waitFor();
    await page.getByRole("heading", { name: "People", level: 1 }).waitFor();
    await page.reload();
    await page.getByText("Signed in as Tove").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInWithPassword(page, email, PASSWORD);
    await page.getByText("Signed in as Tove").waitFor();
    await close();
  });

  it("shares a sign-in and a sign-out with the other tabs, but no key", async () => {
    const body = { email: "radia@example.com", password: PASSWORD, name: "Radia" };
    await service.request("POST", "/auth/register", { key: null, body });
    const { page: first, errors, close } = await openPage(opened.browser, { url });
    const context = first.context();
    const tabAt = async (address: string) => {
      const tab = await context.newPage();
      await tab.goto(`${url}/${address}`);
      await tab.getByLabel("API key").waitFor();
      return tab;
    };
    const [second, withKey] = [await tabAt("people?q=a"), await tabAt("memories")];
    await signInWith(withKey, key, "Memories");
    await signInWithPassword(first, body.email, PASSWORD);
    await first.getByText("Signed in as Radia").waitFor();
    await second.getByText("Signed in as Radia").waitFor();
    await second.getByRole("heading", { name: "People", level: 1 }).waitFor();
    expect(second.url()).toBe(`${url}/people?q=a`);
    // The tab has a token of its own for changes.
    await second.getByRole("link", { name: "Home", exact: true }).click();
    await second.getByLabel("What ada says").fill("I live in Lisbon.");
    await second.getByRole("button", { name: "Remember" }).click();
    await second.getByText("Remembered. It states:").waitFor();
    await second.getByRole("button", { name: "Sign out" }).click();
    await first.getByText("You signed out in another tab.").waitFor();
    expect(await first.locator("body").textContent()).not.toContain("Radia");
    expect(await withKey.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
    await withKey.reload();
    await withKey.getByLabel("API key").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("keeps a sign-in in memory where the browser refuses the cookie, as over plain HTTP", async () => {
    const body = { email: "joan@example.com", password: PASSWORD, name: "Joan" };
    await service.request("POST", "/auth/register", { key: null, body });
    const { page, close } = await openPage(opened.browser, { url });
    // As the service answers without the cookie.
    await page.route("**/auth/session", (route) =>
      route.request().method() === "GET" ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    await signInWithPassword(page, body.email, PASSWORD);
    await page.getByText("Signed in as Joan").waitFor();
    await page.getByRole("button", { name: "Load an example person" }).waitFor();
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await close();
  });

  it("invites a colleague, who joins by the mailed link and signs in", async () => {
    const { page, errors, close } = await visit("Team");
    await page.getByRole("button", { name: "Invite a colleague" }).click();
    await page.getByLabel("Name").fill("Grace");
    await page.getByLabel("E-mail address").fill("grace@example.com");
    await page.getByLabel("Role").selectOption("viewer");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "grace@example.com" }).getByText("pending").waitFor();
    const shown = await page.getByLabel("A mail is on its way.").inputValue();
    const link = linkIn(mails.findLast(({ to }) => to === "grace@example.com"));
    expect(new URL(shown).pathname).toBe(link.pathname);
    expect(errors).toEqual([]);
    await close();

    const joining = await openPage(opened.browser, { url: new URL(link.pathname + link.search + link.hash, url).href });
    await joining.page.getByLabel("Choose a password").fill(PASSWORD);
    await joining.page.getByLabel("I accept").check();
    await joining.page.getByRole("button", { name: "Join" }).click();
    await joining.page.getByRole("link", { name: "Sign in" }).click();
    await signInWithPassword(joining.page, "grace@example.com", PASSWORD);
    await joining.page.getByText("Signed in as Grace").waitFor();
    expect(await joining.page.getByRole("link", { name: "Team" }).count()).toBe(0);
    expect(joining.errors).toEqual([]);
    await joining.close();
  });

  it("sends a link to who forgot the password, and lets them in with the new one", async () => {
    const email = "mary@example.com";
    const register = { email, password: PASSWORD, name: "Mary" };
    await service.request("POST", "/auth/register", { key: null, body: register });
    const { page, close } = await openPage(opened.browser, { url });
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Forgot the password" }).click();
    await page.getByText("a mail with a link is on its way").waitFor();
    const link = linkIn(mails.findLast(({ to }) => to === email));
    await page.goto(new URL(link.pathname + link.search + link.hash, url).href);
    const [chosen, again] = await page.locator("input[type=password]").all();
    for (const input of [chosen, again]) await input?.fill(`${PASSWORD} at all`);
    await page.getByRole("button").click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signInWithPassword(page, email, `${PASSWORD} at all`);
    await page.getByText("Signed in as Mary").waitFor();
    await close();
  });

  it("shows the graph around a person, by keyboard and as a list, at a day and around another", async () => {
    const { page, errors, refused, close } = await visit("People");
    await page.getByRole("link", { name: "ada" }).click();
    await page.getByRole("link", { name: "Graph", exact: true }).last().click();
    const graph = page.getByRole("listbox", { name: "Nodes" });
    await graph.getByRole("option", { name: "place Berlin" }).waitFor();
    expect(await graph.locator(".link.former").count()).toBe(1);
    await page.getByRole("button", { name: "Mark" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.locator(".node-details").getByText("since").waitFor();
    await page.getByText("Show as a list").click();
    await page.getByRole("row").filter({ hasText: "Berlin" }).getByText("superseded").waitFor();
    await graph.getByRole("option", { name: "place Zurich" }).click();
    await page.getByRole("link", { name: "Put it in the middle" }).click();
    await page.getByRole("link", { name: "Back to the person" }).waitFor();
    expect(await graph.getByRole("option").first().getAttribute("aria-label")).toBe("place Zurich");
    await page.goBack();
    await page.getByLabel("What held on this day").fill("2024-04-14");
    await page.getByRole("heading", { name: "What held on 14 Apr 2024" }).waitFor();
    await graph.getByRole("option", { name: "place Berlin" }).waitFor();
    expect(await graph.getByRole("option", { name: "Zurich" }).count()).toBe(0);
    await page.reload();
    await page.getByRole("heading", { name: "What held on 14 Apr 2024" }).waitFor();
    await page.getByRole("slider", { name: "Day" }).press("End");
    await graph.getByRole("option", { name: "place Zurich" }).waitFor();
    expect(await graph.getByRole("option", { name: "Berlin" }).count()).toBe(0);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("finds a name in the graph, adds what is around it, shows paths, and marks what a question recalls", async () => {
    for (const content of ["My sister Mia lives in Porto.", "My brother Tom lives in Porto."]) {
      await service.request("POST", "/memories", { key, body: { content, user_id: "grace" } });
    }
    const { page, errors, refused, close } = await visit("Graph");
    await page.getByLabel("Person").fill("grace");
    await page.getByRole("button", { name: "Show the graph" }).click();
    const graph = page.getByRole("listbox", { name: "Nodes" });
    await graph.getByRole("option", { name: "person Mia" }).waitFor();
    await page.getByLabel("Find a name").fill("mia");
    await page.getByLabel("Find a name").press("Enter");
    expect(await page.locator("[role=option]:focus").getAttribute("aria-label")).toBe("person Mia");
    await page.getByRole("button", { name: "Show more around it" }).click();
    await page.getByRole("button", { name: "Show paths from it" }).click();
    await graph.getByRole("option", { name: "person Tom" }).click();
    await page
      .locator(".node-details")
      .getByText(/^From Mia: .* → /)
      .waitFor();
    expect(await graph.locator(".edge.trail").count()).toBe(2);
    await page.getByLabel("Mark what a question recalls").fill("Where does Mia live?");
    await page.getByRole("button", { name: "Mark" }).click();
    await page.getByText(/[1-9]\d* of the facts are in the block of the question/).waitFor();
    const marked = await graph.locator(".edge.marked").count();
    expect(marked).toBeGreaterThan(1);
    await page.getByRole("button", { name: "1 hop", exact: true }).click();
    const near = await graph.locator(".edge.marked").count();
    expect([near > 0, near < marked]).toEqual([true, true]);
    await page.reload();
    await page.locator("button[aria-pressed=true]").getByText("1 hop").waitFor();
    expect(await graph.locator(".edge.marked").count()).toBe(near);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("shows why a memory is not in the block, the request as code, and the recall by a link", async () => {
    const { page, refused, close } = await visit("Memories");
    await page.getByLabel("Search for").fill("Where do I live?");
    await page.getByLabel("User").fill("ada");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(/^Found, but not in the block: [1-9]/).click();
    const leftOut = page.getByRole("table", { name: "Found, but not in the block" });
    await leftOut.getByRole("row").filter({ hasText: "Berlin" }).getByText("a newer statement replaced it").waitFor();
    await page.locator(".reasons summary").first().click();
    await page.getByRole("row", { name: "Ratings none", exact: false }).waitFor();
    const score = page.getByRole("row", {
      name: /^Score, 0 to 1 0\.\d+ random memories: half at most \d.*, the best \d/,
    });
    await score.waitFor();
    await page.locator(".recall").getByText("As code").click();
    const [curl = ""] = await page.locator(".recall details pre").allTextContents();
    const [, data = ""] = /-d '(.*)'$/.exec(curl) ?? [];
    const sent = await service.request("POST", "/recall", { key, body: JSON.parse(data) });
    expect(sent.body.data.context).toBe(await page.locator(".recall > div > pre").textContent());
    await page.getByLabel("Maximum tokens").selectOption("120");
    await page.getByLabel("What held on this day").fill("2024-04-14");
    await page.getByRole("button", { name: "Recall again" }).click();
    await page.locator(".recall > div > pre").getByText("Berlin").waitFor();
    await page.reload();
    await page.locator(".recall > div > pre").getByText("Berlin").waitFor();
    await page.getByRole("link", { name: "Link to this recall" }).click();
    await page.getByRole("heading", { name: "Why each line was there" }).waitFor();
    await page.locator(".reasons summary").getByText("Berlin").click();
    await page.getByText("Similarity in meaning").first().waitFor();
    await page.getByRole("link", { name: "All recalls" }).click();
    await page.getByRole("row").filter({ hasText: "of 120" }).first().waitFor();
    expect(refused).toEqual([]);
    await close();
  });

  it("compares a recall with other settings, marks the words of the question, and rates a line", async () => {
    const { page, errors, refused, close } = await visit("Memories");
    await page.getByLabel("Search for").fill("Where do I live? Which tea?");
    await page.getByLabel("User").pressSequentially("ad");
    await page.locator("datalist option[value=ada]").waitFor({ state: "attached" });
    await page.getByLabel("User").fill("ada");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.locator(".reasons mark").getByText("tea").first().waitFor();
    await page.getByRole("button", { name: "Compare with other settings" }).click();
    const second = page.locator("section").filter({ hasText: "Recall with other settings" });
    await second.getByLabel("What held on this day").fill("2024-04-14");
    await second.getByRole("button", { name: "Recall again" }).click();
    await second.getByText("of 1000 tokens").waitFor();
    await page.reload();
    const blocks = page.locator(".recall > div > pre");
    await blocks.nth(1).getByText("Berlin").waitFor();
    await blocks.first().getByText("Zurich").waitFor();
    expect(await blocks.nth(1).textContent()).not.toContain("Zurich");
    await page.getByRole("button", { name: "Stop comparing" }).click();
    await blocks.nth(1).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "[1] is useful" }).click();
    await page.getByText("Rated.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The rating is removed.").waitFor();
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("recalls of a session, or of what an agent stored, also side by side and as code", async () => {
    for (const [messages, run_id, agent_id] of [
      ["The picnic is at the lake.", "outing", "guide"],
      ["The picnic is moved to the barn.", "rain", "porter"],
    ]) {
      const body = { messages, infer: false, user_id: "sam", agent_id, run_id };
      expect((await service.request("POST", "/v3/memories/add/", { key, body })).status).toBe(200);
    }
    const { page, errors, refused, close } = await visit("Memories");
    await page.getByLabel("Search for").fill("Where is the picnic?");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByLabel("Session id").fill("outing");
    await page.getByRole("button", { name: "Recall again" }).click();
    const blocks = page.locator(".recall > div > pre");
    await blocks.first().getByText("lake").waitFor();
    await expect.poll(() => blocks.first().textContent()).not.toContain("barn");
    await page.getByRole("button", { name: "Compare with other settings" }).click();
    const second = page.locator("section").filter({ hasText: "Recall with other settings" });
    await second.getByLabel("Session id").fill("");
    await second.getByLabel("Agent id").fill("porter");
    await second.getByRole("button", { name: "Recall again" }).click();
    await blocks.nth(1).getByText("barn").waitFor();
    await page.reload();
    await blocks.nth(1).getByText("barn").waitFor();
    await blocks.first().getByText("lake").waitFor();
    expect([await blocks.first().textContent(), await blocks.nth(1).textContent()]).not.toEqual([
      expect.stringContaining("barn"),
      expect.stringContaining("lake"),
    ]);
    expect(page.url()).toMatch(/session=outing&tokens2=1000&agent2=porter$/);
    await second.getByText("As code").click();
    const shown = await second.locator("details pre").allTextContents();
    expect(shown).toContain(`answer = memory.recall("Where is the picnic?", agent_id="porter", max_tokens=1000)`);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("shows sessions with their messages", async () => {
    const body = { agent_id: "guide", user_id: "ada", title: "A trip" };
    const session = await service.request("POST", "/sessions", { key, body });
    const path = `/sessions/${session.body.data.id}/messages`;
    await service.request("POST", path, { key, body: { role: "user", content: "Which train goes to Porto?" } });
    const { page, errors, close } = await visit("Sessions");
    await page.getByRole("link", { name: "A trip" }).click();
    await page.locator(".messages").getByText("Which train goes to Porto?").waitFor();
    await page.reload();
    await page.locator(".messages").getByText("Which train goes to Porto?").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("shows skills, and approves and rejects those that wait for a review", async () => {
    for (const name of ["Brew tea", "Burn toast"]) {
      const body = { name, trigger: `${name} please`, action: `${name} at once.`, domain: "kitchen" };
      expect((await service.request("POST", "/skills", { key, body })).status).toBe(201);
    }
    const { page, errors, close } = await visit("Skills");
    await page.getByRole("button", { name: "Approve Brew tea" }).click();
    await page.getByRole("button", { name: "Approve Brew tea" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Reject Burn toast" }).click();
    await page.getByText("No skill waits for a review.").waitFor();
    const skill = (name: string) => page.getByRole("row").filter({ hasText: `${name} please` });
    await skill("Brew tea").getByText("● verified").waitFor();
    await skill("Burn toast").getByText("not verified").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("shows agents, and pauses and activates them", async () => {
    await service.request("POST", "/agents", { key, body: { name: "Guide", model: "any" } });
    const { page, errors, close } = await visit("Agents");
    await page.getByRole("button", { name: "Pause Guide" }).click();
    await page.getByRole("row").filter({ hasText: "Guide" }).getByText("paused").waitFor();
    await page.getByRole("button", { name: "Activate Guide" }).click();
    await page.getByRole("row").filter({ hasText: "Guide" }).getByText("● active").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("connects a website, and syncs it", async () => {
    const site = await listenOnLoopback((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<title>Opening hours</title><p>The library is open on Sundays.</p>");
    });
    const { page, errors, close } = await visit("Documents");
    await page.getByRole("button", { name: "Connect a website" }).click();
    await page.getByLabel("Address of the first page").fill(`${site.url}/`);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    const connection = page.getByRole("row").filter({ hasText: "web crawler" });
    await connection.getByText("● active").waitFor();
    await page.getByRole("button", { name: "Sync web crawler" }).click();
    await page.getByText("Synced.").waitFor({ timeout: 60_000 });
    await connection.locator("time").waitFor();
    expect(errors).toEqual([]);
    await close();
    await site.close();
  });

  it("shows who uses the service how much", async () => {
    const body = { email: "heavy@example.com", password: PASSWORD, name: "Heavy" };
    await service.request("POST", "/auth/register", { key: null, body });
    const { page, close } = await openPage(opened.browser, { url });
    await signInWithPassword(page, body.email, PASSWORD);
    await page.getByText("Signed in as Heavy").waitFor();
    await page.getByRole("link", { name: "Team", exact: true }).click();
    const requests = page.getByRole("row").filter({ hasText: body.email }).getByRole("cell").nth(4);
    await expect.poll(async () => Number(await requests.textContent())).toBeGreaterThan(0);
    await close();
  });

  it("shows usage by day, user and key, and the days of one of them", async () => {
    const body = { name: "counted", permissions: ["memory:read"] };
    const made = await service.request("POST", "/api-keys", { key, body });
    for (const path of ["/memories", "/memories", "/memories/mem_none"]) {
      await service.request("GET", path, { key: made.body.data.key });
    }
    const { page, errors, refused, close } = await visit("Usage");
    const users = page.getByRole("table", { name: "Users, with what their keys did" });
    await users.getByRole("row").filter({ hasText: "Ada" }).first().waitFor();
    const counted = page.getByRole("table", { name: "API keys" }).getByRole("row").filter({ hasText: "counted" });
    expect((await counted.getByRole("cell").allTextContents()).slice(0, 2)).toEqual(["3", "1"]);
    await counted.getByRole("link").click();
    await page.getByRole("img", { name: /^Requests a day\. answered: at most 2 requests at / }).waitFor();
    await page.reload();
    await page.getByText("counted").waitFor();
    await page.getByLabel("Last day").fill("2024-04-14");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("img", { name: /^Requests a day\. answered: at most 0 requests at / }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Back to all" }).click();
    await counted.waitFor();
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  /** Opens every view of the menu, which must be refused nothing. */
  async function openEveryView({ page, errors, refused, close }: Visit): Promise<string[]> {
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    const links = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    const titles = await links.allTextContents();
    for (const title of titles) {
      await links.getByText(title, { exact: true }).click();
      await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
      await settle(page);
      expect([title, await page.getByRole("alert").count()]).toEqual([title, 0]);
    }
    expect([errors, refused]).toEqual([[], []]);
    await close();
    return titles;
  }

  // People below have every role; a key with their permissions lacks the same views, and the account.
  it.each(["admin", "viewer"] as const)("offers a key of the role %s nothing that is refused", async (role) => {
    const permissions = [...ROLE_PERMISSIONS[role]];
    const made = await service.request("POST", "/api-keys", { key, body: { name: role, permissions } });
    const visited = await openPage(opened.browser, { url });
    await signInWith(visited.page, made.body.data.key);
    expect(await openEveryView(visited)).not.toContain("Account");
  });

  it.each(ROLES)("offers a person of the role %s nothing that is refused", async (role) => {
    const { token } = await signInUser(service, { org, role });
    const { cookie } = await openBrowser(service, token);
    expect(await openEveryView(await openPage(opened.browser, { url, cookie }))).toContain("Account");
  });

  it("offers the key of an agent nothing that is refused", async () => {
    const agent = await service.request("POST", "/agents", { key, body: { name: "Keyed", model: "any" } });
    const body = { name: "of an agent", permissions: [...ROLE_PERMISSIONS.editor], agent_id: agent.body.data.id };
    const made = await service.request("POST", "/api-keys", { key, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const visited = await openPage(opened.browser, { url });
    await signInWith(visited.page, made.body.data.key);
    expect(await openEveryView(visited)).not.toContain("Webhooks");
  });
});

async function signInWithPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in with password" }).click();
}
