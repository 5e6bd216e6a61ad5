/** The doctor's checks, one table row each. */
export const CHECKS = [
  "files",
  "versions",
  "permissions",
  "free space",
  "secrets",
  "blobs of records",
  "orphaned blobs",
  "index of records",
  "orphaned documents",
  "counters",
] as const;

export type CheckName = (typeof CHECKS)[number];

/** A problem that a check found. */
export interface Finding {
  check: CheckName;
  /** A file, or ids of records. */
  what: string;
  problem: string;
  /** What `--repair` does; absent if an operator must act. */
  mend?: string;
  isMended: boolean;
}

/** The checks and findings of the doctor. */
export class Report {
  readonly findings: Finding[] = [];
  /** Number of examined things per check; absent if a check was not possible. */
  readonly checked = new Map<CheckName, number>();

  count(check: CheckName, amount: number): void {
    this.checked.set(check, (this.checked.get(check) ?? 0) + amount);
  }

  add(finding: Omit<Finding, "isMended">): Finding {
    const added = { ...finding, isMended: false };
    this.findings.push(added);
    return added;
  }

  /** Whether everything is fine or was repaired. */
  get isWell(): boolean {
    return this.findings.every(({ isMended }) => isMended);
  }

  toJson() {
    const checks = CHECKS.map((check) => ({ check, checked: this.checked.get(check) ?? null }));
    return { ok: this.isWell, checks, findings: this.findings };
  }

  /** A table of the checks with a line per finding below it. */
  toText(): string {
    const rows = CHECKS.map((check) => {
      const found = this.findings.filter((finding) => finding.check === check);
      const checked = this.checked.get(check);
      return `${check.padEnd(20)}${String(checked ?? "-").padStart(8)}  ${resultOf(found, checked)}`;
    });
    const head = `${"check".padEnd(20)}${"checked".padStart(8)}  result`;
    return [head, ...rows, ...(this.findings.length > 0 ? ["", ...this.findings.map(toLine)] : [])].join("\n");
  }
}

function resultOf(found: Finding[], checked: number | undefined): string {
  const mended = found.filter(({ isMended }) => isMended).length;
  if (found.length > 0) return `${found.length} wrong${mended > 0 ? `, ${mended} mended` : ""}`;
  return checked === undefined ? "not checked" : "ok";
}

function toLine({ what, problem, mend, isMended }: Finding): string {
  const remedy = isMended ? "Mended" : mend === undefined ? "" : "With --repair";
  return `${what} ${problem}.${remedy === "" ? "" : ` ${remedy}: ${mend}.`}`;
}
