import { expect, it } from "vitest";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Mail } from "../../shared/ports/mailer.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { mailInvitation, mailSuspension } from "./mails.ts";

const OWN_URL = "https://memory.example/admin/invites/inv_1/accept?token=t";
const LURES = [
  "Win at http://evil.example/now",
  "www.evil.example",
  "\\\\evil.example",
  "me@evil.example",
  "evil.\nexample",
];

function openMailbox() {
  const mails: Mail[] = [];
  const send = async (mail: Mail) => void mails.push(mail);
  return { mails, runtime: { ports: { mailer: { send } }, logger: silentLogger } as unknown as Runtime };
}

it.each(LURES)("a mail contains no link from a name that an admin chose, such as %j", async (lure) => {
  const { mails, runtime } = openMailbox();
  const person = { email: "ada@example.com", name: lure };
  const invite = { ...person, expires_at: "2026-01-31T12:00:00.000Z" };
  await mailInvitation(runtime, invite as never, lure, OWN_URL);
  await mailSuspension(runtime, { ...person, suspension: { reason: lure } } as never);
  expect(mails).toHaveLength(2);
  for (const { subject, text } of mails) {
    expect(subject + text.replace(OWN_URL, "")).not.toMatch(/:\/\/|evil\.\S|[@\\]|\w\.\w/);
    expect(text).toContain("evil");
  }
});

it("a mail quotes a harmless reason in full", async () => {
  const { mails, runtime } = openMailbox();
  const user = { email: "ada@example.com", suspension: { reason: "On leave. Back in May, they say." } };
  await mailSuspension(runtime, user as never);
  expect(mails[0]?.text).toContain("The reason given: On leave. Back in May, they say.");
});
