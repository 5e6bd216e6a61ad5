import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Mail, Mailer } from "../ports.ts";
import { requireOneLineHeaders } from "../preconditions.ts";
import { writeAtomically } from "./atomic-file.ts";

export interface LocalMailerOptions {
  /** The outbox; made when absent. Its files sort by the time they were sent at. */
  folder: string;
  /** Where mails are written before they take their place; on the same file system. */
  scratch: string;
  clock: Clock;
  logger: Logger;
}

/** `Mailer` that sends nothing: each mail becomes a file of the outbox, in the form of an .eml with UTF-8 headers. */
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
    // The text may hold a secret link, so it is in the file alone.
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
