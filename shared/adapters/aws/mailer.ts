import type { Mailer } from "../../ports/mailer.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";

/** Loads the SES client with the first mail, as most sign-ins send none. Without a sender, only sending fails. */
export function openMailer(environment: Environment): Mailer {
  let opened: Promise<Mailer> | undefined;
  const open = async (): Promise<Mailer> => {
    const from = required(environment, ENVIRONMENT.mailFrom);
    const { SesMailer } = await import("./ses-mailer.ts");
    return new SesMailer(from);
  };
  return {
    send: async (mail) => {
      opened ??= open();
      await (await opened).send(mail);
    },
  };
}
