/** Prints how many tests of a vitest JSON report passed, failed and were skipped; fails when none ran. */
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const skipped = report.numPendingTests + report.numTodoTests;
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`);
if (report.numPassedTests + report.numFailedTests === 0) process.exitCode = 1;
