/** Built-in corpora in the order the service lists them. */
export const CORPUS_NAMES = ["agent_memory", "long_context", "repetitive"] as const;
export type CorpusName = (typeof CORPUS_NAMES)[number];

const LOADERS: Record<CorpusName, () => Promise<{ samples: readonly string[] }>> = {
  agent_memory: () => import("./agent-memory.ts"),
  long_context: () => import("./long-context.ts"),
  repetitive: () => import("./repetitive.ts"),
};

/** At least 50 texts; loaded when they are asked for. */
export async function loadCorpus(name: CorpusName): Promise<readonly string[]> {
  return (await LOADERS[name]()).samples;
}
