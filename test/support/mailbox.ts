import type { Mail } from "../../shared/ports/mailer.ts";
import type { TestedService } from "./service.ts";

/** Collects every mail that a service sends from now on, in order. The mail is still delivered. */
export function mailboxOf({ runtime }: Pick<TestedService, "runtime">): Mail[] {
  const mails: Mail[] = [];
  const { mailer } = runtime.ports;
  runtime.ports.mailer = {
    send: async (mail) => {
      mails.push(mail);
      await mailer.send(mail);
    },
  };
  return mails;
}
