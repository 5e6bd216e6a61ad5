import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Mail, Mailer } from "../../ports/mailer.ts";
import { requireOneLineHeaders } from "../../ports/preconditions.ts";
import { writeAtomically } from "./storage/atomic-file.ts";

export interface LocalMailerOptions {
  /** The outbox folder; created if missing. Its files sort by sending time. */
  folder: string;
  /** Folder in which mails are written before they are renamed; on the same file system. */
  scratch: string;
  clock: Clock;
  logger: Logger;
}

/** `Mailer` that sends nothing: each mail becomes an .eml file with UTF-8 headers in the outbox. */
export class LocalMailer implements Mailer {
  readonly #options: LocalMailerOptions;
  #sent = 0;

  constructor(options: LocalMailerOptions) {
    this.#options = options;
  }

  async send(mail: Mail): Promise<void> {
    requireOneLineHeaders(mail);
    const { folder, scratch, clock, logger } = this.#options;
    const now = clock();
    const order = String(this.#sent++).padStart(6, "0");
    const file = path.join(folder, `${timestamp(now).replaceAll(":", "")}-${order}-${randomUUID()}.eml`);
    await writeAtomically(file, toEml(mail, now), scratch);
    // The text may contain a secret link, so it is only in the file.
    logger.info("MAIL_WRITTEN", { to: mail.to, subject: mail.subject, file });
  }
}

function toEml({ to, subject, text }: Mail, now: number): string {
  const headers = [
    `Date: ${new Date(now).toUTCString()}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  return `${headers.join("\n")}\n\n${text}`;
}
