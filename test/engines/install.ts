import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Ignored by git; delete it to install afresh. */
const CACHE = path.join(HERE, "../../.cache/engines");

/** Where each installed engine is: folders of jars, and the Python interpreter that has moto. */
export interface Installed {
  dynamodb: string;
  opensearch: string;
  elasticmq: string;
  s3proxy: string;
  python: string;
}

/** Downloads what is not yet in the cache. Throws an Error that says which program is missing or what failed. */
export function installEngines(): Installed {
  requireProgram(
    "java",
    ["-version"],
    "a JDK of version 17 or later (it runs DynamoDB Local, OpenSearch, ElasticMQ and S3Proxy)",
  );
  requireProgram("mvn", ["-version"], "Apache Maven (it downloads DynamoDB Local, OpenSearch, ElasticMQ and S3Proxy)");
  requireProgram("python3", ["-m", "pip", "--version"], "Python 3 with pip (it runs moto, for mail and secrets)");
  return {
    dynamodb: installJars("dynamodb"),
    opensearch: installJars("opensearch"),
    elasticmq: installJars("elasticmq"),
    s3proxy: installJars("s3proxy"),
    python: path.join(installPackages("moto", path.join(HERE, "requirements.txt")), "bin/python"),
  };
}

function requireProgram(program: string, proof: string[], what: string): void {
  try {
    execFileSync(program, proof, { stdio: "ignore" });
  } catch {
    throw new Error(
      `The engine tests need ${what}, but '${program} ${proof.join(" ")}' failed. Install it and run again.`,
    );
  }
}

function installJars(engine: string): string {
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

/** A Python environment with the packages that a file lists, in the cache under the given name. Answers its folder. */
export function installPackages(name: string, requirements: string): string {
  return installOnce(name, readFileSync(requirements, "utf8"), (target) => {
    run("python3", ["-m", "venv", target]);
    run(path.join(target, "bin/python"), ["-m", "pip", "install", "-q", "-r", requirements]);
  });
}

/** Installs into the cache unless that was done, to its end, for the same `recipe`. */
function installOnce(name: string, recipe: string, install: (folder: string) => void): string {
  const folder = path.join(CACHE, name);
  const receipt = path.join(folder, ".installed");
  const digest = createHash("sha256").update(recipe).digest("hex");
  if (existsSync(receipt) && readFileSync(receipt, "utf8") === digest) return folder;
  console.log(`Installing ${name} into .cache/engines …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(receipt, digest);
  return folder;
}

function run(program: string, parameters: string[]): void {
  try {
    execFileSync(program, parameters, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  } catch (error) {
    throw new Error(`'${program} ${parameters.join(" ")}' failed:\n${outputOf(error)}`);
  }
}

/** What a failed child process printed, for the person who must mend it. */
function outputOf(error: unknown): string {
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
  return `${stdout}${stderr}`.trim();
}
