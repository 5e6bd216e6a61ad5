import { CustomResource, type Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { lambdaHandler } from "../../bundle.ts";
import type { FunctionIdentity } from "./function-identity.ts";
import { ANSWER_TIMEOUT, LoggedFunction, type LoggedFunctionProps } from "./logged-function.ts";
import type { SearchDomain } from "./search-domain.ts";
import type { ServiceFunction } from "./service-function.ts";

const TIMEOUT_SECONDS = 60;
const MEMORY_MB = 256;

/** Name of the function that changes roles inside OpenSearch. */
export const SEARCH_ACCESS = "SearchAccess";

/**
 * The only function that may change roles inside OpenSearch: its role is the domain's master user. The role belongs to
 * the data stack and the function to the code, so that new code does not change the data stack.
 */
export class SearchAccess extends LoggedFunction {
  constructor(scope: Construct, environment: LoggedFunctionProps["environment"], identity: FunctionIdentity) {
    super(scope, SEARCH_ACCESS, {
      environment,
      identity,
      handler: lambdaHandler.customResource("search-role"),
      description: "Maps function roles to a role inside OpenSearch at deployment",
      memoryMb: MEMORY_MB,
      timeoutSeconds: TIMEOUT_SECONDS,
      variables: {},
      permissions: [],
    });
  }
}

/** Grants the domain's master user access; separate from creating the identity, because the domain refers to it. */
export function permitRoleChanges(master: FunctionIdentity, { domainArn }: SearchDomain): void {
  master.permit({
    actions: ["es:ESHttpDelete", "es:ESHttpPut"],
    resources: [`${domainArn}/_plugins/_security/api/*`],
    reason: "Roles and their mappings are paths below the security API, named by deployment.",
  });
}

/**
 * Grants the searching functions of a stack, and further IAM roles by ARN, a role inside OpenSearch that is limited to
 * the service's indexes.
 */
export function admitToSearch(
  stack: Stack,
  functions: ServiceFunction[],
  search: SearchDomain,
  access: SearchAccess | undefined,
  extraRoleArns: readonly string[] = [],
): void {
  const searching = functions.filter(({ capabilities }) => capabilities.includes("search"));
  const members = [...searching.map(({ role }) => role.roleArn), ...extraRoleArns];
  if (access === undefined || members.length === 0) return;
  new CustomResource(stack, "SearchRole", {
    resourceType: "Custom::SearchRole",
    serviceToken: access.arnFor(stack),
    serviceTimeout: ANSWER_TIMEOUT,
    properties: {
      Endpoint: search.endpoint,
      Role: stack.stackName,
      IndexPrefix: search.indexPrefix,
      Members: members,
    },
  });
}
