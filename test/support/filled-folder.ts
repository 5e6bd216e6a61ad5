import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { openService } from "./service.ts";

export const ADMIN_KEY = "a-key-of-tests-that-is-long-enough";

/** Too long for a record, so it is stored in a blob. */
const LONG_CONTENT = "Ada drinks tea with Grace in Zurich. ".repeat(2_500);

/** The contents of the short memories in a filled folder. */
export const FILLED_WITH = ["Ada drinks tea.", "Grace drinks coffee in Basel.", "Alan walks in Bern."];

/**
 * Fills a new temporary folder by a service that is then closed: short memories, a long one, and a webhook with its
 * secret.
 */
export async function fillFolder(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-"));
  const service = await openService({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: ADMIN_KEY });
  const post = async (route: string, body: object) => {
    const answer = await service.request("POST", route, { body });
    if (answer.status !== 201) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
  };
  for (const content of [...FILLED_WITH, LONG_CONTENT]) await post("/memories", { content, user_id: "ada" });
  await post("/webhooks", { name: "inbox", url: "https://hooks.example.com/in", events: ["memory.created"] });
  await service.host.close();
  return dataDir;
}

/** Copies a data folder with times and permissions, for a test to damage. */
export function copyFolder(dataDir: string): string {
  const copy = path.join(temporaryFolder(), "data");
  execFileSync("cp", ["-a", dataDir, copy]);
  return copy;
}
