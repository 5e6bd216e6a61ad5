import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { startService } from "../support/service-process.ts";

const TIMEOUT_MS = 60_000;
/** Files that the process may open in addition to its present ones, including sockets of requests. */
const SPARE = 6;
const TOGETHER = 40;
const LONG = "Ada drinks tea in Zurich. ".repeat(3_000);

/** Only Linux shows the open files of a process and can limit those of another process. */
const isPossible = process.platform === "linux";

test.runIf(isPossible)(
  "a process that may open no more files loses nothing and recovers",
  { timeout: TIMEOUT_MS },
  async () => {
    const service = await startService(path.join(temporaryFolder(), "data"), { EMBEDDER: "lexical" });
    onTestFinished(() => service.kill());
    const limit = (files: number) => execFileSync("prlimit", ["--pid", String(service.pid), `--nofile=${files}:`]);
    const store = (content: string) => service.request("POST", "/memories", { body: { content } });
    const long = await store(LONG);
    expect(long.status).toBe(201);
    limit(readdirSync(`/proc/${service.pid}/fd`).length + SPARE);
    const contents = Array.from({ length: TOGETHER }, (_, index) => `${LONG}${index}`);
    const answers = await Promise.allSettled(
      contents.map(async (content) => {
        await service.request("GET", `/memories/${long.body.data.id}`);
        return store(content);
      }),
    );
    const answered = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    for (const { status } of answered) expect([201, 503]).toContain(status);
    expect(answered.filter(({ status }) => status === 201).length, "requests that met no limit").toBeLessThan(TOGETHER);
    limit(4096);
    await vi.waitFor(async () => expect((await store("Ada is back.")).status).toBe(201), { timeout: 20_000 });
    for (const { status, body } of answered) {
      if (status !== 201) continue;
      const { body: read } = await service.request("GET", `/memories/${body.data.id}`);
      expect(contents).toContain(read.data.content);
    }
  },
);
