import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Why a part that needs LoCoMo measures nothing. */
export const NO_LOCOMO = "no LoCoMo conversations in ../shared/bench/locomo";

/** LoCoMo's conversations beside the project, which may not be shipped with it; none where they are not there. */
export function locomoFiles(): string[] {
  const folder = fileURLToPath(new URL("../../../shared/bench/locomo/", import.meta.url));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => path.join(folder, file));
}
