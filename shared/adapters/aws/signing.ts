import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { AwsSigv4Signer } from "@opensearch-project/opensearch/aws-v3";

/** Makes an OpenSearch client sign its requests to a domain with the process's credentials. */
export function signRequests(region: string) {
  return AwsSigv4Signer({ region, service: "es", getCredentials: defaultProvider() });
}
