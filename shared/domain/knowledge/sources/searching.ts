import type { Ports } from "../../../ports/ports.ts";
import type { Neighbours, SearchHit } from "../../../ports/search-index.ts";
import { withSearch } from "../../../runtime/context.ts";
import { readView } from "../../memory/chunk-visibility.ts";

/**
 * Returns the same ports with a search that omits invisible chunks: the index contains chunks before their content
 * becomes visible and for some time after it was replaced. Costs one read if a result contains chunks. Counts and
 * totals include invisible chunks.
 */
export function searchInView(ports: Ports): Ports {
  return withSearch(ports, (index) => ({
    async search(request) {
      const answer = await index.search(request);
      const { semantic, keyword } = answer;
      const isInView = await readView(ports.records, request.org, [...idsOf(semantic), ...idsOf(keyword)]);
      const visible = (hits: SearchHit[]) => hits.filter(({ id }) => isInView(id));
      return { ...answer, semantic: visible(semantic), keyword: visible(keyword) };
    },
    async neighbours(request) {
      const found = await index.neighbours(request);
      return visibleNeighbours(found, await readView(ports.records, request.org, idsOf(found.documents)));
    },
    async browse(request) {
      const { documents, total } = await index.browse(request);
      const isInView = await readView(ports.records, request.org, [...idsOf(documents)]);
      return { documents: documents.filter(({ id }) => isInView(id)), total };
    },
  }));
}

function* idsOf(documents: Iterable<{ id: string }>): Generator<string> {
  for (const { id } of documents) yield id;
}

function visibleNeighbours({ documents, inTime, members }: Neighbours, isInView: (id: string) => boolean): Neighbours {
  const visible = (lists: Map<string, string[]>) =>
    new Map([...lists].map(([key, ids]) => [key, ids.filter(isInView)]));
  return { documents: documents.filter(({ id }) => isInView(id)), inTime: visible(inTime), members: visible(members) };
}
