import { DescribeDomainHealthCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";

/**
 * Asks AWS how the domain itself is, which its endpoint does not tell: throws when a primary shard is missing or no
 * master is at work.
 */
export async function requireHealthyDomain(name: string, client = new OpenSearchClient()): Promise<void> {
  const { ClusterHealth, MasterNode } = await client.send(new DescribeDomainHealthCommand({ DomainName: name }));
  if (ClusterHealth === "Red" || MasterNode === "UnAvailable") {
    throw new Error(`search domain ${name}: health ${ClusterHealth}, master node ${MasterNode}`);
  }
}
