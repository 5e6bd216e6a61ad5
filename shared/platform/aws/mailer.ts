import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import type { Mail, Mailer } from "../ports.ts";
import { requireOneLineHeaders } from "../preconditions.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";

/** A deployment without a sender works all the same: whoever sends is told so, mail by mail. */
export function openMailer(environment: Environment): Mailer {
  const client = new SESv2Client();
  return { send: async (mail) => new SesMailer(client, required(environment, ENVIRONMENT.mailFrom)).send(mail) };
}

/** Mailer on SES v2; `from` is an address or domain that SES has verified. */
export class SesMailer implements Mailer {
  readonly #client: SESv2Client;
  readonly #from: string;

  constructor(client: SESv2Client, from: string) {
    this.#client = client;
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    requireOneLineHeaders(mail);
    const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
    await this.#client.send(
      new SendEmailCommand({
        FromEmailAddress: this.#from,
        Destination: { ToAddresses: [mail.to] },
        Content: { Simple: { Subject: utf8(mail.subject), Body: { Text: utf8(mail.text) } } },
      }),
    );
  }
}
