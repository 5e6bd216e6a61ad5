import type { Invite } from "../../shared/domain/identity/invites.ts";
import { sendMail, withoutLinks } from "../../shared/domain/identity/mail.ts";
import { NO_END, type User } from "../../shared/domain/identity/users.ts";
import { dateOf } from "../../shared/kernel/clock.ts";
import type { Runtime } from "../../shared/runtime/context.ts";

/** Formats an ISO 8601 time as `2026-01-31, 09:30 UTC`. */
function timeOf(iso: string): string {
  return `${dateOf(iso)}, ${iso.slice(11, 16)} UTC`;
}

/** Mails do not contain the names of users, because other people can put any text into them. */
export function mailInvitation(runtime: Runtime, { email, expires_at }: Invite, organization: string, url: string) {
  return sendMail(runtime, "invitation", {
    to: email,
    subject: "You are invited",
    text: `Hello,

you are invited to join ${withoutLinks(organization)}. Accept until ${timeOf(expires_at)}:

${url}

Do not share this link. If you do not expect this mail, ignore it.
`,
  });
}

/** The mailed link lets the user choose a password, which also verifies the address. */
export function mailAccount(runtime: Runtime, { email }: User, organization: string, url: string, until: string) {
  return sendMail(runtime, "account", {
    to: email,
    subject: "An account was made for you",
    text: `Hello,

an admin created an account for you in ${withoutLinks(organization)}. To join, choose a password until ${timeOf(until)}:

${url}

An address can have only one account. If you already have one, delete it first. If you do not expect this mail, ignore
it.
`,
  });
}

export function mailSuspension(runtime: Runtime, { email, suspended_until = NO_END, suspension }: User) {
  const end = suspended_until === NO_END ? "until an admin activates it again" : `until ${timeOf(suspended_until)}`;
  return sendMail(runtime, "suspension", {
    to: email,
    subject: "Your account is suspended",
    text: `Hello,

your account is suspended ${end}. The reason given: ${withoutLinks(suspension?.reason ?? "none")}

Ask an admin of your organization if you have questions.
`,
  });
}
