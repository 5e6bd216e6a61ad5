import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPackages } from "../engines/install.ts";
import { type LocalService, openService } from "../support/service.ts";
import { PYTHON_PACKAGES } from "./python-packages.ts";

const CLIENT = fileURLToPath(new URL("../../clients/python", import.meta.url));

/** The first run of mypy reads all packages. */
const MAX_MS = 180_000;

const installed = findPackages(...PYTHON_PACKAGES);
const name = "the Python client";

describe.skipIf(installed === undefined)(
  installed === undefined ? `${name} (its packages are not installed: npm run test:python)` : name,
  () => {
    let service: LocalService;
    let folder: string;
    const python = path.join(installed ?? "", "bin/python");

    beforeAll(async () => {
      service = await openService();
      folder = await mkdtemp(path.join(tmpdir(), "memory-python-"));
    });
    afterAll(async () => {
      await service.close();
      await rm(folder, { recursive: true });
    });

    /** Runs a Python module and returns what it prints. Rejects with its output if it fails. */
    async function run(module: string, parameters: string[], environment: Record<string, string> = {}) {
      const env = { PATH: process.env.PATH, HOME: folder, PYTHONDONTWRITEBYTECODE: "1", ...environment };
      const child = promisify(execFile)(python, ["-m", module, ...parameters], { cwd: CLIENT, env });
      const { stdout } = await child.catch((error) => {
        throw new Error(`${module} ${parameters.join(" ")} failed:\n${error.stdout}${error.stderr}`);
      });
      return stdout;
    }

    it.concurrent(
      "is formatted, and has no finding of ruff or of mypy --strict",
      async () => {
        await run("ruff", ["check", "--no-cache", "."]);
        await run("ruff", ["format", "--no-cache", "--check", "."]);
        await run("mypy", ["--cache-dir", path.join(installed ?? "", "mypy")]);
      },
      MAX_MS,
    );

    it.concurrent(
      "builds a wheel that passes the client's tests on the service",
      async () => {
        const [wheels, packages] = [path.join(folder, "wheels"), path.join(folder, "packages")];
        await run("hatchling", ["build", "-t", "wheel", "-d", wheels]);
        const [wheel = ""] = await readdir(wheels);
        expect(wheel).toMatch(/^memory_service_client-[\d.]+-py3-none-any\.whl$/);
        await run("zipfile", ["-e", path.join(wheels, wheel), packages]);
        expect(await readdir(path.join(packages, "memory_service"))).toContain("py.typed");
        const report = await run("pytest", [], {
          PYTHONPATH: packages,
          MEMORY_URL: await service.host.listen(),
          MEMORY_API_KEY: service.adminKey,
        });
        // Tests of CrewAI are skipped: it is not among the packages.
        expect(report).toMatch(/^\d+ passed, 1 skipped in /m);
      },
      MAX_MS,
    );
  },
);
