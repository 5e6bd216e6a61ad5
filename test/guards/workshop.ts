import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { createVitest, type Reporter, type TestCase, type TestModule, type TestSuite, type Vitest } from "vitest/node";
import type { Guard } from "./guards.ts";
import { mutateAll } from "./mutate.ts";

const run = promisify(execFile);

const MAX_LISTED_BYTES = 64 * 1024 * 1024;
/** Matches any name. */
const ALL = "";

/** Test files to run, with a pattern for the names of tests if not all are to run. */
interface Selection {
  files: string[];
  only?: string | undefined;
}

/** The result of a test run. `broken`: it proves nothing, for example because the code could not be loaded. */
export type Outcome = { is: "passed" } | { is: "failed"; test: string } | { is: "broken"; why: string };

/** A copy of the working tree in a temporary folder, in which sources can be changed and tests run. */
export class Workshop {
  readonly #folder: string;
  readonly #vitest: Vitest;

  private constructor(folder: string, vitest: Vitest) {
    this.#folder = folder;
    this.#vitest = vitest;
  }

  /** Copies the files that git tracks or would add, as they are in the working tree; the packages are linked. */
  static async open(root: string): Promise<Workshop> {
    const folder = await mkdtemp(path.join(tmpdir(), "guards-"));
    const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const { stdout } = await run("git", listing, { cwd: root, maxBuffer: MAX_LISTED_BYTES });
    for (const name of stdout.split("\0").filter((each) => each !== "")) {
      await copyUnlessGone(path.join(root, name), path.join(folder, name));
    }
    for (const packages of ["node_modules", "test/node_modules"]) {
      await symlink(path.join(root, packages), path.join(folder, packages));
    }
    // One failure is enough; the remaining tests may take long without the guard.
    const stopper: Reporter = {
      onTestCaseResult: (test) => {
        if (errorsOf(test).some(isAssertion)) void vitest.cancelCurrentRun("test-failure");
      },
    };
    // One instance stays open, because it knows which modules are unchanged; nothing is cached in the linked node_modules,
    // and no process keeps modules of an earlier run.
    const options = {
      ...{ root: folder, watch: false, maxWorkers: 1, isolate: true },
      ...{ fsModuleCache: false, reporters: [stopper] },
    };
    const vitest: Vitest = await createVitest("test", options, {}, { stdout: unheard(), stderr: unheard() });
    return new Workshop(folder, vitest);
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Deletes the copy although something in it may still run, for a process that is about to end. */
  abandon(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs a guard's tests without it; the sources are restored afterwards. */
  async runWithout({ edits, tests, only }: Guard): Promise<Outcome> {
    const originals = new Map<string, string>();
    const read = (file: string) => {
      const text = readFileSync(path.join(this.#folder, file), "utf8");
      originals.set(file, text);
      return text;
    };
    try {
      for (const [file, text] of mutateAll(edits, read)) await this.#write(file, text);
      return await this.run({ files: tests, only });
    } finally {
      for (const [file, text] of originals) await this.#write(file, text);
    }
  }

  /** Runs tests on the current sources. */
  async run({ files, only = ALL }: Selection): Promise<Outcome> {
    // Vitest separates a suite's name from its tests' names by more than a space.
    this.#vitest.setGlobalTestNamePattern(new RegExp(only.replaceAll(" ", " (?:> )?")));
    const specifications = await this.#vitest.getRelevantTestSpecifications(files);
    if (specifications.length < files.length) return { is: "broken", why: "a test file is not there" };
    const own = new Set(specifications.map(({ moduleId }) => moduleId));
    // The result includes earlier runs.
    const { testModules } = await this.#vitest.runTestSpecifications(specifications);
    return judge(testModules.filter(({ moduleId }) => own.has(moduleId)));
  }

  async #write(file: string, text: string): Promise<void> {
    const place = path.join(this.#folder, file);
    await writeFile(place, text);
    this.#vitest.invalidateFile(place);
  }
}

/** Discards the output of tests. */
function unheard(): Writable {
  return new Writable({ write: (_text, _encoding, done) => done() });
}

/** Copies a file; a file that was deleted meanwhile is ignored. */
async function copyUnlessGone(from: string, to: string): Promise<void> {
  try {
    await cp(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Only a failed assertion counts: code that does not load or that throws another error proves nothing about the guard. */
function judge(modules: readonly TestModule[]): Outcome {
  const tests = modules.flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.filter((test) => test.result().state === "failed");
  const suites = modules.flatMap(({ children }) => [...children.allSuites()]);
  const asserting = [...failed, ...suites].find((each) => errorsOf(each).some(isAssertion));
  if (asserting) return { is: "failed", test: asserting.fullName };
  const errors = [...failed, ...modules, ...suites].flatMap(errorsOf);
  if (errors[0]) return { is: "broken", why: `${failed[0]?.fullName ?? "no test"}: ${errors[0].message}` };
  const hasPassed = tests.some((test) => test.result().state === "passed");
  return hasPassed ? { is: "passed" } : { is: "broken", why: "no test has such a name" };
}

type TestError = ReturnType<TestModule["errors"]>[number];

/** The errors of a test, or of the code around the tests of a suite or a file. */
function errorsOf(each: TestCase | TestModule | TestSuite): readonly TestError[] {
  return each.type === "test" ? (each.result().errors ?? []) : each.errors();
}

/** Property tests wrap a failed assertion in their own error. */
function isAssertion({ name, cause }: Pick<TestError, "name" | "cause">): boolean {
  return name === "AssertionError" || (cause instanceof Object && isAssertion(cause as TestError));
}
