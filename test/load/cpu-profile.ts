import type { Inspector } from "./inspector.ts";

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

/** A function's share of the profiled time: by itself, and including the functions that it called, 0..1. */
export interface Spent {
  what: string;
  own: number;
  inAll: number;
}

export async function startProfile(inspector: Inspector): Promise<void> {
  await inspector.ask("Profiler.enable");
  await inspector.ask("Profiler.start");
}

/** Ends the profile. Returns all functions, the highest own share first. */
export async function endProfile(inspector: Inspector): Promise<Spent[]> {
  const { profile } = (await inspector.ask("Profiler.stop")) as unknown as { profile: Profile };
  return spentIn(profile);
}

function spentIn({ nodes, samples, timeDeltas }: Profile): Spent[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map<number, number>();
  samples.forEach((id, index) => {
    own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const total = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  const spent = new Map<string, Spent>();
  const walk = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const what = nameOf(node);
    const inside = new Set(above).add(what);
    const children = (node.children ?? []).flatMap((id) => byId.get(id) ?? []);
    const self = own.get(node.id) ?? 0;
    const inAll = children.reduce((sum, child) => sum + walk(child, inside), self);
    const known = spent.get(what) ?? { what, own: 0, inAll: 0 };
    // A recursive call is already included in the share of the outer call.
    const more = above.has(what) ? 0 : inAll / total;
    spent.set(what, { what, own: known.own + self / total, inAll: known.inAll + more });
    return inAll;
  };
  const root = nodes[0];
  if (root !== undefined) walk(root, new Set());
  return [...spent.values()].sort((a, b) => b.own - a.own);
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.split("/").slice(-2).join("/");
  return `${functionName || "(anonymous)"} ${file}${file && `:${lineNumber + 1}`}`.trim();
}
