import type { Clock } from "../../../kernel/clock.ts";
import type { Connection } from "./connection.ts";
import type { ProviderSession, SessionTools } from "./providers/provider.ts";
import { type ConnectionSecrets, settingsOf } from "./settings.ts";

/** Opens a connection's provider; code of a provider is loaded on demand. */
export async function openSession(
  { provider, config }: Pick<Connection, "provider" | "config">,
  secrets: ConnectionSecrets,
  tools: SessionTools,
  clock: Clock,
): Promise<ProviderSession> {
  switch (provider) {
    case "notes_workspace":
      return (await import("./providers/notion.ts")).openNotion(settingsOf(provider, config), tools);
    case "cloud_drive":
      return (await import("./providers/google-drive.ts")).openGoogleDrive(settingsOf(provider, config), tools);
    case "code_host":
      return (await import("./providers/github.ts")).openGitHub(settingsOf(provider, config), tools);
    case "team_chat":
      return (await import("./providers/slack.ts")).openSlack(settingsOf(provider, config), tools, clock());
    case "object_store":
      return (await import("./providers/bucket.ts")).openObjectStore(settingsOf(provider, config), secrets, tools);
    case "web_crawler":
      return (await import("./providers/website.ts")).openWebsite(settingsOf(provider, config), tools);
  }
}
