import { execFile } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type LocalService, openService } from "../support/service.ts";

const CANARY = fileURLToPath(new URL("../../.ci/aws-canary.mjs", import.meta.url));

const run = promisify(execFile);
let service: LocalService;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** Runs the script of the workflow `aws`, with a stand-in of the AWS CLI that knows one secret. */
async function runCanary(key: string) {
  const folder = temporaryFolder();
  const outputs = path.join(folder, "outputs.json");
  const url = `${await service.host.listen()}/`;
  writeFileSync(outputs, JSON.stringify({ "memory-service-dev-api": { Url: url } }));
  const cli = path.join(folder, "aws");
  const words = "secretsmanager get-secret-value --secret-id memory-service/dev/bootstrap/first-admin-key";
  const answer = `[ "$*" = "${words} --query SecretString --output text" ] && echo "${key}"`;
  writeFileSync(cli, `#!/bin/sh\n${answer}\n`);
  chmodSync(cli, 0o700);
  const env = { PATH: `${folder}:${process.env.PATH}`, STAGE: "dev" };
  return run(process.execPath, [CANARY, outputs], { env });
}

it("stores, reads and deletes a memory through a deployment", async () => {
  const { stdout } = await runCanary(service.adminKey);
  expect(stdout).toMatch(/^http:\S+ stores, reads and deletes\n$/);
  expect((await service.request("GET", "/memories")).body.data.memories).toEqual([]);
});

it("fails for a deployment that refuses it", async () => {
  await expect(runCanary("ak_live_of_another_deployment")).rejects.toThrow("POST /memories answered 401");
});
