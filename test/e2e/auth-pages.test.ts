import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mail } from "../../shared/platform/ports.ts";
import { mailboxOf } from "../support/mailbox.ts";
import { newEmail, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import type { TestedService } from "../support/service.ts";
import { openTestedService } from "../support/target.ts";

let service: TestedService;
let nobody: Person;
let mails: Mail[];

beforeAll(async () => {
  service = await openTestedService();
  mails = mailboxOf(service);
  nobody = new Person(service);
});
afterAll(() => service.close());

const linkIn = (mail: Mail | undefined) => new URL(mail?.text.match(/https?:\S+/)?.[0] ?? "");

/** Opens a link as a browser would, and answers what submitting its form with these fields shows. */
async function submit(link: URL, fields: Record<string, string> = {}): Promise<{ told: string; isHidden: boolean }> {
  const { status, body: html } = await nobody.get(link.pathname);
  expect(status).toBe(200);
  const script = html.match(/<script>(.*)<\/script>/s)[1];
  const told = { value: "" };
  const listeners: ((event: object) => Promise<void>)[] = [];
  const addEventListener = (_name: string, listener: (event: object) => Promise<void>) => listeners.push(listener);
  const form = { dataset: { done: html.match(/data-done="([^"]*)"/)[1] }, hidden: false, addEventListener };
  const post = async (path: string, { body }: { body: string }) => {
    const answer = await nobody.post(path, JSON.parse(body));
    return { ok: answer.status < 300, json: async () => answer.body };
  };
  runInNewContext(script, {
    document: { querySelector: (name: string) => (name === "form" ? form : told) },
    location: { hash: link.hash, pathname: link.pathname },
    history: { replaceState: () => {} },
    URLSearchParams,
    FormData: class extends Map<string, string> {
      constructor() {
        super(Object.entries(fields));
      }
    },
    Object,
    fetch: post,
  });
  for (const submitted of listeners) await submitted({ preventDefault: () => {} });
  return { told: told.value, isHidden: form.hidden };
}

describe("the pages that mailed links open", () => {
  it("run nothing but their own script", async () => {
    for (const path of ["/auth/verify-email", "/auth/reset-password"]) {
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

  it("verify an address when somebody says so, not when they are opened", async () => {
    const { email } = await registered(nobody);
    const link = linkIn(mails.findLast(({ to }) => to === email));
    const self = nobody.as((await signIn(nobody, email)).access_token);
    await nobody.get(link.pathname);
    expect((await self.get("/auth/me")).body.data.email_verified).toBe(false);
    expect(await submit(link)).toEqual({ told: expect.stringContaining("confirmed"), isHidden: true });
    expect((await self.get("/auth/me")).body.data.email_verified).toBe(true);
    expect(await submit(link)).toEqual({ told: expect.stringContaining("token"), isHidden: false });
  });

  it("take a new password", async () => {
    const { email } = await registered(nobody);
    await nobody.done("/auth/forgot-password", { email });
    const link = linkIn(mails.findLast(({ to }) => to === email));
    const fields = (confirm_password: string) => ({ new_password: "another password of hers", confirm_password });
    expect((await submit(link, fields("no"))).told).toContain("confirm_password");
    expect((await submit(link, fields("another password of hers"))).isHidden).toBe(true);
    await signIn(nobody, email, { password: "another password of hers" });
  });
});

it("mails say nothing that whoever registers chose", async () => {
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
