import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../test/fixtures/blank-document.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { Query } from "../../language/questions/query.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { SearchHit, SearchIndex, SearchRequest } from "../../ports/search-index.ts";
import { findHits } from "./retrieve.ts";

const QUERY = "Where does Anna paint?";

/**
 * Returns a finder over an index of one memory; it finds the memory by keywords, and its semantic hit shows the query
 * vector.
 */
function finderOf(content: string) {
  const requests: SearchRequest[] = [];
  const hit = (id: string): SearchHit => ({
    id,
    score: 0.7,
    document: { ...BLANK_DOCUMENT, org: "org_a", id, content },
  });
  const search = async (request: SearchRequest) => {
    requests.push(request);
    const semantic = request.semantic ? [hit(request.semantic.vector[1] === 0 ? "whole" : "rest")] : [];
    return { semantic, keyword: request.keyword ? [hit("words")] : [], statistics: { documents: 1, terms: [] } };
  };
  const embed = async (texts: string[]) => texts.map((text) => new Float32Array(text === QUERY ? [1, 0] : [0, 1]));
  const embedder = { id: "test", background: { mean: 0.1, deviation: 0.1 }, embed } as unknown as Embedder;
  const ctx = {
    ...{ org: "org_a", viewer: undefined, clock: () => 0, logger: silentLogger, rollups: { count: () => {} } },
    settings: { read: async <Value>({ initial }: { initial: Value }) => initial },
    ports: { embedder, search: { search } as unknown as SearchIndex, records: {} as RecordStore },
  };
  return { ctx, requests };
}

describe("a query that names somebody", () => {
  it.each([
    ["without the name, where such a person speaks", "Anna: I go to the pier.", "rest"],
    ["with the name, where memories only mention it", "Anna goes to the pier.", "whole"],
  ])("is searched by meaning %s", async (_, content, expected) => {
    const { ctx, requests } = finderOf(content);
    const { answer } = await findHits(ctx, { query: new Query(QUERY), depth: 10 });
    expect(answer.semantic.map(({ id }) => id)).toEqual([expected]);
    expect([answer.keyword.map(({ id }) => id), answer.statistics?.documents]).toEqual([["words"], 1]);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ["without the name if the one user whose memories are searched has it", ["anna"], "Where does paint?", "rest"],
    ["with the name if other users' memories are searched too", ["anna", "ben"], QUERY, "whole"],
    ["with the name if everybody's memories are searched", undefined, QUERY, "whole"],
  ])("is searched %s", async (_, user_id, searched, expected) => {
    const { ctx, requests } = finderOf("Hi, my name is Anna Lund.");
    const { answer, query } = await findHits(ctx, { query: new Query(QUERY), filters: { user_id }, depth: 10 });
    expect([query.text, answer.semantic.map(({ id }) => id)]).toEqual([searched, [expected]]);
    const words = requests.flatMap(({ keyword }) => keyword?.text ?? []);
    expect(words).toEqual(searched === QUERY ? [QUERY] : [QUERY, searched]);
  });

  it("costs one query of the index where it names nobody", async () => {
    const { ctx, requests } = finderOf("Anna: I go to the pier.");
    await findHits(ctx, { query: new Query("Where do I paint?"), depth: 10 });
    expect(requests).toHaveLength(1);
  });
});
