import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Served } from "../../runtime/stats/traffic.ts";
import { REQUEST_METRICS } from "./request-metric-names.ts";

/** Routes at which users authenticate. */
const SIGN_IN_ROUTES: ReadonlySet<string> = new Set([
  "POST /auth/login",
  "POST /auth/2fa/verify",
  "POST /auth/refresh",
]);
const REFUSED_CREDENTIALS = 401;

/**
 * Reports each request to CloudWatch in one log line (embedded metric format), without a call. Namespace and service
 * come from Powertools' environment variables; the route is a searchable property, not a dimension.
 */
export function createRequestMetrics(): (served: Served) => void {
  const metrics = new Metrics();
  return ({ route, status, durationMs }) => {
    metrics.addMetric(REQUEST_METRICS.duration, MetricUnit.Milliseconds, durationMs);
    metrics.addMetric(REQUEST_METRICS.serverErrors, MetricUnit.Count, status < 500 ? 0 : 1);
    if (SIGN_IN_ROUTES.has(route)) {
      metrics.addMetric(REQUEST_METRICS.signInFailures, MetricUnit.Count, status === REFUSED_CREDENTIALS ? 1 : 0);
    }
    metrics.addMetadata("route", route);
    metrics.addMetadata("status", String(status));
    metrics.publishStoredMetrics();
  };
}
