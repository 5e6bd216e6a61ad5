import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/fixtures/temporary-folder.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import { deadLettersOf } from "../../ports/queues.ts";
import { DataDirInUseError, openLocalPlatform } from "./platform.ts";

const MODULE = fileURLToPath(new URL("./platform.ts", import.meta.url));

function optionsFor(dataDir: string, logger: Logger = silentLogger) {
  return {
    dataDir,
    clock: systemClock,
    logger,
    streams: [{ name: "index", kinds: ["memory"] }],
    logRetentionDays: 30,
    queues: [{ name: "work", maxReceives: 3, visibilitySeconds: 30 }],
    baseUrl: () => "http://127.0.0.1:3000",
  };
}

/** Opens the folder until the test ends. */
async function open(...given: Parameters<typeof optionsFor>) {
  const platform = await openLocalPlatform(optionsFor(...given));
  onTestFinished(() => platform.close());
  return platform;
}

/**
 * Starts a process that opens the folder and writes records `0`, `1`, `2` …, each with a companion in one transaction,
 * until it is killed. Each line of its output is the number of an acknowledged write.
 */
async function writerIn(dataDir: string) {
  const script = `
    import { writeSync } from "node:fs";
    const { openLocalPlatform } = await import(${JSON.stringify(MODULE)});
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const streams = [{ name: "index", kinds: ["memory"] }];
    const options = { dataDir: ${JSON.stringify(dataDir)}, clock: Date.now, logger, streams, queues: [] };
    const { records } = await openLocalPlatform({ ...options, baseUrl: () => "http://127.0.0.1" });
    for (let number = 0; ; number++) {
      const sk = String(number);
      await records.write({ put: { pk: "p", sk, kind: "memory" } }, { put: { pk: "q", sk, kind: "companion" } });
      writeSync(1, sk + "\\n");
    }`;
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: [...stdio] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(child.stdout, "data");
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "close");
    return output.split("\n").slice(0, -1).length;
  };
  return { kill };
}

describe("openLocalPlatform", () => {
  it("creates the folder, and finds everything again after a close", async () => {
    const dataDir = path.join(temporaryFolder(), "deep", "data");
    const first = await openLocalPlatform(optionsFor(dataDir));
    await first.records.write({ put: { pk: "p", sk: "s", kind: "memory" } });
    await first.blobs.put("key", { bytes: Buffer.from("blob"), contentType: "text/plain" });
    await first.queue.send("work", [{ body: "message" }]);
    const link = await first.blobs.presign("key", "get", 60);
    first.close();
    const second = await open(dataDir);
    expect(await second.records.get({ pk: "p", sk: "s" })).toEqual({ pk: "p", sk: "s", kind: "memory" });
    expect(second.records.changesFor("index").read(10)).toHaveLength(1);
    expect((await second.queue.depth("work")).waiting).toBe(1);
    expect(await (await second.blobs.respond(new Request(link))).text()).toBe("blob");
  });

  it("has a dead-letter queue for every queue and stream", async () => {
    const platform = await open(temporaryFolder());
    for (const name of ["work", "index"]) {
      expect(await platform.queue.depth(deadLettersOf(name))).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
    }
  });

  it("deletes unfinished files after a crash", async () => {
    const dataDir = temporaryFolder();
    mkdirSync(path.join(dataDir, "unfinished"));
    writeFileSync(path.join(dataDir, "unfinished", "half"), "x");
    await open(dataDir);
    expect(existsSync(path.join(dataDir, "unfinished", "half"))).toBe(false);
  });

  it("refuses a folder that is already open, by name, until it is closed", async () => {
    const dataDir = temporaryFolder();
    const first = await openLocalPlatform(optionsFor(dataDir));
    const refusal = await openLocalPlatform(optionsFor(dataDir)).catch((error) => error);
    expect(refusal).toBeInstanceOf(DataDirInUseError);
    expect(refusal.message).toContain(dataDir);
    expect(refusal.message).toContain("DATA_DIR");
    first.close();
    (await openLocalPlatform(optionsFor(dataDir))).close();
  });

  it("refuses the folder of another process until that process is killed", async () => {
    const dataDir = temporaryFolder();
    const writer = await writerIn(dataDir);
    await expect(openLocalPlatform(optionsFor(dataDir))).rejects.toThrow(DataDirInUseError);
    await writer.kill();
    (await openLocalPlatform(optionsFor(dataDir))).close();
  });

  it.each([0, 50, 150])("loses and splits no acknowledged write if killed after %i ms of writing", async (wait) => {
    const dataDir = temporaryFolder();
    const writer = await writerIn(dataDir);
    await sleep(wait);
    const acknowledged = await writer.kill();
    const { records } = await open(dataDir);
    const written = await records.count({ pk: "p" }, 1_000_000);
    expect(acknowledged).toBeGreaterThan(0);
    expect([acknowledged, acknowledged + 1]).toContain(written);
    expect(await records.count({ pk: "q" }, 1_000_000)).toBe(written);
    expect(records.changesFor("index").read(1_000_000)).toHaveLength(written);
  });

  it("logs that a mail was written, without its content", async () => {
    const dataDir = temporaryFolder();
    const lines: string[] = [];
    const info = (message: string, fields?: object) => void lines.push(message + JSON.stringify(fields));
    const platform = await open(dataDir, { ...silentLogger, info });
    await platform.mailer.send({ to: "ann@example.com", subject: "Hello", text: "a secret link" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("ann@example.com");
    expect(lines[0]).not.toContain("secret");
    const [file] = readdirSync(path.join(dataDir, "outbox"));
    expect(readFileSync(path.join(dataDir, "outbox", file!), "utf8")).toContain("a secret link");
  });
});
