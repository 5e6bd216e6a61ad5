import * as z from "zod";
import { normalizeEmail } from "../identity/users.ts";

/** Longest address that mail takes (RFC 5321, 4.5.3.1.3, without the angle brackets). */
export const EMAIL_LENGTH = 254;

/** An address that mail can be sent to, in its one form. */
export const email = z
  .string()
  .max(EMAIL_LENGTH)
  .transform(normalizeEmail)
  .pipe(z.email("must be an e-mail address"))
  .meta({ type: "string", format: "email" });
