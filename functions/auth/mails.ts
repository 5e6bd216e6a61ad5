import { sendMail, withoutLinks } from "../../shared/identity/mail.ts";
import { linkWithToken } from "../../shared/identity/secret-link.ts";
import type { User } from "../../shared/identity/users.ts";
import type { Home } from "../../shared/platform/context.ts";

/**
 * A page of `pages.ts`. Mails name nobody: whoever registers with another's address chooses the name, and with it words
 * that we would send there. The token is behind `#`, which browsers keep to themselves: it is in no log on the way.
 */
function linkTo(home: Home, path: string, token: string): string {
  return linkWithToken(home, `${path}#token=${token}`);
}

export function mailVerification(home: Home, { email }: User, token: string): Promise<void> {
  return sendMail(home, "email_verification", {
    to: email,
    subject: "Confirm your e-mail address",
    text: `Hello,

please confirm that this address is yours, within 24 hours:

${linkTo(home, "/auth/verify-email", token)}

If you did not register, ignore this mail.
`,
  });
}

/** A link that lets choose a new password for one account. */
export interface ResetLink {
  token: string;
  /** Label of its organization. */
  organization: string;
  created_at: string;
}

export function mailReset(home: Home, email: string, links: ResetLink[]): Promise<void> {
  return sendMail(home, "password_reset", {
    to: email,
    subject: "Choose a new password",
    text: `Hello,

somebody asked for a new password for your account. If it was you, choose one within an hour:
${links.length > 1 ? SEVERAL_ACCOUNTS : ""}
${links.map((link) => describeLink(home, link, links.length > 1)).join("\n\n")}

If it was not you, ignore this mail: your password stays as it is.
`,
  });
}

const SEVERAL_ACCOUNTS = `
Several accounts were made with this address, and none is confirmed. Use the link of the one that you know: it keeps the
address, and the others end. If you know none of them, use none.
`;

function describeLink(home: Home, { token, organization, created_at }: ResetLink, isOneOfSeveral: boolean): string {
  const link = linkTo(home, "/auth/reset-password", token);
  return isOneOfSeveral ? `${withoutLinks(organization)}, made on ${created_at.slice(0, 10)}:\n${link}` : link;
}

export function mailPasswordChanged(home: Home, { email }: User): Promise<void> {
  return sendMail(home, "password_changed", {
    to: email,
    subject: "Your password was changed",
    text: `Hello,

the password of your account was changed, and every session has ended. If it was not you, choose another password by
"forgot password" at once, and tell an admin of your organization.
`,
  });
}
