import { figures, h, ownWords, table } from "./dom.js";
import { amount, count, duration, percent, share } from "./format.js";
import { panelOf } from "./panel.js";
import { HOURS, MINUTES, timePlot } from "./plot.js";

/** @typedef {import("./api.js").Answer<typeof import("../../monitoring/schemas.ts").SystemMetrics>} SystemMetrics */
/** @typedef {import("./api.js").Answer<typeof import("../../search/schemas.ts").SearchStatistics>} SearchStatistics */
/** @typedef {Pick<SystemMetrics["history"]["searches"][number], "avg_response_time_ms" | "p95_response_time_ms">} Timed */

const LATENCIES = {
  average: (/** @type {Timed} */ point) => point.avg_response_time_ms,
  "95 % within": (/** @type {Timed} */ point) => point.p95_response_time_ms,
};

/** @type {import("./main.js").View} */
export const traffic = {
  id: "traffic",
  title: "Traffic and search",
  group: "Operate",
  changes: true,
  isFor: ({ permissions }) => permissions.includes("search:read"),
  open: (page) => [
    ...(page.who.operator && page.may("admin:all")
      ? [panelOf(page, "The deployment", "/admin/metrics", metricParts)]
      : []),
    panelOf(page, "Searches of this organization", "/search/stats", searchSummary),
  ],
};

/** @param {SystemMetrics} answer */
function metricParts(answer) {
  return [summary(answer), h("div", { class: "plots" }, ...plots(answer))];
}

/** @param {SystemMetrics} answer */
function summary({ performance, api_metrics: requests, business_metrics: use }) {
  return figures([
    ["Requests", count(requests.requests_total), `${amount(requests.requests_per_second)} a second now`],
    ["Refused", count(requests.refused_requests), "4xx"],
    ["Failed", count(requests.failed_requests), "5xx"],
    ["95 % answered within", amount(requests.p95_response_time_ms, "ms"), "last five minutes"],
    ["Processor", percent(performance.cpu_usage)],
    ["Memory", percent(performance.memory_usage)],
    ["Disk", percent(performance.disk_usage)],
    ["Running for", duration(performance.uptime_seconds)],
    ["Memories kept", count(use.total_memories)],
    ["Sessions begun", count(use.total_sessions)],
    ["Active users", count(use.active_users), "30 days"],
  ]);
}

/** @param {SystemMetrics} answer */
function plots({ history: { requests, searches } }) {
  return [
    timePlot({ title: "Requests a minute, last hour", kind: "bars", unit: "requests" }, requests, MINUTES, {
      answered: (point) => point.requests - point.failed_requests,
      failed: (point) => point.failed_requests,
    }),
    timePlot({ title: "Response time, last hour", kind: "lines", unit: "ms" }, requests, MINUTES, LATENCIES),
    timePlot({ title: "Searches an hour, last day", kind: "bars", unit: "searches" }, searches, HOURS, {
      searches: (point) => point.searches,
    }),
    timePlot({ title: "Search latency, last day", kind: "lines", unit: "ms" }, searches, HOURS, LATENCIES),
  ];
}

/** @param {SearchStatistics} answer */
function searchSummary({
  total_searches,
  by_mode,
  avg_response_time_ms,
  p95_response_time_ms,
  success_rate,
  popular_queries,
}) {
  const modes = Object.entries(by_mode).map(([mode, searches]) => [mode, count(searches)]);
  const queries = popular_queries.map(({ query, count: times }) => [ownWords(query), count(times)]);
  return [
    figures([
      ["Searches", count(total_searches)],
      ["On average", amount(avg_response_time_ms, "ms")],
      ["95 % within", amount(p95_response_time_ms, "ms")],
      ["Succeeded", share(success_rate)],
    ]),
    h(
      "div",
      { class: "columns" },
      table("By mode", ["Mode", "Searches"], modes),
      queries.length > 0 ? table("Most searched for", ["Query", "Searches"], queries) : h("p", {}, "No searches yet."),
    ),
  ];
}
