import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const INFRA = new URL("../../infra/", import.meta.url);

const run = promisify(execFile);

/**
 * Runs a command of infra as a process, without the operator's own key of backups. Returns its exit code with its output
 * or, if it failed, its error output.
 */
export async function runCommand(
  file: string,
  words: string[],
  dataDir: string,
): Promise<{ code: number; said: string }> {
  const { BACKUP_KEY: _, ...environment } = process.env;
  try {
    const env = { ...environment, DATA_DIR: dataDir };
    const { stdout } = await run(process.execPath, [fileURLToPath(new URL(file, INFRA)), ...words], { env });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, said: stderr };
  }
}
