import { CfnOutput, Fn, Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import type { Deployment } from "../config.ts";
import { FIREWALL_REGION } from "../regions.ts";

const ARN_OUTPUT = "WebAclArn";
const VENDOR = "AWS";

/** Rule sets of AWS's own, and those of their rules that only count: they take texts that people remember for attacks. */
const RULE_SETS = [
  { name: "AWSManagedRulesAmazonIpReputationList", counting: [] },
  { name: "AWSManagedRulesKnownBadInputsRuleSet", counting: ["Log4JRCE_BODY", "JavaDeserializationRCE_BODY"] },
  {
    name: "AWSManagedRulesCommonRuleSet",
    counting: [
      "CrossSiteScripting_BODY",
      "GenericLFI_BODY",
      "GenericRFI_BODY",
      "SizeRestrictions_BODY",
      "EC2MetaDataSSRF_BODY",
      "NoUserAgent_HEADER",
    ],
  },
] as const;

export interface FirewallStackProps extends StackProps {
  deployment: Deployment;
}

/** The firewall before the API, in the only region where CloudFront looks for one. */
export class FirewallStack extends Stack {
  constructor(scope: Construct, id: string, { deployment, ...props }: FirewallStackProps) {
    super(scope, id, props);
    const firewall = new CfnWebACL(this, "Firewall", {
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: measuredAs("Firewall"),
      rules: [...RULE_SETS.map(managedRules), floodRule(deployment.wafRequestsPerAddress, RULE_SETS.length)],
    });
    new CfnOutput(this, ARN_OUTPUT, { value: firewall.attrArn });
  }

  /** For stacks of any region: CloudFormation looks it up when it deploys them. */
  get webAclArn(): string {
    return Fn.getStackOutput(this.stackName, ARN_OUTPUT, FIREWALL_REGION);
  }
}

function managedRules({ name, counting }: (typeof RULE_SETS)[number], priority: number): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: VENDOR,
        name,
        ruleActionOverrides: counting.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: measuredAs(name),
  };
}

function floodRule(limit: number, priority: number): CfnWebACL.RuleProperty {
  const name = "RequestsPerAddress";
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement: { limit, aggregateKeyType: "IP" } },
    visibilityConfig: measuredAs(name),
  };
}

function measuredAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
