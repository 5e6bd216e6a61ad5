/**
 * `npm run sam:validate`: synthesizes both stages, the one for `sam local` and one with all that can be asked for, and has
 * the SAM CLI lint every template. The CLI comes from the Python package index into .cache.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../engines/install.ts";

const REGION = "us-east-1";

const STAGES = {
  dev: ["localEngines=true"],
  prod: [
    "stage=prod",
    "alarmEmail=operator@example.com",
    "vpc=true",
    "waf=true",
    "customDomain=api.example.com",
    `certificateArn=arn:aws:acm:${REGION}:123456789012:certificate/of-the-api`,
    "hostedZoneId=Z0123456789ABC",
    "mailSender=service@example.com",
    "allowedOrigins=https://app.example.com",
  ],
};

const requirements = fileURLToPath(new URL("requirements.txt", import.meta.url));
const sam = path.join(await installPackages("sam", requirements), "bin/sam");
const folder = mkdtempSync(path.join(tmpdir(), "memory-service-sam-"));
try {
  for (const [stage, context] of Object.entries(STAGES)) validate(stage, context);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function validate(stage: string, context: string[]): void {
  const output = path.join(folder, stage);
  const settings = context.flatMap((each) => ["--context", each]);
  execFileSync("npm", ["run", "synth", "--", "--output", output, ...settings], { stdio: "inherit" });
  const templates = globSync("*.template.json", { cwd: output }).sort();
  if (templates.length === 0) throw new Error(`no template was synthesized for ${stage}`);
  for (const template of templates) lint(path.join(output, template));
}

function lint(template: string): void {
  const env = { ...process.env, SAM_CLI_TELEMETRY: "0" };
  const asked = ["validate", "--lint", "--region", REGION, "--template", template];
  const { status, stdout, stderr } = spawnSync(sam, asked, { env, encoding: "utf8" });
  process.stdout.write(`${path.basename(template)}: ${status === 0 ? "valid" : `${stdout}${stderr}`}\n`);
  if (status !== 0) process.exitCode = 1;
}
