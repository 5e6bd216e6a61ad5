import * as z from "zod";
import { providerUrl } from "../../../kernel/settings.ts";

declare module "../../../kernel/config.ts" {
  interface Config extends z.infer<typeof ConnectionsConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const ConnectionsConfig = z.object({
  GITHUB_URL: providerUrl
    .default("https://github.com")
    .describe("GitHub or an Enterprise Server, for sign-in and connections"),
  GITHUB_API_URL: providerUrl
    .default("https://api.github.com")
    .describe("API of GitHub, the default `base_url` of connections; of an Enterprise Server, its `/api/v3`"),
  NOTION_CLIENT_ID: z.string().optional().describe("Client id at Notion for connections that users authorize"),
  NOTION_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for Notion on a local server; on AWS, the secret `providers/notion-client-secret`"),
  SLACK_CLIENT_ID: z.string().optional().describe("Client id at Slack for connections that users authorize"),
  SLACK_CLIENT_SECRET: z
    .string()
    .optional()
    .describe("Client secret for Slack on a local server; on AWS, the secret `providers/slack-client-secret`"),
});
