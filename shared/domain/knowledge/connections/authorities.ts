import type { Config } from "../../../kernel/config.ts";
import type { ProviderName } from "./connection.ts";

type ClientKind = "google_client" | "github_client" | "notion_client" | "slack_client";

/** How a user authorizes a connection at a provider: OAuth 2.0 with a code, in the provider's dialect. */
export interface Authority {
  /** Name of the stored client secret. */
  name: string;
  /** The deployment's client, as a kind of secret. */
  client: ClientKind;
  clientOf(config: Config): { id: string | undefined; secret: string | undefined };
  /** Fixed parts of the authorization request. */
  query: Record<string, string>;
  /** How the client authenticates: in the form, or with HTTP Basic and a JSON body. */
  proof: "form" | "basic";
}

export const AUTHORITIES: Partial<Record<ProviderName, Authority>> = {
  notes_workspace: {
    name: "notion",
    client: "notion_client",
    clientOf: (config) => ({ id: config.NOTION_CLIENT_ID, secret: config.NOTION_CLIENT_SECRET }),
    query: { owner: "user" },
    proof: "basic",
  },
  cloud_drive: {
    name: "google",
    client: "google_client",
    clientOf: (config) => ({ id: config.GOOGLE_CLIENT_ID, secret: config.GOOGLE_CLIENT_SECRET }),
    // Without these parameters Google returns no refresh token.
    query: { scope: "https://www.googleapis.com/auth/drive.readonly", access_type: "offline", prompt: "consent" },
    proof: "form",
  },
  code_host: {
    name: "github",
    client: "github_client",
    clientOf: (config) => ({ id: config.GITHUB_CLIENT_ID, secret: config.GITHUB_CLIENT_SECRET }),
    query: { scope: "repo" },
    proof: "form",
  },
  team_chat: {
    name: "slack",
    client: "slack_client",
    clientOf: (config) => ({ id: config.SLACK_CLIENT_ID, secret: config.SLACK_CLIENT_SECRET }),
    query: { scope: "channels:history,channels:read,groups:history,groups:read,users:read" },
    proof: "form",
  },
};
