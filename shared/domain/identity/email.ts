import * as z from "zod";
import { EMAIL_LENGTH, normalizeEmail } from "./users.ts";

/** An email address in its canonical form. */
export const email = z
  .string()
  .max(EMAIL_LENGTH)
  .transform(normalizeEmail)
  .pipe(z.email("must be an e-mail address"))
  .meta({ type: "string", format: "email" });
