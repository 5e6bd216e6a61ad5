import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Reason to skip a part that needs LoCoMo. */
export const NO_LOCOMO = "no LoCoMo conversations in ../shared/bench/locomo";

/**
 * Returns LoCoMo's conversation files in ../shared/bench, which may not be shipped with the project; an empty list if
 * they are absent.
 */
export function locomoFiles(): string[] {
  const folder = fileURLToPath(new URL("../../../shared/bench/locomo/", import.meta.url));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .toSorted()
    .map((file) => path.join(folder, file));
}
