import { openSearch } from "../../shared/adapters/aws/search.ts";
import { describeKeywordCases } from "../contract/keyword-cases.ts";
import { searchSpace } from "./resources.ts";

describeKeywordCases("OpenSearch", async (embedder, clock) => {
  const space = searchSpace();
  const index = await openSearch(space.environment, embedder, { clock });
  return { index, drainChangeFeed: space.refresh, close: space.drop };
});
