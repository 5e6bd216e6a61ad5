import { publicUrlOf } from "../../kernel/config.ts";
import type { Mail } from "../../ports/mailer.ts";
import type { Runtime } from "../../runtime/context.ts";
import { assertMaySee } from "../../runtime/fetching/secret-destinations.ts";

/** The topic of a mail, for the log; its text may contain a secret link. */
export type MailTopic =
  | "email_verification"
  | "password_reset"
  | "password_changed"
  | "invitation"
  | "suspension"
  | "account";

/** Sends a mail about an action that has already happened, so a failure is only logged. */
export async function sendMail({ ports, logger }: Pick<Runtime, "ports" | "logger">, topic: MailTopic, mail: Mail) {
  try {
    await ports.mailer.send(mail);
  } catch (error) {
    logger.error("MAIL_NOT_SENT", { topic, error });
  }
}

/** The text without what looks like a link, because any admin can choose texts that are sent to arbitrary addresses. */
export function withoutLinks(text: string): string {
  return text.replace(/[\p{C}/\\:@]+|\.(?=\S)/gu, " ").trim();
}

/** A link to a page of the service with a token. Its host is the operator's setting, never that of a request. */
export function linkWithToken({ config }: Pick<Runtime, "config">, page: string): string {
  const link = `${publicUrlOf(config)}${page}`;
  assertMaySee("mailed_token", link, config);
  return link;
}
