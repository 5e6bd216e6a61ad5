import type { Clock } from "../../kernel/clock.ts";
import type { Connection } from "../connection.ts";
import { type ConnectionSecrets, settingsOf } from "../settings.ts";
import type { ProviderSession, SessionTools } from "./provider.ts";

/** Opens a connection's provider; what only one provider needs is loaded by those who ask it. */
export async function openSession(
  { provider, config }: Pick<Connection, "provider" | "config">,
  secrets: ConnectionSecrets,
  tools: SessionTools,
  clock: Clock,
): Promise<ProviderSession> {
  switch (provider) {
    case "notes_workspace":
      return (await import("./notion.ts")).openNotion(settingsOf(provider, config), tools);
    case "cloud_drive":
      return (await import("./google-drive.ts")).openGoogleDrive(settingsOf(provider, config), tools);
    case "code_host":
      return (await import("./github.ts")).openGitHub(settingsOf(provider, config), tools);
    case "team_chat":
      return (await import("./slack.ts")).openSlack(settingsOf(provider, config), tools, clock());
    case "object_store":
      return (await import("./bucket.ts")).openObjectStore(settingsOf(provider, config), secrets, tools);
    case "web_crawler":
      return (await import("./website.ts")).openWebsite(settingsOf(provider, config), tools);
  }
}
