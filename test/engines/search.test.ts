import { openSearch } from "../../shared/platform/aws/search.ts";
import { describeSearchIndex } from "../contract/search-index.ts";
import { searchSpace } from "./resources.ts";

describeSearchIndex(
  "OpenSearch",
  async (embedder, clock) => {
    const space = searchSpace();
    const index = await openSearch(space.environment, embedder, clock);
    return { index, settle: space.refresh, close: space.drop };
  },
  { runs: 15 },
);
