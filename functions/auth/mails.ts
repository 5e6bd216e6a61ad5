import { linkWithToken, sendMail, withoutLinks } from "../../shared/domain/identity/mail.ts";
import type { User } from "../../shared/domain/identity/users.ts";
import { dateOf } from "../../shared/kernel/clock.ts";
import type { Runtime } from "../../shared/runtime/context.ts";

/**
 * Links to a page of `pages.ts`. Mails contain no names, because anyone can register another person's address and put
 * text into the name. The token follows `#`, which browsers do not send, so no log contains it.
 */
function linkTo(runtime: Runtime, path: string, token: string): string {
  return linkWithToken(runtime, `${path}#token=${token}`);
}

export function mailVerification(runtime: Runtime, { email }: User, token: string): Promise<void> {
  return sendMail(runtime, "email_verification", {
    to: email,
    subject: "Confirm your e-mail address",
    text: `Hello,

please confirm that this address is yours, within 24 hours:

${linkTo(runtime, "/auth/verify-email", token)}

If you did not register, ignore this mail.
`,
  });
}

/** A password reset link for one account. */
export interface ResetLink {
  token: string;
  /** Label of its organization. */
  organization: string;
  created_at: string;
}

export function mailReset(runtime: Runtime, email: string, links: ResetLink[]): Promise<void> {
  return sendMail(runtime, "password_reset", {
    to: email,
    subject: "Choose a new password",
    text: `Hello,

someone requested a new password for your account. If it was you, choose one within an hour:
${links.length > 1 ? SEVERAL_ACCOUNTS : ""}
${links.map((link) => describeLink(runtime, link, links.length > 1)).join("\n\n")}

If it was not you, ignore this mail: your password does not change.
`,
  });
}

const SEVERAL_ACCOUNTS = `
Several accounts were created with this address, and none is confirmed. Use the link of the account that you know: it
keeps the address, and the other accounts end. If you know none of them, do not use any link.
`;

function describeLink(runtime: Runtime, { token, organization, created_at }: ResetLink, isOneOfSeveral: boolean) {
  const link = linkTo(runtime, "/auth/reset-password", token);
  return isOneOfSeveral ? `${withoutLinks(organization)}, created on ${dateOf(created_at)}:\n${link}` : link;
}

export function mailPasswordChanged(runtime: Runtime, { email }: User): Promise<void> {
  return sendMail(runtime, "password_changed", {
    to: email,
    subject: "Your password was changed",
    text: `Hello,

the password of your account was changed, and every session has ended. If it was not you, choose another password
with "forgot password" at once, and inform an admin of your organization.
`,
  });
}
