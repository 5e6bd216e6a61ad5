import type { Invite } from "../../shared/identity/invites.ts";
import { sendMail } from "../../shared/identity/mail.ts";
import { NO_END, type User } from "../../shared/identity/users.ts";
import type { Home } from "../../shared/platform/context.ts";

function dayOf(moment: string): string {
  return `${moment.slice(0, 10)}, ${moment.slice(11, 16)} UTC`;
}

export function mailInvitation(home: Home, { email, name, expires_at }: Invite, organization: string, url: string) {
  return sendMail(home, "invitation", {
    to: email,
    subject: "You are invited",
    text: `Hello ${name},

you are invited to join ${organization}. Accept until ${dayOf(expires_at)}:

${url}

The link is for you alone. If you do not know what this is about, ignore this mail.
`,
  });
}

export function mailSuspension(home: Home, { email, name, suspended_until = NO_END, suspension }: User) {
  const end = suspended_until === NO_END ? "until an admin activates it again" : `until ${dayOf(suspended_until)}`;
  return sendMail(home, "suspension", {
    to: email,
    subject: "Your account is suspended",
    text: `Hello ${name},

your account is suspended ${end}. The reason given: ${suspension?.reason ?? "none"}

Ask an admin of your organization if you have questions.
`,
  });
}
