import type { Home } from "../platform/context.ts";
import type { Mail } from "../platform/ports.ts";

/** What a mail is about, for the log; its text may hold a secret link. */
export type MailTopic =
  | "email_verification"
  | "password_reset"
  | "password_changed"
  | "invitation"
  | "suspension"
  | "account";

/** Sends a mail if it can be sent: what asked for it has happened already. A failure is logged, and nobody's to see. */
export async function sendMail(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  topic: MailTopic,
  mail: Mail,
): Promise<void> {
  try {
    await ports.mailer.send(mail);
  } catch (error) {
    logger.error("MAIL_NOT_SENT", { topic, error });
  }
}

/** Anybody may be an admin, and so choose words that we send to any address: none of them may look like a link. */
export function withoutLinks(text: string): string {
  return text.replace(/[\p{C}/\\:@]+|\.(?=\S)/gu, " ").trim();
}
