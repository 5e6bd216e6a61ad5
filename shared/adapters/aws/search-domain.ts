import { DescribeDomainHealthCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";

/**
 * Asks AWS for the state of the domain, which its endpoint does not report: throws if a primary shard is missing or no
 * master is active.
 */
export async function requireHealthyDomain(name: string, client = new OpenSearchClient()): Promise<void> {
  const { ClusterHealth, MasterNode } = await client.send(new DescribeDomainHealthCommand({ DomainName: name }));
  if (ClusterHealth === "Red" || MasterNode === "UnAvailable") {
    throw new Error(`search domain ${name}: health ${ClusterHealth}, master node ${MasterNode}`);
  }
}
