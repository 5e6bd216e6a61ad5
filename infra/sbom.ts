/**
 * `npm run sbom`: writes dist/sbom.cdx.json, the packages of the service by the lock file as CycloneDX 1.5, and
 * dist/licences.txt. Fails if a package's licence is missing or not allowed.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { licencesOf, renderLicences, type Sbom } from "./licences.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const MAX_BYTES = 64 * 1024 ** 2;

const json = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit=dev"], {
  cwd: PROJECT,
  encoding: "utf8",
  maxBuffer: MAX_BYTES,
  stdio: ["ignore", "pipe", "inherit"],
});
const sbom: Sbom = JSON.parse(json);
const report = licencesOf(sbom);
mkdirSync(`${PROJECT}dist`, { recursive: true });
writeFileSync(`${PROJECT}dist/sbom.cdx.json`, json);
writeFileSync(`${PROJECT}dist/licences.txt`, renderLicences(report));
console.log(
  `${sbom.components.length} packages under ${report.byLicence.size} licences: dist/sbom.cdx.json, dist/licences.txt`,
);
if (report.refused.length > 0) {
  console.error(`Not allowed:\n${report.refused.join("\n")}`);
  process.exitCode = 1;
}
