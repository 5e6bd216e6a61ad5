import {
  CfnResource,
  type IPolicyValidationContext,
  type PolicyValidationPluginReport,
  Stack,
  Validations,
} from "aws-cdk-lib";
import { ManagedPolicy } from "aws-cdk-lib/aws-iam";
import { AwsSolutionsChecks } from "cdk-nag";
import { flattenCfnReference } from "cdk-nag/lib/utils/flatten-cfn-reference.js";
import type { IConstruct } from "constructs";

/** Template metadata of wildcards in policies, each with its reason. */
export const WILDCARD_REASONS = "wildcard_reasons";

interface WildcardReason {
  resources: string[];
  reason: string;
}

/** Records in the template why a policy names resources with a wildcard. */
export function stateWildcardReason(owner: IConstruct, resources: string[], reason: string): void {
  const resource = owner.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error(`${owner.node.path} has no CloudFormation resource`);
  resource.addMetadata(WILDCARD_REASONS, [...reasonsOf(resource), { resources, reason }]);
}

/** Records why a role has an AWS-managed policy, given by its name. */
export function acknowledgeManagedPolicy(role: IConstruct, name: string, reason: string): void {
  const { managedPolicyArn } = ManagedPolicy.fromAwsManagedPolicyName(name);
  const arn = flattenCfnReference(Stack.of(role).resolve(managedPolicyArn));
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM4[Policy::${arn}]`, reason });
}

/**
 * The AwsSolutions rules. Acknowledges a wildcard finding with the reason that its role records. That happens here,
 * because references between stacks are resolved only after synthesis.
 */
export class ServiceChecks extends AwsSolutionsChecks {
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    for (const construct of context.appConstruct.node.findAll()) {
      if (CfnResource.isCfnResource(construct)) acknowledgeWildcards(construct);
    }
    return super.validate(context);
  }
}

function acknowledgeWildcards(role: CfnResource): void {
  const scope = role.node.scope;
  if (scope === undefined) return;
  for (const { resources, reason } of Stack.of(role).resolve(reasonsOf(role))) {
    for (const resource of resources) {
      const id = `AwsSolutions-IAM5[Resource::${flattenCfnReference(resource)}]`;
      Validations.of(scope).acknowledge({ id, reason });
    }
  }
}

function reasonsOf(role: CfnResource): WildcardReason[] {
  return role.getMetadata(WILDCARD_REASONS) ?? [];
}
