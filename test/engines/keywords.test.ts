import { openSearch } from "../../shared/platform/aws/search.ts";
import { describeKeywordCases } from "../contract/keyword-cases.ts";
import { searchSpace } from "./resources.ts";

describeKeywordCases("OpenSearch", async (embedder, clock) => {
  const space = searchSpace();
  const index = await openSearch(space.environment, embedder, { clock });
  return { index, settle: space.refresh, close: space.drop };
});
