import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openLocalPorts } from "../../shared/adapters/local/ports.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { createBaseRuntime } from "../../shared/entry/runtime.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { RELEASE } from "../../shared/ports/formats.ts";
import { openFolder, releases } from "../fixtures/folders/folders.ts";
import { MIGRATIONS } from "./migrations.ts";
import { expectContent, start } from "./opened.ts";

const KILLED = fileURLToPath(new URL("kill-in-step.ts", import.meta.url));
const SLOW = 120_000;

const STEPS = Object.entries(MIGRATIONS).flatMap(([name, steps]) => steps.map(({ version }) => ({ name, version })));

const filesOf = (dataDir: string, name: string): string[] => {
  if (name !== "search") return [path.join(dataDir, `${name}.sqlite`)];
  const folder = path.join(dataDir, "search");
  const files = readdirSync(folder).filter((file) => file.endsWith(".db"));
  return files.map((file) => path.join(folder, file));
};

const setVersion = (file: string, version: number) => {
  const connection = new DatabaseSync(file);
  connection.exec(`PRAGMA user_version = ${version}`);
  connection.close();
};

const manifestOf = (dataDir: string) => JSON.parse(readFileSync(path.join(dataDir, "data.json"), "utf8"));

/** Drills open the folders of all releases; `folders.test.ts` opens each of them in any case, uninterrupted. */

/** A folder of this release has had all steps but the last, so the others cannot be interrupted. */
const NEARLY_UPGRADED = "648aa6c";

describe.each(releases().filter((release) => release !== NEARLY_UPGRADED))(
  "the data folder of release %s",
  (release) => {
    it(
      "opens when the upgrade was killed within any step of any file",
      async () => {
        const folder = openFolder(release);
        for (const { name, version } of STEPS) {
          const [file = ""] = filesOf(folder.dataDir, name);
          const { signal } = spawnSync(process.execPath, [KILLED, file, name, String(version)], { stdio: "ignore" });
          expect(signal, `${name} in step ${version}`).toBe("SIGKILL");
        }
        const service = await start(folder);
        await expectContent(service, folder.content);
      },
      SLOW,
    );

    it(
      "opens a second time, and takes no step then",
      async () => {
        const folder = openFolder(release);
        const lines: string[] = [];
        for (const expected of [true, false]) {
          lines.length = 0;
          const service = await start(folder, { LOG_LEVEL: "info" }, (line) => lines.push(line));
          await expectContent(service, folder.content);
          await service.stop();
          expect(lines.some((line) => line.includes("DATA_MIGRATED"))).toBe(expected);
          expect(manifestOf(folder.dataDir)).toMatchObject({ release: RELEASE });
          expect(manifestOf(folder.dataDir)).not.toHaveProperty("unfinished");
        }
      },
      SLOW,
    );

    it("opens when the upgrade was killed before the search index was filled", async () => {
      const folder = openFolder(release);
      const config = loadConfig({ DATA_DIR: folder.dataDir, EMBEDDER: "lexical" });
      const base = createBaseRuntime(config, folder.clock, silentLogger);
      const { close } = await openLocalPorts(base, { streams: [], queues: [], baseUrl: () => "" });
      close();
      await expectContent(await start(folder), folder.content);
    });

    it.each(Object.keys(MIGRATIONS))("is refused while its %s are of a newer release", async (name) => {
      const folder = openFolder(release);
      const [file = ""] = filesOf(folder.dataDir, name);
      setVersion(file, 99);
      await expect(start(folder)).rejects.toThrow(`${file} was written by a release newer than ${RELEASE}`);
      setVersion(file, 0);
      await expectContent(await start(folder), folder.content);
    });

    it("names the release that wrote it when that is newer, and says what to do", async () => {
      const folder = openFolder(release);
      const formats = { records: 1, queues: 1, search: 1, secrets: 1, blobs: 1, outbox: 1, logs: 1 };
      const write = (changed: object) => {
        const manifest = { release: "7.3.0", formats: { ...formats, ...changed } };
        writeFileSync(path.join(folder.dataDir, "data.json"), JSON.stringify(manifest));
      };
      for (const changed of [...Object.keys(formats).map((name) => ({ [name]: 99 })), { something_new: 1 }]) {
        write(changed);
        await expect(start(folder)).rejects.toThrow(
          `The data folder ${folder.dataDir} was written by release 7.3.0, and release ${RELEASE} cannot read it. ` +
            "Start that release or a newer one, or set DATA_DIR to another folder.",
        );
      }
      write({});
      await expectContent(await start(folder), folder.content);
    });
  },
);
