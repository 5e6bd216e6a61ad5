import { newGroup } from "../../shared/runtime/http/group.ts";
import { group } from "./group.ts";
import { readLogs } from "./logs.ts";
import { readMetrics } from "./metrics.ts";
import { PROMETHEUS_TYPE, toPrometheus } from "./prometheus.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group, { permission: "admin:all", limit: "admin_monitoring" });

routes.get("/admin/health", "readSystemHealth", {
  summary: "Get the health of each part of the deployment; operators only",
  answer: schemas.SystemHealth,
  errors: ["FORBIDDEN"],
  handler: (ctx) => service.readSystemHealth(ctx),
});

routes.get("/admin/metrics", "readSystemMetrics", {
  summary: "Get metrics of the host, requests and usage as JSON or Prometheus text; operators only",
  query: schemas.ReadMetrics,
  answer: schemas.SystemMetrics,
  produces: PROMETHEUS_TYPE,
  errors: ["FORBIDDEN"],
  handler: async (ctx, { query }) => {
    const metrics = await readMetrics(ctx);
    if (query.format === "json") return metrics.summary;
    return new Response(toPrometheus(metrics), { headers: { "content-type": PROMETHEUS_TYPE } });
  },
});

routes.get("/admin/logs", "listLogs", {
  summary: "List log entries and audit records, newest first; operators only",
  query: schemas.ReadLogs,
  answer: schemas.LogList,
  errors: ["FORBIDDEN"],
  handler: (ctx, { query }) => readLogs(ctx, query),
});
