import { CustomResource, type Stack } from "aws-cdk-lib";
import type { Code } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { lambdaHandler } from "../bundle.ts";
import type { Deployment } from "../config.ts";
import { LoggedFunction } from "./logged-function.ts";
import type { DataResources } from "./resources.ts";
import type { SearchDomain } from "./search-domain.ts";
import type { ServiceFunction } from "./service-function.ts";

const TIMEOUT_SECONDS = 60;
const MEMORY_MB = 256;

export interface SearchAccessProps {
  deployment: Deployment;
  code: Code;
}

/** The only one that may change roles inside OpenSearch: a function whose role is the domain's master user. */
export class SearchAccess extends LoggedFunction {
  constructor(scope: Construct, id: string, { deployment, code }: SearchAccessProps) {
    super(scope, id, {
      deployment,
      code,
      handler: lambdaHandler.customResource("search-role"),
      description: "Maps function roles to a role inside OpenSearch at deployment",
      memoryMb: MEMORY_MB,
      timeoutSeconds: TIMEOUT_SECONDS,
      variables: {},
      permissions: [],
    });
  }

  /** Lets it reach the domain; apart from the constructor because the domain names this role as its master. */
  reach({ domainArn }: SearchDomain): void {
    this.permit({
      actions: ["es:ESHttpDelete", "es:ESHttpPut"],
      resources: [`${domainArn}/_plugins/_security/api/*`],
      reason: "Roles and their mappings are paths below the security API, named by deployment.",
    });
  }
}

/** Gives those of a stack's functions that search a role inside OpenSearch, confined to the service's indexes. */
export function admitToSearch(
  stack: Stack,
  functions: ServiceFunction[],
  { search, searchAccess }: DataResources,
): void {
  const members = functions.filter(({ capabilities }) => capabilities.includes("search"));
  if (searchAccess === undefined || members.length === 0) return;
  new CustomResource(stack, "SearchRole", {
    resourceType: "Custom::SearchRole",
    serviceToken: searchAccess.function.functionArn,
    properties: {
      Endpoint: search.endpoint,
      Role: stack.stackName,
      IndexPrefix: search.indexPrefix,
      Members: members.map(({ role }) => role.roleArn),
    },
  });
}
