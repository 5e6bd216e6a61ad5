/** Built-in corpora in the order the service lists them. */
export const CORPUS_NAMES = ["agent_memory", "long_context", "repetitive"] as const;
export type CorpusName = (typeof CORPUS_NAMES)[number];

const LOADERS: Record<CorpusName, () => Promise<{ samples: readonly string[] }>> = {
  agent_memory: () => import("./agent-memory.ts"),
  long_context: () => import("./long-context.ts"),
  repetitive: () => import("./repetitive.ts"),
};

/** Returns the texts of a corpus, at least 50; the module is loaded on first use. */
export async function loadCorpus(name: CorpusName): Promise<readonly string[]> {
  return (await LOADERS[name]()).samples;
}
