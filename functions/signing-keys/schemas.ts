import * as z from "zod";

export const RotateSigningKey = z.object({
  compromised: z
    .boolean()
    .default(false)
    .describe(
      "Whether somebody may have the key: what it signed is refused from now on, and the next one signs at once",
    ),
});

export const SigningKeys = z.object({
  signing_keys: z.array(
    z.object({
      kid: z.string(),
      status: z.enum(["next", "signing", "verifying"]),
      created_at: z.string(),
      signs_from: z.string(),
      verifies_until: z.string().nullable(),
    }),
  ),
});
