import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { createVitest, type Reporter, type TestCase, type TestModule, type TestSuite, type Vitest } from "vitest/node";
import { countOf, editsOf, type Patch } from "./patch.ts";

const run = promisify(execFile);

const MOST_LISTED_BYTES = 64 * 1024 * 1024;
/** Any name. */
const ALL = "";

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
  readonly #vitest: Vitest;

  private constructor(folder: string, vitest: Vitest) {
    this.#folder = folder;
    this.#vitest = vitest;
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
    // One failure is enough: what comes after it may take long without its guard.
    const stopper: Reporter = {
      onTestCaseResult: (test) => {
        if (errorsOf(test).some(isAssertion)) void vitest.cancelCurrentRun("test-failure");
      },
    };
    // One that stays knows what has not changed; nothing of it is kept where the packages are.
    const options = { root: folder, watch: false, maxWorkers: 1, fsModuleCache: false, reporters: [stopper] };
    const vitest: Vitest = await createVitest("test", options, {}, { stdout: unheard(), stderr: unheard() });
    return new Workshop(folder, vitest);
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Removes the copy while something in it may still run, for a process that is about to end. */
  abandon(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs the tests that a patch names while its guard is gone; the sources are whole again afterwards. */
  async runWithout(patch: Patch): Promise<Outcome> {
    const originals = new Map<string, string>();
    try {
      for (const { file, find, replace } of editsOf(patch)) {
        const place = path.join(this.#folder, file);
        const text = await readFile(place, "utf8");
        if (countOf(text, find) !== 1) return { is: "broken", why: `the list is stale: ${file} has changed` };
        if (!originals.has(place)) originals.set(place, text);
        await this.#write(
          place,
          text.replace(find, () => replace),
        );
      }
      return await this.run({ files: patch.tests, only: patch.only });
    } finally {
      for (const [place, text] of originals) await this.#write(place, text);
    }
  }

  /** Runs tests on the sources as they are. */
  async run({ files, only = ALL }: Selection): Promise<Outcome> {
    // Between a suite and what is in it vitest writes more than a space.
    this.#vitest.setGlobalTestNamePattern(new RegExp(only.replaceAll(" ", " (?:> )?")));
    const specifications = await this.#vitest.getRelevantTestSpecifications(files);
    if (specifications.length < files.length) return { is: "broken", why: "a test file is not there" };
    const own = new Set(specifications.map(({ moduleId }) => moduleId));
    // It tells of earlier runs, too.
    const { testModules } = await this.#vitest.runTestSpecifications(specifications);
    return judge(testModules.filter(({ moduleId }) => own.has(moduleId)));
  }

  async #write(place: string, text: string): Promise<void> {
    await writeFile(place, text);
    this.#vitest.invalidateFile(place);
  }
}

/** For what tests print, which is none of the table. */
function unheard(): Writable {
  return new Writable({ write: (_text, _encoding, done) => done() });
}

/** What others remove from the tree while it is copied is not missed. */
async function copyUnlessGone(from: string, to: string): Promise<void> {
  try {
    await cp(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Only a failed assertion counts: what does not load or throws on its way says nothing of the guard. */
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

/** Of a test, or of what comes before the tests of a suite or a file. */
function errorsOf(each: TestCase | TestModule | TestSuite): readonly TestError[] {
  return each.type === "test" ? (each.result().errors ?? []) : each.errors();
}

/** Property tests wrap the assertion that failed in an error of their own. */
function isAssertion({ name, cause }: Pick<TestError, "name" | "cause">): boolean {
  return name === "AssertionError" || (cause instanceof Object && isAssertion(cause as TestError));
}
