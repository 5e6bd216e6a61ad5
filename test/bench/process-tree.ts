import { readdirSync, readFileSync } from "node:fs";

/** The resource usage of a process and its descendants. */
export interface TreeUse {
  /** CPU time so far: of the first process, and of its descendants. */
  cpuMs: { own: number; children: number };
  residentBytes: number;
}

/** Clock ticks per second in /proc, which is the same on every Linux that Node runs on. */
const TICKS = 100;
const [USER_TIME, SYSTEM_TIME] = [11, 12];

/** Returns the usage from /proc, which only Linux has. */
export function useOfTree(pid: number): TreeUse {
  const children = descendantsOf(pid);
  const cpu = (pids: number[]) => pids.reduce((sum, each) => sum + cpuMsOf(each), 0);
  const residentBytes = [pid, ...children].reduce((sum, each) => sum + residentBytesOf(each), 0);
  return { cpuMs: { own: cpu([pid]), children: cpu(children) }, residentBytes };
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function cpuMsOf(pid: number): number {
  // The program name, in parentheses, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * 1000) / TICKS;
}

function residentBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}
