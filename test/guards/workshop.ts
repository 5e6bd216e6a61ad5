import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { countOf, editsOf, type Patch } from "./patch.ts";

const run = promisify(execFile);

const MOST_LISTED_BYTES = 64 * 1024 * 1024;
/** Longer than the slowest of the tests that are named takes on a busy machine. */
const LONGEST_RUN_MS = 5 * 60_000;
/** Of what a run wrote, where there is no other way to tell what went wrong. */
const TOLD_CHARACTERS = 600;

/** What is read of vitest's report in JSON. */
interface Report {
  testResults: FileReport[];
}

interface FileReport {
  name: string;
  /** Where the file could not be loaded, or what comes before its tests failed. */
  message?: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
}

/** Test files to run, and which of their tests if not all. */
interface Selection {
  files: string[];
  only?: string | undefined;
}

/** How a run of tests ended. `broken`: it says nothing of what it tests, as where the code could not be loaded. */
export type Outcome = { is: "passed" } | { is: "failed"; test: string } | { is: "broken"; why: string };

/** A copy of the working tree in a temporary folder, where sources may be changed and tests run. */
export class Workshop {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies what git knows of, or would, as it is in the working tree; the packages are linked. */
  static async open(root: string): Promise<Workshop> {
    const folder = await mkdtemp(path.join(tmpdir(), "guards-"));
    const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const { stdout } = await run("git", listing, { cwd: root, maxBuffer: MOST_LISTED_BYTES });
    for (const name of stdout.split("\0").filter((each) => each !== "")) {
      await copyUnlessGone(path.join(root, name), path.join(folder, name));
    }
    await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    return new Workshop(folder);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs the tests that a patch names until one fails, while its guard is gone; the sources are whole again afterwards. */
  async runWithout(patch: Patch): Promise<Outcome> {
    const originals = new Map<string, string>();
    try {
      for (const { file, find, replace } of editsOf(patch)) {
        const place = path.join(this.#folder, file);
        const text = await readFile(place, "utf8");
        if (countOf(text, find) !== 1) return { is: "broken", why: `the list is stale: ${file} has changed` };
        if (!originals.has(place)) originals.set(place, text);
        await writeFile(
          place,
          text.replace(find, () => replace),
        );
      }
      return await this.run({ files: patch.tests, only: patch.only }, ["--bail=1"]);
    } finally {
      for (const [place, text] of originals) await writeFile(place, text);
    }
  }

  /** Runs tests on the sources as they are. */
  async run({ files, only }: Selection, options: string[] = []): Promise<Outcome> {
    const place = path.join(this.#folder, "report.json");
    await rm(place, { force: true });
    // Between a suite and what is in it vitest writes more than the space that its report has.
    const selecting = only === undefined ? [] : ["--testNamePattern", only.replaceAll(" ", " (?:> )?")];
    const told = await this.#vitest([...files, "--reporter=json", `--outputFile=${place}`, ...selecting, ...options]);
    const report = await readFile(place, "utf8").catch(() => undefined);
    if (report !== undefined) return judge(JSON.parse(report));
    return { is: "broken", why: `vitest left no report: ${told.slice(-TOLD_CHARACTERS)}` };
  }

  /** Answers what it wrote, whether tests passed or not. */
  #vitest(options: string[]): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const script = path.join(this.#folder, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [script, "run", "--maxWorkers=1", ...options], {
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LONGEST_RUN_MS,
    });
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.stderr.on("data", (part: Buffer) => parts.push(part));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(parts).toString()));
    return promise;
  }
}

/** What others remove from the tree while it is copied is not missed. */
async function copyUnlessGone(from: string, to: string): Promise<void> {
  try {
    await cp(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Only a failed assertion of a test counts: what does not load or throws on its way says nothing of the guard. */
function judge({ testResults }: Report): Outcome {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === "failed");
  const asserting = failed.find(({ failureMessages = [] }) => failureMessages.some(isAssertion));
  if (asserting) return { is: "failed", test: asserting.fullName };
  if (failed[0]) return { is: "broken", why: `${failed[0].fullName}: ${firstLine(failed[0].failureMessages?.[0])}` };
  const unloaded = testResults.find(({ message, assertionResults }) => message && !assertionResults.some(hasPassed));
  if (unloaded) return { is: "broken", why: `${path.basename(unloaded.name)}: ${firstLine(unloaded.message)}` };
  return tests.some(hasPassed) ? { is: "passed" } : { is: "broken", why: "no test has such a name" };
}

function hasPassed({ status }: { status: string }): boolean {
  return status === "passed";
}

/** Property tests wrap the assertion that failed in an error of their own. */
function isAssertion(message: string): boolean {
  return /\bAssertionError\b/.test(message);
}

function firstLine(message = ""): string {
  return message.split("\n")[0] ?? "";
}
