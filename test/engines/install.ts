import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Ignored by git; delete it to reinstall. */
const CACHE = path.join(HERE, "../../.cache/engines");
/** Written into a folder once the installation is complete. */
const RECEIPT = ".installed";

const JAVA = ["java", ["-version"], "a JDK of version 17 or later"] as const;
const MAVEN = ["mvn", ["-version"], "Apache Maven, which downloads what runs on Java"] as const;
const PYTHON = ["python3", ["-m", "pip", "--version"], "Python 3 with pip"] as const;

/** Maven takes half the processor time if it does not optimize code. */
const MAVEN_OPTS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/** Ends with the last installation by Maven, whose local repository is for one process. */
let maven: Promise<unknown> = Promise.resolve();

const INSTALLERS = {
  dynamodb: () => installJars("dynamodb"),
  // Its plugins come as zips of jars.
  opensearch: () => installJars("opensearch", true),
  sqs: () => installJars("elasticmq"),
  s3: () => installJars("s3proxy"),
  moto: () => installPackages("moto", path.join(HERE, "requirements.txt")),
};

export type Engine = keyof typeof INSTALLERS;

/**
 * Downloads an engine unless it is in the cache, and returns its folder: of jars, or a Python environment. Throws an
 * Error that says which program is missing or what failed.
 */
export function installEngine(engine: Engine): Promise<string> {
  return INSTALLERS[engine]();
}

function requireProgram(program: string, proof: readonly string[], what: string): void {
  try {
    execFileSync(program, proof, { stdio: "ignore" });
  } catch {
    throw new Error(`These tests need ${what}, but '${program} ${proof.join(" ")}' failed. Install it and run again.`);
  }
}

async function installJars(engine: string, hasZips = false): Promise<string> {
  requireProgram(...JAVA);
  const pom = path.join(HERE, "maven", `${engine}.xml`);
  const installed = maven.then(() =>
    installOnce(engine, readFileSync(pom, "utf8"), async (folder) => {
      requireProgram(...MAVEN);
      const options = [
        "-f",
        pom,
        `-DoutputDirectory=${folder}`,
        `-DmarkersDirectory=${folder}/markers`,
        `-Dmaven.repo.local=${path.join(CACHE, "m2")}`,
      ];
      const copy = ["dependency:copy-dependencies", "-DexcludeTypes=zip", "-DincludeScope=runtime"];
      await run("mvn", ["-B", "-q", ...copy, ...options]);
      const unpack = ["dependency:unpack-dependencies", "-DincludeTypes=zip"];
      if (hasZips) await run("mvn", ["-B", "-q", ...unpack, ...options]);
    }),
  );
  maven = installed.catch(() => undefined);
  return installed;
}

/** A Python environment with the packages that a file lists, in the cache under the given name. Returns its folder. */
export async function installPackages(name: string, requirements: string): Promise<string> {
  return installOnce(name, readFileSync(requirements, "utf8"), async (target) => {
    requireProgram(...PYTHON);
    await run("python3", ["-m", "venv", target]);
    await run(path.join(target, "bin/python"), ["-m", "pip", "install", "-q", "--no-compile", "-r", requirements]);
  });
}

/** The folder that `installPackages` installed for the same file, if it has. */
export function findPackages(name: string, requirements: string): string | undefined {
  const folder = path.join(CACHE, name);
  return isInstalled(folder, digestOf(readFileSync(requirements, "utf8"))) ? folder : undefined;
}

/**
 * Lambda's runtime client for Node.js, as in the managed runtime: returns its entry point. Compiling its native half
 * takes a minute the first time. Throws like `installEngine`.
 */
export async function installRuntimeClient(): Promise<string> {
  requireProgram("cmake", ["--version"], "CMake (it compiles Lambda's runtime client)");
  requireProgram("c++", ["--version"], "a C++ compiler and make (they compile Lambda's runtime client)");
  const files = ["package.json", "package-lock.json"].map((name) => path.join(HERE, "runtime-client", name));
  const recipe = [process.versions.modules, ...files.map((file) => readFileSync(file, "utf8"))].join("\n");
  const folder = await installOnce("runtime-client", recipe, async (target) => {
    for (const file of files) copyFileSync(file, path.join(target, path.basename(file)));
    await run("npm", ["ci", "--prefix", target, "--no-audit", "--no-fund"]);
  });
  return path.join(folder, "node_modules/aws-lambda-ric/index.mjs");
}

/** Installs into the cache unless a complete installation of the same `recipe` exists. */
async function installOnce(name: string, recipe: string, install: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(CACHE, name);
  const digest = digestOf(recipe);
  if (isInstalled(folder, digest)) return folder;
  console.log(`Installing ${name} into .cache/engines …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(path.join(folder, RECEIPT), digest);
  return folder;
}

function digestOf(recipe: string): string {
  return createHash("sha256").update(recipe).digest("hex");
}

function isInstalled(folder: string, digest: string): boolean {
  const receipt = path.join(folder, RECEIPT);
  return existsSync(receipt) && readFileSync(receipt, "utf8") === digest;
}

async function run(program: string, parameters: string[]): Promise<void> {
  try {
    await promisify(execFile)(program, parameters, { env: { ...process.env, MAVEN_OPTS } });
  } catch (error) {
    throw new Error(`'${program} ${parameters.join(" ")}' failed:\n${outputOf(error)}`);
  }
}

/** The output of a failed child process, for its error message. */
function outputOf(error: unknown): string {
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
  return `${stdout}${stderr}`.trim();
}
