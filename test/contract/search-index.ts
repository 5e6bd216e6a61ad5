import type { Embedder, SearchIndex } from "../../shared/platform/ports.ts";

/** One adapter with an index of its own, empty when opened. */
export interface SearchIndexUnderTest {
  index: SearchIndex;
  /** Resolves when everything written so far is searchable: a refresh on engines that need one. */
  settle(): Promise<void>;
  /** Releases and deletes the index. */
  close(): Promise<void>;
}

export interface SearchIndexSuiteOptions {
  /** How many random cases each property test tries; fewer where a case costs a refresh. Default 50. */
  runs?: number;
}

/** Opens an index for vectors of that embedder. */
export type OpenSearchIndex = (embedder: Pick<Embedder, "id" | "dimensions">) => Promise<SearchIndexUnderTest>;

/** What every `SearchIndex` must do, run on each adapter. */
export function describeSearchIndex(_name: string, _open: OpenSearchIndex, _options?: SearchIndexSuiteOptions): void {}
