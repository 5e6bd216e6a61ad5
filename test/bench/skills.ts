/**
 * `node test/bench/skills.ts [-- finding | extraction | listing | --fit]`: measures how skills are found, extracted and
 * listed. `--fit` refits the model of how well a skill fits a request, on the half of the requests that the table does
 * not use.
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
