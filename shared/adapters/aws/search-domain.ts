import { DescribeDomainHealthCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";

/** Asks AWS for the domain's state, which its endpoint does not report. Throws without a master or a primary shard. */
export async function requireHealthyDomain(name: string, client = new OpenSearchClient()): Promise<void> {
  const { ClusterHealth, MasterNode } = await client.send(new DescribeDomainHealthCommand({ DomainName: name }));
  if (ClusterHealth === "Red" || MasterNode === "UnAvailable") {
    throw new Error(`search domain ${name}: health ${ClusterHealth}, master node ${MasterNode}`);
  }
}
