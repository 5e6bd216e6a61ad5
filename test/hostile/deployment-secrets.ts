import { BLOB_LINKS_KEY, DATA_KEY, signingKeyName } from "../../shared/ports/secret-names.ts";
import type { LocalService } from "../support/service.ts";

/** Secrets of the deployment as an operator sets them, by the names of the settings. */
export const DEPLOYMENT = {
  GOOGLE_CLIENT_ID: "google-client-id-of-the-deployment",
  GOOGLE_CLIENT_SECRET: "google-client-secret-of-the-deployment",
  GITHUB_CLIENT_ID: "github-client-id-of-the-deployment",
  GITHUB_CLIENT_SECRET: "github-client-secret-of-the-deployment",
  NOTION_CLIENT_ID: "notion-client-id-of-the-deployment",
  NOTION_CLIENT_SECRET: "notion-client-secret-of-the-deployment",
  SLACK_CLIENT_ID: "slack-client-id-of-the-deployment",
  SLACK_CLIENT_SECRET: "slack-client-secret-of-the-deployment",
  OPENAI_API_KEY: "model-key-of-the-deployment",
  BACKUP_KEY: "backup-key-of-the-deployment",
  BOOTSTRAP_API_KEY: "first-admin-key-of-the-deployment",
};

/** All secrets of the service itself: those of its settings and the keys that it generated. */
export async function secretsOf({ runtime }: LocalService): Promise<Map<string, string>> {
  const secrets = new Map<string, string>(Object.entries(DEPLOYMENT));
  for (const name of [DATA_KEY, signingKeyName(1), BLOB_LINKS_KEY] as const) {
    const kept = await runtime.ports.secrets.get(name);
    if (kept !== undefined) secrets.set(name, kept);
  }
  return secrets;
}
