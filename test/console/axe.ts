import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url));
const THEMES = [
  ["light", ""],
  ["dark", `runOnly: ["color-contrast", "link-in-text-block"],`],
] as const;

/** Whether axe is installed. */
export const hasAxe = existsSync(AXE);

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** What axe finds in the page: by all rules in one theme, and by those about colours in the other, which differs in them alone. */
export async function violationsOf(page: Page, state: string): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(readFileSync(AXE, "utf8"));
  const found: string[] = [];
  for (const [colorScheme, rules] of THEMES) {
    await page.emulateMedia({ colorScheme });
    const { violations } = (await page.evaluate(`axe.run(document, { ${rules} resultTypes: ["violations"] })`)) as {
      violations: Violation[];
    };
    for (const { id, nodes } of violations) {
      found.push(`${state}, ${colorScheme}: ${id} at ${nodes.map(({ target }) => target.join(" ")).join("; ")}`);
    }
  }
  return found;
}
