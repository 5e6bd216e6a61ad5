import { inject } from "vitest";
import * as z from "zod";
import { ENVIRONMENT } from "../../shared/adapters/aws/environment.ts";
import { openMailer } from "../../shared/adapters/aws/mailer.ts";
import { describeMailer } from "../contract/mailer.ts";
import { verifySender } from "./resources.ts";

/** The mail that moto received through SES, oldest first. */
const Kept = z.object({
  ses: z.object({
    Message: z.array(
      z.object({ destinations: z.object({ ToAddresses: z.array(z.string()) }), subject: z.string(), body: z.string() }),
    ),
  }),
});

describeMailer("SES", async () => {
  const mailer = openMailer({ [ENVIRONMENT.mailFrom]: await verifySender() });
  const delivered = async () => {
    const answer = await fetch(`${inject("engines").moto}/moto-api/data.json`);
    const { ses } = Kept.parse(await answer.json());
    return ses.Message.map(({ destinations, subject, body }) => ({
      to: destinations.ToAddresses.join(", "),
      subject,
      text: body,
    }));
  };
  return { mailer, delivered, close: async () => {} };
});
