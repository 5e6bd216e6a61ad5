import type { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression } from "aws-cdk-lib/aws-cloudwatch";

/**
 * The percentage of calls that fail; 0 below a minimum of errors, which are noise with few calls. Both metrics are sums
 * over the period.
 */
export function errorPercent(errors: IMetric, calls: IMetric, minErrors: number, period: Duration): MathExpression {
  return new MathExpression({
    expression: `IF(errors >= ${minErrors}, 100 * errors / calls, 0)`,
    usingMetrics: { errors, calls },
    label: "Errors (%)",
    period,
  });
}

/** The sum of metrics (at most ten), of which any may have no value in a period. */
export function sumOf(metrics: IMetric[], period: Duration): MathExpression {
  return new MathExpression({
    expression: "SUM(FILL(METRICS(), 0))",
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period,
  });
}
