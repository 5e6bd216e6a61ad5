import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Ignored by git; delete it to reinstall. */
const CACHE = path.join(HERE, "../../.cache/engines");
/** Written into a folder once the installation is complete. */
const RECEIPT = ".installed";

const JAVA = ["java", ["-version"], "a JDK of version 17 or later"] as const;
const MAVEN = ["mvn", ["-version"], "Apache Maven, which downloads what runs on Java"] as const;
const PYTHON = ["python3", ["-m", "pip", "--version"], "Python 3 with pip"] as const;

const INSTALLERS = {
  dynamodb: () => installJars("dynamodb"),
  opensearch: () => installJars("opensearch"),
  sqs: () => installJars("elasticmq"),
  s3: () => installJars("s3proxy"),
  moto: () => installPackages("moto", path.join(HERE, "requirements.txt")),
};

export type Engine = keyof typeof INSTALLERS;

/**
 * Downloads an engine unless it is in the cache, and returns its folder: of jars, or a Python environment. Throws an
 * Error that says which program is missing or what failed.
 */
export function installEngine(engine: Engine): string {
  return INSTALLERS[engine]();
}

function requireProgram(program: string, proof: readonly string[], what: string): void {
  try {
    execFileSync(program, proof, { stdio: "ignore" });
  } catch {
    throw new Error(`These tests need ${what}, but '${program} ${proof.join(" ")}' failed. Install it and run again.`);
  }
}

function installJars(engine: string): string {
  requireProgram(...JAVA);
  requireProgram(...MAVEN);
  const pom = path.join(HERE, "maven", `${engine}.xml`);
  return installOnce(engine, readFileSync(pom, "utf8"), (folder) => {
    const copy = ["dependency:copy-dependencies", "-DexcludeTypes=zip"];
    // Plugins of OpenSearch come as zips of jars.
    const unpack = ["dependency:unpack-dependencies", "-DincludeTypes=zip"];
    const options = [
      "-f",
      pom,
      `-DoutputDirectory=${folder}`,
      `-DmarkersDirectory=${folder}/markers`,
      `-Dmaven.repo.local=${path.join(CACHE, "m2")}`,
    ];
    run("mvn", ["-B", "-q", ...copy, "-DincludeScope=runtime", ...options]);
    run("mvn", ["-B", "-q", ...unpack, ...options]);
  });
}

/** A Python environment with the packages that a file lists, in the cache under the given name. Returns its folder. */
export function installPackages(name: string, requirements: string): string {
  requireProgram(...PYTHON);
  return installOnce(name, readFileSync(requirements, "utf8"), (target) => {
    run("python3", ["-m", "venv", target]);
    run(path.join(target, "bin/python"), ["-m", "pip", "install", "-q", "-r", requirements]);
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
export function installRuntimeClient(): string {
  requireProgram("cmake", ["--version"], "CMake (it compiles Lambda's runtime client)");
  requireProgram("c++", ["--version"], "a C++ compiler and make (they compile Lambda's runtime client)");
  const files = ["package.json", "package-lock.json"].map((name) => path.join(HERE, "runtime-client", name));
  const recipe = [process.versions.modules, ...files.map((file) => readFileSync(file, "utf8"))].join("\n");
  const folder = installOnce("runtime-client", recipe, (target) => {
    for (const file of files) copyFileSync(file, path.join(target, path.basename(file)));
    run("npm", ["ci", "--prefix", target, "--no-audit", "--no-fund"]);
  });
  return path.join(folder, "node_modules/aws-lambda-ric/index.mjs");
}

/** Installs into the cache unless a complete installation of the same `recipe` exists. */
function installOnce(name: string, recipe: string, install: (folder: string) => void): string {
  const folder = path.join(CACHE, name);
  const digest = digestOf(recipe);
  if (isInstalled(folder, digest)) return folder;
  console.log(`Installing ${name} into .cache/engines …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
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

function run(program: string, parameters: string[]): void {
  try {
    execFileSync(program, parameters, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  } catch (error) {
    throw new Error(`'${program} ${parameters.join(" ")}' failed:\n${outputOf(error)}`);
  }
}

/** The output of a failed child process, for its error message. */
function outputOf(error: unknown): string {
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
  return `${stdout}${stderr}`.trim();
}
