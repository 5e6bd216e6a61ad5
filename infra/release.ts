/**
 * First step of a release: `node infra/release.ts --tag v0.2.0 --repository owner/name` checks that the tag is the version
 * of everything that is published, and writes the repository into the files that registries compare with it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { publishedVersions } from "./published-versions.ts";

const { values } = parseArgs({
  options: { tag: { type: "string", default: "" }, repository: { type: "string", default: "" } },
});
const [owner = "", name = ""] = values.repository.split("/");
const version = values.tag.replace(/^v/, "");

const different = Object.entries(publishedVersions()).filter(([, published]) => published !== version);
if (different.length > 0 || owner === "" || name === "") {
  const problems = different.map(([file, published]) => `${file} has version ${published}, not ${version}.`);
  console.error([...problems, ...(name === "" ? ["Name the --repository as owner/name."] : [])].join("\n"));
  process.exitCode = 1;
} else {
  const serverName = `io.github.${owner}/${name}`;
  change("server.json", (server) => ({ ...server, name: serverName }));
  change("clients/typescript/package.json", (manifest) => ({
    ...manifest,
    mcpName: serverName,
    repository: { type: "git", url: `git+https://github.com/${owner}/${name}.git`, directory: "clients/typescript" },
  }));
}

function change(file: string, changed: (content: object) => object): void {
  const url = new URL(`../${file}`, import.meta.url);
  writeFileSync(url, `${JSON.stringify(changed(JSON.parse(readFileSync(url, "utf8"))), null, 2)}\n`);
}
