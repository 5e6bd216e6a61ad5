import { DescribeDomainHealthCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, describe, expect, it } from "vitest";
import { requireHealthyDomain } from "./search-domain.ts";

const aws = mockClient(OpenSearchClient);

afterEach(() => aws.reset());

describe("a search domain", () => {
  it("is healthy if every primary shard is assigned", async () => {
    aws
      .on(DescribeDomainHealthCommand, { DomainName: "memories" })
      .resolves({ ClusterHealth: "Yellow", MasterNode: "Available" });
    await expect(requireHealthyDomain("memories", new OpenSearchClient())).resolves.toBeUndefined();
  });

  it.each([
    { ClusterHealth: "Red" as const, MasterNode: "Available" as const },
    { ClusterHealth: "Green" as const, MasterNode: "UnAvailable" as const },
  ])("is not healthy if AWS reports $ClusterHealth and $MasterNode", async (health) => {
    aws.on(DescribeDomainHealthCommand).resolves(health);
    await expect(requireHealthyDomain("memories", new OpenSearchClient())).rejects.toThrow("search domain memories");
  });
});
