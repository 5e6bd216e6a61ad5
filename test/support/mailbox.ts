import type { Mail } from "../../shared/platform/ports.ts";
import type { TestedService } from "./service.ts";

/** Every mail that a service sends from now on, in order; it goes out all the same. */
export function mailboxOf({ home }: Pick<TestedService, "home">): Mail[] {
  const mails: Mail[] = [];
  const { mailer } = home.ports;
  home.ports.mailer = {
    send: async (mail) => {
      mails.push(mail);
      await mailer.send(mail);
    },
  };
  return mails;
}
