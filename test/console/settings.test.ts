import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { connect, OAuthClient, openBrowser } from "../support/oauth.ts";
import { otpOf, PASSWORD } from "../support/people.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { hire, signInUser } from "../support/users.ts";
import { describeInBrowser } from "./in-browser.ts";
import { openPage, signInWith } from "./visit.ts";

describeInBrowser("the settings in the console", (opened) => {
  let service: LocalService;
  let url: string;
  let org: string;
  let key: string;

  beforeAll(async () => {
    service = await openService({ HOST: "127.0.0.1" });
    url = `${await service.host.listen()}/console`;
    ({ org, key } = await createOrganization(service));
  });
  afterAll(() => service?.close());

  const openAt = (view: string, cookie?: string) => openPage(opened.browser, { url: `${url}/${view}`, cookie });

  async function adminOf(organization: string): Promise<string> {
    const { token } = await signInUser(service, { org: organization, role: "admin" });
    return (await openBrowser(service, token)).cookie;
  }

  /** A person with a password, whose browser has a session. */
  async function openAccount() {
    const { email, token } = await hire(service, key, { role: "user" });
    const browser = await openBrowser(service, token);
    const visited = await openAt("account", browser.cookie);
    await visited.page.getByText("E-mail address").waitFor();
    return { ...visited, email, browser };
  }

  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in with password" }).click();
  }

  it("shows the organization, and changes its instructions, categories and policies for secrets", async () => {
    const { page, errors, refused, close } = await openAt("settings/organization", await adminOf(org));
    await page.getByText("Requests left now").waitFor();
    await page.getByText("What the plan enterprise allows at once").first().click();
    const limits = page.getByRole("table", { name: "What the plan enterprise allows at once" });
    await limits.getByRole("row").filter({ hasText: "webhooks" }).getByText("100", { exact: true }).waitFor();
    await page.getByLabel("What to store and what not").fill("Store travel plans, and no health data.");
    await page.getByLabel("Categories").fill("travel: trips and stays\nfood");
    await page.getByLabel("Secrets in texts, such as").selectOption("redact");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The settings are saved.").waitFor();
    await page.getByRole("button", { name: "Set another policy for a user" }).click();
    await page.getByRole("dialog").getByLabel("User").fill("ada");
    await page.getByRole("dialog").getByLabel("Secrets in texts").selectOption("block");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "ada" }).getByText("refuse the text").waitFor();
    const project = await service.request("GET", `/api/v1/orgs/organizations/${org}/projects/default`, { key });
    expect(project.body).toMatchObject({
      custom_instructions: "Store travel plans, and no health data.",
      custom_categories: [{ travel: "trips and stays" }, { food: "" }],
      secrets_policy: "redact",
      secrets_policy_of_users: [{ user_id: "ada", policy: "block" }],
    });
    await page.reload();
    await page.getByRole("button", { name: "Remove the policy of ada" }).click();
    await page.getByRole("button", { name: "Remove the policy of ada" }).waitFor({ state: "detached" });
    await page.getByLabel("What to store and what not").fill("");
    await page.getByLabel("Categories").fill("");
    await page.getByLabel("Secrets in texts, such as").selectOption("");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The settings are saved.").waitFor();
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("counts secrets in what is stored, and erases a user after saying how much that is", async () => {
    for (const content of ["I live in Berlin.", "My favourite tea is Assam."]) {
      await service.request("POST", "/memories", { key, body: { content, user_id: "grace" } });
    }
    const { page, errors, refused, close } = await openAt("settings/organization", await adminOf(org));
    await page.getByRole("button", { name: "Count secrets in what is stored" }).click();
    await page.getByRole("row").filter({ hasText: "scan secrets" }).waitFor();
    await page.getByRole("button", { name: "Erase a user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("User").fill("grace");
    await dialog.getByLabel("User").blur();
    await dialog.getByText(/^2 memories and [1-9]\d* facts are erased\./).waitFor();
    await dialog.getByRole("button", { name: "Erase for ever" }).click();
    await page.getByRole("row").filter({ hasText: "erase user" }).waitFor();
    await expect
      .poll(async () => (await service.request("GET", "/memories?user_id=grace", { key })).body.data.pagination.total, {
        timeout: 60_000,
      })
      .toBe(0);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("says how many the organization may have, where one is made", async () => {
    const { page, errors, close } = await openAt("keys");
    await signInWith(page, (await createOrganization(service, "free")).key, "API keys");
    for (const [view, button, told] of [
      ["API keys", "Create a key", "10 active API keys"],
      ["Team", "Invite a colleague", "25 members and 25 open invitations"],
      ["Webhooks", "Add a webhook", "5 webhooks"],
      ["Documents", "Connect a website", "5 connections"],
    ] as const) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").getByText(`The organization may have ${told} (plan free).`).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
    }
    expect(errors).toEqual([]);
    await close();
  });

  it("shows members the settings without offering to change them", async () => {
    const { token } = await signInUser(service, { org, role: "viewer" });
    const { cookie } = await openBrowser(service, token);
    const { page, errors, refused, close } = await openAt("settings/organization", cookie);
    await page.getByRole("heading", { name: "Instructions", exact: true }).waitFor();
    await page.getByRole("link", { name: "Search settings", exact: true }).click();
    await page.getByText("Results of a search").waitFor();
    await page.getByText("balanced: asides are dropped.").waitFor();
    expect(await page.locator("main").getByRole("button").allTextContents()).toEqual(["Show as code"]);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("lets the operator set the defaults of searches, the compression, and a plan, and erase an organization", async () => {
    const other = await createOrganization(service);
    const { body } = await service.request("GET", "/whoami", { key: other.key });
    const { label } = body.data.organization;
    const { page, errors, refused, close } = await openAt("settings/search", await adminOf(OPERATOR_ORG));
    await page.getByLabel("Results of a search").fill("12");
    await page.getByRole("button", { name: "Save for the deployment" }).click();
    await page.getByText("The defaults of searches are saved.").waitFor();
    await page.getByLabel("Compression of new texts").selectOption("extract");
    await page.getByRole("button", { name: "Set the mode for the deployment" }).click();
    await page.getByText("The compression mode is extract.").waitFor();
    const config = await service.request("GET", "/search/config");
    expect(config.body.data.default_settings.limit).toBe(12);
    await page.getByRole("link", { name: "Organization", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: label }).first();
    await row.getByRole("button", { name: `Plan of ${label}` }).click();
    await page.getByRole("dialog").getByLabel("Plan").selectOption("team");
    await page.getByRole("button", { name: "Set the plan" }).click();
    await row.getByText("team").waitFor();
    await row.getByRole("button", { name: `Erase ${label}` }).click();
    await page.getByLabel("Its name, to confirm").fill("another");
    await page.getByLabel("Reason").fill("It was a test.");
    await page.getByRole("button", { name: "Erase for ever" }).click();
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    await page.getByLabel("Its name, to confirm").fill(label);
    await page.getByRole("button", { name: "Erase for ever" }).click();
    await page.getByText(`${label} is being erased.`).waitFor();
    expect((await service.request("GET", "/whoami", { key: other.key })).status).toBe(401);
    expect([errors, refused]).toEqual([[], []]);
    await close();
  });

  it("changes the password, which ends the session, and signs in with the new one", async () => {
    const { page, email, close } = await openAccount();
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByLabel("Current password").fill("a wrong one, surely");
    await page.getByLabel("New password, of").fill(`${PASSWORD} at all`);
    await page.getByLabel("New password again").fill(`${PASSWORD} at all`);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByRole("dialog").getByText("password is wrong").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("The password is changed, and all sessions have ended.").waitFor();
    await signIn(page, email, `${PASSWORD} at all`);
    await page.getByText(email).waitFor();
    await close();
  });

  it("turns a second factor on, keeps its recovery codes, and turns it off", async () => {
    const { page, email, close } = await openAccount();
    await page.getByRole("button", { name: "Set up a second factor" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    const secret = (await page.getByLabel("Secret to type").inputValue()).replaceAll(" ", "");
    expect(await page.getByRole("link", { name: "Open in an app" }).getAttribute("href")).toContain(`secret=${secret}`);
    await page.getByLabel("Code that the app shows").fill(otpOf(secret, Date.now()));
    await page.getByRole("button", { name: "Turn it on" }).click();
    const codes = ((await page.getByLabel("Recovery codes").textContent()) ?? "").split("\n");
    expect(codes.length).toBeGreaterThan(3);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("The second factor is on.").waitFor();
    await signIn(page, email, PASSWORD);
    await page.getByLabel("Code of the authenticator app").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByRole("button", { name: "Turn the second factor off" }).click();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Code of the authenticator app").fill(codes[1] ?? "");
    await page.getByRole("button", { name: "Turn it off" }).click();
    await page.getByText("The second factor is off").waitFor();
    await signIn(page, email, PASSWORD);
    await page.getByRole("button", { name: "Set up a second factor" }).waitFor();
    await close();
  });

  it("ends the access of a client, and all sessions", async () => {
    const { page, errors, browser, close } = await openAccount();
    await connect(await OAuthClient.register(service), browser, { resource: undefined });
    await page.reload();
    await page.getByRole("button", { name: "End the access of A client" }).click();
    await page.getByText("You have allowed no client to act for you.").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("button", { name: "End all sessions" }).click();
    await page.getByText("All your sessions have ended.").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("has no account for a key, and no settings of the deployment for who does not run it", async () => {
    const { page, close } = await openAt("settings/search");
    await signInWith(page, key, "Search settings");
    await page.getByText("Results of a search").waitFor();
    expect(await page.getByRole("button", { name: "Save for the deployment" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Account", exact: true }).count()).toBe(0);
    await close();
  });
});
