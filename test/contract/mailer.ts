import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mail, Mailer } from "../../shared/ports/mailer.ts";

/** One adapter and access to the mail that it sends. */
export interface MailerUnderTest {
  mailer: Mailer;
  /** All mail sent so far, oldest first. */
  delivered(): Promise<Mail[]>;
  close(): Promise<void>;
}

export type OpenMailer = () => Promise<MailerUnderTest>;

/** The behaviour of every `Mailer`, tested with each adapter. Texts end with a line break because SMTP adds one. */
export function describeMailer(name: string, open: OpenMailer): void {
  describe(`${name}: Mailer`, () => {
    let subject: MailerUnderTest;

    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    it("delivers recipient, subject and text unchanged", async () => {
      const mail = {
        to: "ann@example.com",
        subject: 'Grüße 😀: your "invitation"',
        text: "Hello Ann,\n\nFrom: this is text, not a header.\n.\n\nhttps://example.com/invite?token=a=b&c\n",
      };
      await subject.mailer.send(mail);
      expect((await subject.delivered()).at(-1)).toEqual(mail);
    });

    it("delivers each of many mails once, in order", async () => {
      const before = (await subject.delivered()).length;
      const mails = [1, 2, 3].map((number) => ({
        to: "ann@example.com",
        subject: `No. ${number}`,
        text: "Same text\n",
      }));
      for (const mail of mails) await subject.mailer.send(mail);
      expect((await subject.delivered()).slice(before)).toEqual(mails);
    });

    it.each(["to", "subject"] as const)("refuses a line break in %s, which would forge a header", async (field) => {
      const before = (await subject.delivered()).length;
      const mail = { to: "ann@example.com", subject: "Hello", text: "Text" };
      for (const lineBreak of ["\n", "\r", "\r\n"]) {
        const forged = { ...mail, [field]: `x${lineBreak}Bcc: eve@example.com` };
        await expect(subject.mailer.send(forged)).rejects.toThrow();
      }
      expect(await subject.delivered()).toHaveLength(before);
    });
  });
}
