import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../test/fixtures/temporary-folder.ts";

const FILES = ["infra/postinstall.mjs", "infra/aws/cdk.mjs"];

/** A clone in which npm installed packages, without those of infra/aws. */
function install(files: string[]): string {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "node_modules/.bin"), { recursive: true });
  for (const file of files) cpSync(path.join(import.meta.dirname, "..", file), path.join(root, file));
  execFileSync(process.execPath, [path.join(root, "infra/postinstall.mjs")]);
  return root;
}

it("npx cdk finds the CDK of infra/aws, and says in one line that it is not installed", () => {
  const root = install(FILES);
  const { status, stderr } = spawnSync(path.join(root, "node_modules/.bin/cdk"), ["synth"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 1, stderr: "CDK is not installed. Run npm run install:aws\n" });
});

it("an image without infra/aws has no cdk", () => {
  const root = install(FILES.slice(0, 1));
  expect(spawnSync(path.join(root, "node_modules/.bin/cdk")).error).toMatchObject({ code: "ENOENT" });
});
