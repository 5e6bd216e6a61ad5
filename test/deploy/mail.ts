import { CreateEmailIdentityCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import * as z from "zod";
import type { Mail } from "../../shared/ports/mailer.ts";

export const MAIL_SENDER = "memory@example.com";

const Sent = z.object({
  messages: z.record(
    z.string(),
    z.array(z.object({ To: z.tuple([z.string()]), Subject: z.string(), BodyText: z.string() })),
  ),
});

export async function verifyMailSender(): Promise<void> {
  await new SESv2Client().send(new CreateEmailIdentityCommand({ EmailIdentity: MAIL_SENDER }));
}

/** Every mail that functions gave to SES so far, in order. */
export async function sentMails(emulator: string): Promise<Mail[]> {
  const { messages } = Sent.parse(await (await fetch(`${emulator}/_ministack/ses/messages`)).json());
  const all = Object.values(messages).flat();
  return all.map(({ To: [to], Subject: subject, BodyText: text }) => ({ to, subject, text }));
}
