/**
 * `node test/bench/skills.ts [-- finding | extraction | listing | --fit]`: how skills are found, extracted and listed. `--fit` fits anew how well a
 * skill fits a request, on the other half of the requests than the table is of.
 */
import { parseArgs } from "node:util";
import { report } from "./report.ts";
import { measureExtraction } from "./skills/extraction.ts";
import { measureFinding, writeFit } from "./skills/finding.ts";
import { measureListing } from "./skills/listing.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fit: { type: "boolean", default: false } },
});
const PARTS = { finding: measureFinding, extraction: measureExtraction, listing: measureListing };

if (values.fit) await writeFit();
const figures = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (positionals.length === 0 || positionals.includes(name)) figures.push(...(await measure()));
}
report(figures);
