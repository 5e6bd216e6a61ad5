import type { Neighbours, PortName, Ports, RecordStore, SearchHit, SearchIndex } from "../../../ports/ports.ts";
import { readView } from "../../memory/chunk-visibility.ts";

/**
 * Returns the same ports with a search that omits invisible chunks: the index contains chunks before their source shows
 * them and for some time after it stops. Costs one read if a result contains chunks. Counts and totals include
 * invisible chunks.
 */
export function searchInView(ports: Ports): Ports {
  let search: SearchIndex | undefined;
  return new Proxy(ports, {
    get(target, name: PortName) {
      if (name !== "search") return target[name];
      search ??= inView(target.search, target.records);
      return search;
    },
  });
}

function inView(index: SearchIndex, records: RecordStore): SearchIndex {
  return {
    get embedsLater() {
      return index.embedsLater;
    },
    get isCatchingUp() {
      return index.isCatchingUp;
    },
    vectorState: (orgs) => index.vectorState(orgs),
    searchableVersion: (reference) => index.searchableVersion(reference),
    vectorsOf: (contents) => index.vectorsOf(contents),
    upsert: (documents) => index.upsert(documents),
    remove: (references) => index.remove(references),
    async search(request) {
      const answer = await index.search(request);
      const { semantic, keyword } = answer;
      const isInView = await readView(records, request.org, [...idsOf(semantic), ...idsOf(keyword)]);
      const shown = (hits: SearchHit[]) => hits.filter(({ id }) => isInView(id));
      return { ...answer, semantic: shown(semantic), keyword: shown(keyword) };
    },
    async neighbours(request) {
      const found = await index.neighbours(request);
      return only(found, await readView(records, request.org, idsOf(found.documents)));
    },
    count: (scope) => index.count(scope),
    async browse(request) {
      const { documents, total } = await index.browse(request);
      const isInView = await readView(records, request.org, [...idsOf(documents)]);
      return { documents: documents.filter(({ id }) => isInView(id)), total };
    },
    aggregate: (scope, terms) => index.aggregate(scope, terms),
    versions: (references) => index.versions(references),
    list: (request) => index.list(request),
    rebuild: (name) => index.rebuild(name),
    purge: (before) => index.purge(before),
    ping: () => index.ping(),
  };
}

function* idsOf(those: Iterable<{ id: string }>): Generator<string> {
  for (const { id } of those) yield id;
}

function only({ documents, inTime, members }: Neighbours, isInView: (id: string) => boolean): Neighbours {
  const shown = (lists: Map<string, string[]>) => new Map([...lists].map(([key, ids]) => [key, ids.filter(isInView)]));
  return { documents: documents.filter(({ id }) => isInView(id)), inTime: shown(inTime), members: shown(members) };
}
