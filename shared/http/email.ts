import * as z from "zod";
import { EMAIL_LENGTH, normalizeEmail } from "../identity/users.ts";

/** An address that mail can be sent to, in its one form. */
export const email = z
  .string()
  .max(EMAIL_LENGTH)
  .transform(normalizeEmail)
  .pipe(z.email("must be an e-mail address"))
  .meta({ type: "string", format: "email" });
