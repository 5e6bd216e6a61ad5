import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import type { Mail, Mailer } from "../../ports/mailer.ts";
import { requireOneLineHeaders } from "../../ports/preconditions.ts";

/** Mailer on SES v2; `from` is an address or domain that is verified in SES. */
export class SesMailer implements Mailer {
  readonly #client = new SESv2Client();
  readonly #from: string;

  constructor(from: string) {
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
