import { DescribeDomainHealthCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";

/**
 * Throws if a domain has no master node or a primary shard is unassigned. Asks AWS, because the domain's endpoint does
 * not report this.
 */
export async function requireHealthyDomain(name: string, client = new OpenSearchClient()): Promise<void> {
  const { ClusterHealth, MasterNode } = await client.send(new DescribeDomainHealthCommand({ DomainName: name }));
  if (ClusterHealth === "Red" || MasterNode === "UnAvailable") {
    throw new Error(`search domain ${name}: health ${ClusterHealth}, master node ${MasterNode}`);
  }
}
