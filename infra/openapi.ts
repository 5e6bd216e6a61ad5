/** `npm run openapi` writes openapi.json; with --check it fails if the file does not match the routes. */
import { readFileSync, writeFileSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };
import { gapsOf } from "../shared/entry/openapi/descriptions.ts";
import { buildDocument } from "../shared/entry/openapi/document.ts";
import { asPlain } from "../shared/entry/openapi/schema.ts";
import { loadFields, loadGroups, loadSchemas } from "./groups.ts";

const FILE = new URL("../openapi.json", import.meta.url);

const [groups, schemas, fields] = await Promise.all([loadGroups(), loadSchemas(), loadFields()]);
const documented = groups.map((routes, index) => ({ routes, schemas: schemas[index] ?? {}, fields: fields[index] }));
const document = buildDocument(documented, packageJson.version);
const text = `${JSON.stringify(document, null, 1)}\n`;
const gaps = gapsOf(asPlain(document));
const count = groups.reduce((sum, { routes }) => sum + routes.length, 0);

if (gaps.length > 0) {
  console.error(
    `openapi.json has gaps; describe them in the schema, in the group's fields.ts, or in shared/entry/openapi/fields.ts:\n${gaps.join("\n")}`,
  );
  process.exitCode = 1;
}
if (!process.argv.includes("--check")) {
  writeFileSync(FILE, text);
  console.log(`openapi.json: ${count} routes of ${groups.length} groups`);
} else if (readFileSync(FILE, "utf8") !== text) {
  console.error("openapi.json does not match the routes. Run `npm run openapi` and commit it.");
  process.exitCode = 1;
} else {
  console.log(`openapi.json is up to date: ${count} routes of ${groups.length} groups`);
}
