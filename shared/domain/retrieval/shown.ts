import { minScoreOf, showable, type Thresholds } from "./relevance.ts";
import { type Retrieval, type Retrieved, retrieve, type Searcher } from "./retrieve.ts";

/** Returns what a search finds, the hits that it shows, best first, on all its pages, and the minimum score. */
export async function retrieveShown(
  ctx: Searcher,
  retrieval: Omit<Retrieval, "depth" | "showsAll" | "fusion">,
  thresholds: Thresholds,
) {
  const show = (found: Pick<Retrieved, "ranked" | "answer" | "question">) =>
    showable(ctx.ports.embedder, found, thresholds);
  const showsAll = (head: Pick<Retrieved, "ranked" | "answer" | "question">) =>
    show(head).length === head.ranked.length;
  const found = await retrieve(ctx, { ...retrieval, depth: 0, showsAll });
  return { found, shown: show(found), minScore: minScoreOf(ctx.ports.embedder, found, thresholds) };
}
