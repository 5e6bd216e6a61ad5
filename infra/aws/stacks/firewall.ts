import { CfnOutput, Fn, Stack, type StackProps } from "aws-cdk-lib";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import type { Deployment } from "../../config.ts";
import { FIREWALL_REGION } from "../../regions.ts";

const ARN_OUTPUT = "WebAclArn";
const VENDOR = "AWS";
/** The window of AWS WAF's rate rules in seconds. */
const FLOOD_WINDOW_SECONDS = 300;

/** Paths that end with a client's name: `DELETE /v2/entities/user/notes.log` is not an attack. */
const NAMES_IN_PATHS = "^/v[12]/entities/";

/**
 * AWS's managed rule groups (AWS WAF Developer Guide, "Baseline rule groups"). Rules that inspect a body or query only
 * count, because memories and searches may look like attacks.
 */
const RULE_SETS: RuleSet[] = [
  { name: "AWSManagedRulesAmazonIpReputationList", counting: [] },
  {
    name: "AWSManagedRulesKnownBadInputsRuleSet",
    counting: [
      "JavaDeserializationRCE_BODY",
      "JavaDeserializationRCE_QUERYSTRING",
      "Log4JRCE_BODY",
      "Log4JRCE_QUERYSTRING",
      "ReactJSRCE_BODY",
    ],
    except: NAMES_IN_PATHS,
  },
  {
    name: "AWSManagedRulesCommonRuleSet",
    counting: [
      "CrossSiteScripting_BODY",
      "CrossSiteScripting_QUERYARGUMENTS",
      "EC2MetaDataSSRF_BODY",
      "EC2MetaDataSSRF_QUERYARGUMENTS",
      "GenericLFI_BODY",
      "GenericLFI_QUERYARGUMENTS",
      "GenericRFI_BODY",
      "GenericRFI_QUERYARGUMENTS",
      "NoUserAgent_HEADER",
      "RestrictedExtensions_QUERYARGUMENTS",
      "SizeRestrictions_BODY",
      "SizeRestrictions_QUERYSTRING",
    ],
    except: NAMES_IN_PATHS,
  },
];

interface RuleSet {
  name: string;
  /** Rules that only count. */
  counting: string[];
  /** A regular expression of excluded paths; none by default. */
  except?: string;
}

export interface FirewallStackProps extends StackProps {
  deployment: Deployment;
}

/** The firewall in front of the API, in the only region where CloudFront looks for one. */
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

  /** For stacks in any region: CloudFormation resolves it at deployment. */
  get webAclArn(): string {
    return Fn.getStackOutput(this.stackName, ARN_OUTPUT, FIREWALL_REGION);
  }
}

function managedRules({ name, counting, except }: RuleSet, priority: number): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: VENDOR,
        name,
        ruleActionOverrides: counting.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        ...(except !== undefined && { scopeDownStatement: outsideOf(except) }),
      },
    },
    visibilityConfig: measuredAs(name),
  };
}

function outsideOf(regexString: string): CfnWebACL.StatementProperty {
  const textTransformations = [{ priority: 0, type: "NONE" }];
  const regexMatchStatement = { regexString, fieldToMatch: { uriPath: {} }, textTransformations };
  return { notStatement: { statement: { regexMatchStatement } } };
}

function floodRule(limit: number, priority: number): CfnWebACL.RuleProperty {
  const name = "RequestsPerAddress";
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 429, responseHeaders: limitHeaders(name, limit) } } },
    statement: { rateBasedStatement: { limit, evaluationWindowSec: FLOOD_WINDOW_SECONDS, aggregateKeyType: "IP" } },
    visibilityConfig: measuredAs(name),
  };
}

/**
 * Headers like those of the service's own limits. The firewall counts over a window, so it may refuse for that long.
 */
function limitHeaders(name: string, limit: number): CfnWebACL.CustomHTTPHeaderProperty[] {
  const headers = {
    "Retry-After": `${FLOOD_WINDOW_SECONDS}`,
    "RateLimit-Policy": `"${name}";q=${limit};w=${FLOOD_WINDOW_SECONDS}`,
    RateLimit: `"${name}";r=0;t=${FLOOD_WINDOW_SECONDS}`,
  };
  return Object.entries(headers).map(([header, value]) => ({ name: header, value }));
}

function measuredAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
