/** The part of a template that costs are read from. */
interface Template {
  Resources: Record<string, Resource>;
}

interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are free-form JSON
  Properties?: Record<string, any>;
}

/** List prices of us-east-1 in US dollars. */
const NODE_HOUR: Record<string, number> = {
  "t3.small.search": 0.036,
  "t3.medium.search": 0.073,
  "m7g.medium.search": 0.068,
  "r7g.large.search": 0.179,
  "r7g.xlarge.search": 0.358,
};
const VOLUME_GB_MONTH = 0.122;
/** Lambda polls an empty queue five times in twenty seconds, and SQS costs 0.40 a million requests. */
const POLLED_QUEUE_MONTH = 0.26;
/** The three that the service creates. */
const SECRETS_MONTH = 1.2;
const KEY_MONTH = 1;
/** An alarm costs this for each metric of its expression. */
const ALARM_METRIC_MONTH = 0.1;
/** Throttled keys have two rules for a table and for each index. */
const INSIGHTS_MONTH = 1;
const NAT_HOUR = 0.045;
const FIREWALL_MONTH = 10;
const HOURS = 730;

export interface MonthlyCost {
  /** US dollars by item, for the items that the deployment has. */
  items: Record<string, number>;
  total: number;
  /** Instance types that this file has no price for. */
  unpriced: string[];
}

/** What a deployment without requests and data costs a month, by its templates. */
export function monthlyCostOf(templates: Template[]): MonthlyCost {
  const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
  const ofType = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties = {} }) => Properties);
  const domains = ofType("AWS::OpenSearchService::Domain");
  const nodes = domains.flatMap(({ ClusterConfig }) => nodesOf(ClusterConfig));
  const volumes = domains.map(({ ClusterConfig, EBSOptions }) => ClusterConfig.InstanceCount * EBSOptions.VolumeSize);
  const mappings = ofType("AWS::Lambda::EventSourceMapping");
  const insights = ofType("AWS::DynamoDB::Table").flatMap((table) => [table, ...(table.GlobalSecondaryIndexes ?? [])]);
  const items = {
    "OpenSearch nodes": sum(nodes.map(({ type, count }) => (NODE_HOUR[type] ?? 0) * count * HOURS)),
    "Their volumes": sum(volumes) * VOLUME_GB_MONTH,
    "Lambda polling empty queues":
      mappings.filter(({ StartingPosition }) => StartingPosition === undefined).length * POLLED_QUEUE_MONTH,
    Secrets: SECRETS_MONTH,
    "KMS key": ofType("AWS::KMS::Key").length * KEY_MONTH,
    Alarms: sum(ofType("AWS::CloudWatch::Alarm").map(metricsOf)) * ALARM_METRIC_MONTH,
    "Contributor Insights of table and indexes":
      insights.filter((each) => each.ContributorInsightsSpecification?.Enabled).length * INSIGHTS_MONTH,
    "NAT gateways": ofType("AWS::EC2::NatGateway").length * NAT_HOUR * HOURS,
    "AWS WAF": ofType("AWS::WAFv2::WebACL").length * FIREWALL_MONTH,
  };
  return {
    items: Object.fromEntries(Object.entries(items).filter(([, dollars]) => dollars > 0)),
    total: sum(Object.values(items)),
    unpriced: nodes.map(({ type }) => type).filter((type) => NODE_HOUR[type] === undefined),
  };
}

/** The cost in one line. */
export function describeCost({ items, total, unpriced }: MonthlyCost): string {
  const parts = Object.entries(items).map(([item, dollars]) => `${item} ${Math.round(dollars)}`);
  const missing = unpriced.length === 0 ? "" : `, without ${unpriced.join(" and ")}`;
  return `about $${Math.round(total)} a month without requests and data (${parts.join(", ")})${missing}`;
}

function nodesOf(cluster: Record<string, unknown>): { type: string; count: number }[] {
  const data = { type: String(cluster.InstanceType), count: Number(cluster.InstanceCount) };
  const masters = { type: String(cluster.DedicatedMasterType), count: Number(cluster.DedicatedMasterCount) };
  return cluster.DedicatedMasterEnabled ? [data, masters] : [data];
}

function metricsOf({ Metrics = [] }: Record<string, unknown>): number {
  const ofExpression = (Metrics as { MetricStat?: unknown }[]).filter(({ MetricStat }) => MetricStat !== undefined);
  return Math.max(1, ofExpression.length);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
