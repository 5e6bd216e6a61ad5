import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { silentLogger } from "../../../kernel/logger.ts";
import { narrowAccess } from "./private-files.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
/** The modules that set a mode whenever they create a file or folder. */
const MAKERS = ["storage/atomic-file.ts", "storage/private-files.ts"];
const MAKES =
  /\b(mkdirSync|mkdir|mkdtemp|mkdtempSync|writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|openSync|copyFile|copyFileSync|cp|cpSync)\b/;
const OPENS_DATABASE = /new DatabaseSync\(([^)]*)\)/;

const modeOf = (file: string) => statSync(file).mode & 0o777;

it("removes the permissions of others from a folder and its content, with one warning, and follows no link", () => {
  const folder = temporaryFolder();
  const elsewhere = path.join(temporaryFolder(), "of another program");
  writeFileSync(elsewhere, "");
  chmodSync(elsewhere, 0o644);
  mkdirSync(path.join(folder, "outbox"));
  const [inner, mail, own] = ["outbox", "outbox/reset.eml", "outbox/own"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(mail, "");
  writeFileSync(own, "");
  symlinkSync(elsewhere, path.join(folder, "link"));
  for (const [file, mode] of [
    [folder, 0o777],
    [inner, 0o755],
    [mail, 0o666],
    [own, 0o600],
  ] as const)
    chmodSync(file, mode);
  const warn = vi.fn();
  narrowAccess(folder, { ...silentLogger, warn });
  expect([folder, inner, mail, own, elsewhere].map(modeOf)).toEqual([0o700, 0o700, 0o600, 0o600, 0o644]);
  narrowAccess(folder, { ...silentLogger, warn });
  expect(warn.mock.calls).toEqual([["DATA_DIR_WAS_READABLE_BY_OTHERS", { folder, narrowed: 3 }]]);
});

it("creates all files, folders and databases of the local platform", () => {
  const modules = readdirSync(HERE, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !MAKERS.includes(name),
  );
  const sources = modules.map((name) => [name, readFileSync(path.join(HERE, name), "utf8")] as const);
  expect(sources.filter(([, source]) => MAKES.test(source)).map(([name]) => name)).toEqual([]);
  const opening = sources.filter(([, source]) => OPENS_DATABASE.test(source) && !source.includes("readOnly: true"));
  expect(opening.map(([name]) => name).sort()).toEqual(["lock.ts", "storage/sqlite.ts"]);
  expect(opening.every(([, source]) => /makePrivateFile\(file\);\n.*new DatabaseSync\(file/.test(source))).toBe(true);
});
