import { BackendBusyError } from "../../ports/errors.ts";
import type { KeywordStatistics, SearchHit, SearchScope, SearchSource } from "../../ports/search-index.ts";
import { type AskedKeyword, documentsQuery, keywordQuery, matchedKeywords } from "./search-queries.ts";

export function isMissing(error: { type?: string } | undefined): boolean {
  return error?.type === "index_not_found_exception";
}

/** The error of a refused document: BackendBusyError if the engine failed or its disk is nearly full. */
export function refusalOf({ _id, status, error }: { _id?: string | null; status: number; error?: Fault }): Error {
  const message = `OpenSearch refused ${_id}: ${error?.reason ?? status}`;
  const isEngineFault = status >= 500 || error?.type === "cluster_block_exception";
  return isEngineFault ? new BackendBusyError(message) : new Error(message);
}

export interface Fault {
  type?: string;
  reason?: string | null;
}

export interface Hit {
  _score: number;
  _source: { source: SearchSource };
  matched_queries?: string[];
  fields?: { content_hash?: string[]; vector?: string[] };
}

export interface Aggregation {
  value?: number;
  doc_count?: number;
  buckets?: Bucket[];
  terms?: Aggregation;
}

export interface Bucket {
  key: string;
  doc_count: number;
  nearest?: { hits: { hits: Hit[] } };
}

/** A looked-up document; without a version it does not exist. */
export interface LookedUp {
  _version?: number;
  error?: Fault;
}

/** The parts of a listed page that this adapter reads. */
export interface Listed {
  hits: { hits: { _version: number; sort: [org: string, id: string] }[] };
}

/** The parts of a response that this adapter reads; its queries request all of them. */
export interface Answer {
  hits: { total: { value: number }; hits: Hit[] };
  aggregations?: { [name: string]: Aggregation };
}

/** Each query of a multi-search can fail individually within a successful request. */
export function toAnswer(name: string, response: object | undefined): Answer {
  if (response === undefined || "error" in response) {
    throw new Error(`OpenSearch failed the ${name} query: ${JSON.stringify(response)}`);
  }
  return response as Answer;
}

export function toVector(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer);
}

export function toHit({ _score, _source: { source } }: Hit): SearchHit {
  return { id: source.id, score: _score, document: source };
}

/** Hits of the keyword query, with the requested keywords. */
export interface Matched {
  keywords: AskedKeyword[];
  keyword: SearchHit[];
  statistics: KeywordStatistics;
}

export function keywordQueries(keywords: AskedKeyword[], limit: number, scope: SearchScope) {
  return keywords.length > 0 ? { keyword: keywordQuery(keywords, limit, scope) } : { documents: documentsQuery(scope) };
}

export function toMatched(keywords: AskedKeyword[], answers: { keyword?: Answer; documents?: Answer }): Matched {
  const { doc_count, terms } = answers.keyword?.aggregations?.current ?? {};
  const buckets = terms?.buckets ?? [];
  return {
    keywords,
    keyword: (answers.keyword?.hits.hits ?? []).map((hit) => ({
      ...toHit(hit),
      ...matchedKeywords(keywords, hit.matched_queries ?? []),
    })),
    statistics: {
      documents: doc_count ?? answers.documents?.hits.total.value ?? 0,
      terms: keywords.map(({ term }, position) => ({ term, documents: buckets[position]?.doc_count ?? 0 })),
    },
  };
}

/** Sends a request that the signal aborts: closing its connection makes the engine stop too. */
export async function abortable<Response>(
  signal: AbortSignal | undefined,
  send: () => Promise<Response> & { abort(): void },
): Promise<Response> {
  signal?.throwIfAborted();
  const request = send();
  // Returns nothing, because a rejected promise from a listener would end the process.
  const abort = () => {
    request.abort();
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await request;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** The index of a request does not exist, or not under the name that it was written by. */
export class IndexMissingError extends Error {
  constructor(index: string) {
    super(`there is no index ${index}`);
  }
}
