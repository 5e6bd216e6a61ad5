import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
/** Nobody listens there, so that every download fails. */
const NOWHERE = "http://127.0.0.1:9";
const SETTING = "onnxruntime-node-install";

/** Runs the package's install step as npm does, which hands it the settings of `.npmrc` as variables. */
function install(settings: Record<string, string>) {
  const variables = Object.entries(settings).map(([name, value]) => [`npm_config_${name.replaceAll("-", "_")}`, value]);
  const proxies = { GLOBAL_AGENT_HTTP_PROXY: NOWHERE, GLOBAL_AGENT_HTTPS_PROXY: NOWHERE };
  const script = pathOf("node_modules/onnxruntime-node/script/install.js");
  return spawnSync(process.execPath, [script], { env: { ...Object.fromEntries(variables), ...proxies } }).status;
}

const settings: Record<string, string> = Object.fromEntries(
  readFileSync(pathOf(".npmrc"), "utf8")
    .split("\n")
    .filter((line) => line.includes("="))
    .map((line) => line.split("=", 2)),
);

it("onnxruntime-node is installed without a download by the settings of .npmrc", () => {
  expect(install(settings)).toBe(0);
});

it.runIf(process.platform === "linux" && process.arch === "x64")("which it would begin without them", () => {
  const { [SETTING]: own, ...others } = settings;
  expect(own).toBe("skip");
  expect(install(others)).not.toBe(0);
});
