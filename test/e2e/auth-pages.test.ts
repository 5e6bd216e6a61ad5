import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import { linkIn, submitForm } from "../support/form-page.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { newEmail, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import type { TestedService } from "../support/service.ts";
import { openTestedService } from "../support/target.ts";
import { bearer } from "../support/users.ts";

let service: TestedService;
let nobody: Person;
let mails: Mail[];

beforeAll(async () => {
  service = await openTestedService();
  mails = mailboxOf(service);
  nobody = new Person(service);
});
afterAll(() => service.close());

const submit = (link: URL, fields: Record<string, string> = {}) => submitForm(service, link, fields);

describe("the pages that mail links open", () => {
  it("run only their own script", async () => {
    for (const path of ["/auth/verify-email", "/auth/reset-password", "/admin/invites/inv_any/accept"]) {
      const { headers, body } = await nobody.get(path);
      const policy = headers.get("content-security-policy") ?? "";
      for (const tag of ["script", "style"]) {
        const source = body.match(new RegExp(`<${tag}>(.*)</${tag}>`, "s"))[1];
        expect(policy).toContain(`${tag}-src 'sha256-${createHash("sha256").update(source).digest("base64")}'`);
      }
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
  });

  it("verify an address when the form is submitted, not when the page is opened", async () => {
    const { email } = await registered(nobody);
    const link = linkIn(mails.findLast(({ to }) => to === email));
    const self = nobody.as((await signIn(nobody, email)).access_token);
    await nobody.get(link.pathname);
    expect((await self.get("/auth/me")).body.data.email_verified).toBe(false);
    expect(await submit(link)).toEqual({ told: expect.stringContaining("is verified"), isHidden: true });
    expect((await self.get("/auth/me")).body.data.email_verified).toBe(true);
    expect(await submit(link)).toEqual({ told: expect.stringContaining("token"), isHidden: false });
  });

  it("reset the password", async () => {
    const { email } = await registered(nobody);
    await nobody.done("/auth/forgot-password", { email });
    const link = linkIn(mails.findLast(({ to }) => to === email));
    const fields = (confirm_password: string) => ({ new_password: "another password of hers", confirm_password });
    expect((await submit(link, fields("no"))).told).toContain("confirm_password");
    expect((await submit(link, fields("another password of hers"))).isHidden).toBe(true);
    await signIn(nobody, email, { password: "another password of hers" });
  });

  it("accept an invitation when the form is submitted, not when the page is opened", async () => {
    const { email: host } = await registered(nobody);
    const headers = bearer((await signIn(nobody, host)).access_token);
    const [email, name] = [newEmail(), "Grace"];
    const invitation = { email, name, role: "user", permissions: [] };
    const { status, body } = await service.request("POST", "/admin/invites", { key: null, headers, body: invitation });
    expect(status).toBe(201);
    const link = linkIn(mails.findLast(({ to }) => to === email));
    const read = () => service.request("GET", `/admin/invites/${body.data.id}`, { key: null, headers });
    expect((await submit(link, { password: PASSWORD })).told).toContain("accept_terms");
    expect((await read()).body.data.status).toBe("pending");
    const accepted = await submit(link, { password: PASSWORD, accept_terms: "on" });
    expect(accepted).toEqual({ told: expect.stringContaining("Welcome"), isHidden: true });
    expect((await signIn(nobody, email)).user.name).toBe(name);
  });
});

it("mails contain no text that the registering person chose", async () => {
  const email = newEmail();
  await nobody.done("/auth/register", {
    email,
    password: PASSWORD,
    name: "Win at http://evil.example",
    organization: "Evil",
  });
  await nobody.done("/auth/forgot-password", { email });
  const sent = mails.filter(({ to }) => to === email);
  expect(sent).toHaveLength(2);
  expect(JSON.stringify(sent)).not.toMatch(/evil/i);
});
