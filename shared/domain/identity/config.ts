import * as z from "zod";
import type { Config } from "../../kernel/config.ts";
import { days, flag, isMailServer, listOf, providerUrl, redirectAddress } from "../../kernel/settings.ts";

declare module "../../kernel/config.ts" {
  interface Config extends z.infer<typeof IdentityConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const IdentityConfig = z.object({
  BOOTSTRAP_API_KEY: z
    .string()
    .min(20)
    .optional()
    .describe("First admin key, at least 20 characters; generated and printed once when unset"),
  SIGNING_ROTATION_DAYS: days.default(30).describe("Days until access tokens are signed with a new key"),
  ALLOW_REGISTRATION: flag
    .default(true)
    .describe("Allow registration, which creates a new organization; invitations work without it"),
  DEFAULT_PLAN: z
    .enum(["free", "pro", "team", "enterprise"])
    .optional()
    .describe("Plan of newly registered organizations; by default enterprise on a local server and free on AWS"),
  MAILER: z
    .enum(["outbox", "smtp"])
    .default("outbox")
    .describe("Where mails of one machine go: `outbox`, a folder of DATA_DIR, or `smtp`, the server of SMTP_URL"),
  SMTP_URL: z
    .string()
    .refine(isMailServer, "must be like smtps://USER:PASSWORD@HOST:PORT, percent-encoded and without a path")
    .optional()
    .describe(
      "Mail server: `smtps:` (port 465), or `smtp:` (587), which must offer STARTTLS unless it is on this machine; user and password are percent-encoded",
    ),
  MAIL_FROM: z.email().optional().describe("Address that mails are sent from by `smtp`, and by SES on AWS"),
  OAUTH_REDIRECT_URIS: listOf(redirectAddress)
    .optional()
    .describe("Additional redirect URLs for sign-in with providers, comma-separated"),
  GOOGLE_ISSUER: providerUrl
    .default("https://accounts.google.com")
    .describe("OpenID provider of /auth/google; unless it is Google, its token endpoint must have the same origin"),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Client id; without it, sign-in with Google is off"),
  GOOGLE_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for Google on a local server; on AWS, the secret `providers/google-client-secret`"),
  GITHUB_CLIENT_ID: z.string().optional().describe("Client id; without it, sign-in with GitHub is off"),
  GITHUB_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for GitHub on a local server; on AWS, the secret `providers/github-client-secret`"),
});

/** Returns the plan of new organizations; by default enterprise on a local server, where limits are not needed. */
export function registrationPlanOf({ DEFAULT_PLAN, PLATFORM }: Pick<Config, "DEFAULT_PLAN" | "PLATFORM">) {
  return DEFAULT_PLAN ?? (PLATFORM === "local" ? "enterprise" : "free");
}
