import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { newEmail, PASSWORD } from "../support/people.ts";
import { type LocalService, openService, type Service } from "../support/service.ts";
import { startService } from "../support/service-process.ts";

/** Clears the umask, so that everybody may read and write files created without a mode. */
function withoutUmask(): void {
  const former = process.umask(0);
  onTestFinished(() => void process.umask(former));
}

/** Returns the modes of a folder and of everything in it, by relative path. */
function modesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(["", ...entries].map((name) => [name, (lstatSync(path.join(folder, name)).mode & 0o777).toString(8)]));
}

/** Expects that only the owner can access the files and folders, and returns their names. */
function expectPrivate(folder: string): string[] {
  const modes = modesIn(folder);
  const isFolder = (name: string) => lstatSync(path.join(folder, name)).isDirectory();
  const wide = [...modes].filter(([name, mode]) => mode !== (isFolder(name) ? "700" : "600"));
  expect(wide).toEqual([]);
  return [...modes.keys()];
}

/** Creates files of every kind: records, search, queues, uploads, long contents, exports, backups, mails, logs. */
async function useEverything(service: Service): Promise<void> {
  const post = async (route: string, body: unknown) => {
    const { status, body: answer } = await service.request("POST", route, { body });
    expect(status, `${route} ${JSON.stringify(answer)}`).toBeLessThan(300);
    return answer;
  };
  await post("/memories", { content: "Ada likes tea.", user_id: "ada" });
  await post("/memories", { content: "tea and more tea ".repeat(5000), user_id: "ada" });
  const form = new FormData();
  form.set("file", new File(["Ada drinks tea in Zurich."], "tea.txt", { type: "text/plain" }));
  await post("/sources/upload", form);
  const email = newEmail();
  await service.request("POST", "/auth/register", { key: null, body: { email, password: PASSWORD, name: "Ada" } });
  await service.request("POST", "/auth/forgot-password", { key: null, body: { email } });
  await post("/exports", { user_id: "ada", format: "json" });
  await post("/admin/backup", { components: ["memories", "blobs"], include_logs: true });
}

it("restricts every file to its owner, whatever the umask", async () => {
  withoutUmask();
  const service: LocalService = await openService({ LOG_LEVEL: "info" }, undefined, { print: () => {} });
  onTestFinished(() => service.close());
  await useEverything(service);
  await service.host.drain();
  const names = expectPrivate(service.dataDir).join("\n");
  for (const kind of [
    /records\.sqlite-wal/,
    /queues\.sqlite/,
    /search\/.*-wal/,
    /blobs\/./,
    /outbox\/.*\.eml/,
    /logs\/./,
    /backup/,
    /secrets\.json/,
  ]) {
    expect(names).toMatch(kind);
  }
});

it("restricts a folder that other users can read, and logs it at startup", async () => {
  withoutUmask();
  const dataDir = path.join(temporaryFolder(), "data");
  mkdirSync(path.join(dataDir, "outbox"), { recursive: true });
  const mail = path.join(dataDir, "outbox", "2026-01-31-reset.eml");
  writeFileSync(mail, "a link");
  for (const [file, mode] of [
    [dataDir, 0o777],
    [path.dirname(mail), 0o755],
    [mail, 0o644],
  ] as const)
    chmodSync(file, mode);
  const said: string[] = [];
  const service = await startService(dataDir, {}, (line) => said.push(line));
  try {
    await service.request("POST", "/memories", { body: { content: "Ada likes tea.", user_id: "ada" } });
    expectPrivate(dataDir);
  } finally {
    await service.stop();
  }
  expectPrivate(dataDir);
  expect(said.filter((line) => line.includes("DATA_DIR_WAS_READABLE_BY_OTHERS"))).toHaveLength(1);
});
