import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Access, runChecks, soon } from "./checks.ts";

const run = promisify(execFile);
const PYTHON_CHECKS = fileURLToPath(new URL("mem0_client.py", import.meta.url));

/** Environment of a client's program, with a home of its own, so that no settings of this machine are read or changed. */
function environment(runtime: string, { host, apiKey }: Access): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: runtime, MEM0_API_KEY: apiKey, MEM0_BASE_URL: host, MEM0_TELEMETRY: "false" };
}

/** mem0's command line: `add`, `search`, `list`, `get`, `delete` and `delete --all`. */
export async function runCommandLine(folder: string, access: Access) {
  const runtime = await mkdtemp(join(tmpdir(), "mem0-home-"));
  const { bin } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const program = join(folder, bin.mem0);
  const mem0 = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [program, ...args], { env: environment(runtime, access) });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await mem0(...args, "-o", "json"));
  const list = async (user: string) => (await json("list", "--user-id", user)).data;
  try {
    return await runChecks({
      "add tells what it stored": async () => {
        assert.match(await mem0("add", "I am allergic to peanuts.", "--user-id", "ann"), /peanut/i);
      },
      "add without inference tells the text": async () => {
        const { results } = await json("add", "Ann plays the cello.", "--user-id", "ann", "--no-infer");
        assert.equal(results[0].memory, "Ann plays the cello.");
      },
      "list lists both": async () =>
        void (await soon(
          () => list("ann"),
          (all) => all.length === 2,
        )),
      "search finds by words": async () => {
        const found = await json("search", "cello", "--user-id", "ann");
        assert.equal(found[0].memory, "Ann plays the cello.");
      },
      "get, update and delete take an id": async () => {
        const { results } = await json("add", "Ann sails.", "--user-id", "ann", "--no-infer");
        const { id } = results[0];
        await mem0("update", id, "Ann rows.");
        assert.equal((await json("get", id)).memory, "Ann rows.");
        await mem0("delete", id, "--force");
        await assert.rejects(mem0("get", id), /not found|404|No memory/i);
      },
      "delete --all of a user deletes that user's": async () => {
        await mem0("add", "Bob repairs bicycles.", "--user-id", "bob", "--no-infer");
        await mem0("delete", "--all", "--user-id", "ann", "--force");
        await soon(
          () => list("ann"),
          (all) => all.length === 0,
        );
        await soon(
          () => list("bob"),
          (all) => all.length === 1,
        );
      },
      "delete --all --project deletes everything": async () => {
        await mem0("delete", "--all", "--project", "--force");
        await soon(
          () => list("bob"),
          (all) => all.length === 0,
        );
      },
    });
  } finally {
    await rm(runtime, { recursive: true });
  }
}

/** mem0's client for Python; its checks print one line each. */
export async function runPython(program: string, access: Access) {
  const runtime = await mkdtemp(join(tmpdir(), "mem0-home-"));
  try {
    const { stdout } = await run(program, [PYTHON_CHECKS], { env: environment(runtime, access) });
    const lines = stdout.split("\n").filter((line) => /^(passed|failed) /.test(line));
    const failed = lines.filter((line) => line.startsWith("failed "));
    assert(lines.length > 0, `the checks said nothing: ${stdout}`);
    return { passed: lines.length - failed.length, failed };
  } finally {
    await rm(runtime, { recursive: true });
  }
}
