import { setTimeout as sleep } from "node:timers/promises";
import { type Config, InvalidConfigError } from "../../kernel/config.ts";
import type { Logger } from "../../kernel/logger.ts";
import { isLoopbackHost } from "../../kernel/settings.ts";
import type { Mail, Mailer } from "../../ports/mailer.ts";
import { requireOneLineHeaders } from "../../ports/preconditions.ts";

const TIMEOUT_MS = 10_000;
/** Maximum number of mails waiting for the server. */
const MAX_WAITING = 1000;
/** Maximum time that `close` waits for mails being sent. */
const MAX_CLOSE_MS = 3_000;
const TLS_PORT = 465;
const SUBMISSION_PORT = 587;

type Settings = Pick<Config, "MAILER" | "SMTP_URL" | "MAIL_FROM">;

/** The mailer of MAILER=smtp, or undefined for other values. Throws InvalidConfigError if a setting is missing. */
export function openSmtpMailer({ MAILER, SMTP_URL, MAIL_FROM }: Settings, logger: Logger): SmtpMailer | undefined {
  if (MAILER !== "smtp") return undefined;
  const missing = Object.entries({ SMTP_URL, MAIL_FROM }).filter(([, value]) => value === undefined);
  if (SMTP_URL === undefined || MAIL_FROM === undefined) {
    throw new InvalidConfigError(missing.map(([name]) => `${name}: MAILER=smtp needs it`));
  }
  return new SmtpMailer(SMTP_URL, MAIL_FROM, logger);
}

/**
 * Sends mails through an SMTP server, one after the other. Callers do not wait for the server, because the duration of
 * a request must not reveal whether it sent a mail. Mails that the server rejects are logged, like the failures of any
 * mailer.
 */
export class SmtpMailer implements Mailer {
  readonly #server: URL;
  readonly #from: string;
  readonly #logger: Logger;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(url: string, from: string, logger: Logger) {
    this.#server = new URL(url);
    this.#from = from;
    this.#logger = logger;
  }

  async send(mail: Mail): Promise<void> {
    requireOneLineHeaders(mail);
    if (this.#waiting >= MAX_WAITING) throw new Error(`${MAX_WAITING} mails wait for the mail server already.`);
    this.#waiting++;
    this.#last = this.#last.then(() => this.#deliver(mail));
  }

  /** Resolves when every mail has been sent or rejected, or after `MAX_CLOSE_MS`. */
  async close(): Promise<void> {
    const timeout = new AbortController();
    await Promise.race([this.#last, sleep(MAX_CLOSE_MS, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
    if (this.#waiting > 0) this.#logger.error("MAILS_LOST_AT_STOP", { mails: this.#waiting });
  }

  async #deliver({ to, subject, text }: Mail): Promise<void> {
    try {
      // Loaded with the first mail because most processes send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(transportOf(this.#server));
      // An address object is a single recipient even if the address contains commas.
      const recipient = { name: "", address: to };
      const message = { from: this.#from, to: recipient, subject, text, textEncoding: "quoted-printable" as const };
      await transport.sendMail({ ...message, disableFileAccess: true, disableUrlAccess: true });
      this.#logger.info("MAIL_SENT", { to, subject });
    } catch (error) {
      this.#logger.error("MAIL_NOT_SENT", { to, subject, error: withoutCredentials(error, this.#server) });
    } finally {
      this.#waiting--;
    }
  }
}

/** TLS with certificate verification, unless the server is on this machine. */
function transportOf(server: URL) {
  const { protocol, hostname, port, username, password } = server;
  const isTls = protocol === "smtps:";
  const isLocal = isLoopbackHost(hostname);
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (isTls ? TLS_PORT : SUBMISSION_PORT) : Number(port),
    secure: isTls,
    requireTLS: !isTls && !isLocal,
    ignoreTLS: !isTls && isLocal,
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
  };
}

/** The error to log without credentials: servers may echo what they received, encoded as authentication encodes it. */
function withoutCredentials(error: unknown, { username, password }: URL): Error {
  const user = decodeURIComponent(username);
  const pass = decodeURIComponent(password);
  const message = error instanceof Error ? error.message : String(error);
  if (pass === "") return new Error(message);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const forms = [pass, password, base64(pass), base64(`\0${user}\0${pass}`)];
  return new Error(forms.reduce((text, form) => text.replaceAll(form, "[redacted]"), message));
}
