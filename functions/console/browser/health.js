import { badge, figures, table } from "./dom.js";
import { amount, count, percent, share, when, words } from "./format.js";
import { panelOf } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../monitoring/schemas.ts").SystemHealth>} SystemHealth */
/** @typedef {SystemHealth["components"]} Components */

/** @type {import("./main.js").View} */
export const health = {
  id: "health",
  title: "Health",
  group: "Operate",
  changes: true,
  isFor: ({ operator, permissions }) => operator && permissions.includes("admin:all"),
  open: (page) => [panelOf(page, "Components", "/admin/health", healthParts)],
};

/** @param {SystemHealth} answer */
function healthParts({ overall_status, timestamp, components }) {
  return [
    figures([["Overall", badge(overall_status), `checked ${when(timestamp)}`]]),
    componentTable(components),
    queueTable(components.queues.queues),
  ];
}

/** @param {Components} components */
function componentTable(components) {
  const rows = Object.entries(components).map(([name, component]) => [
    words(name),
    badge(component.status),
    amount("response_time_ms" in component ? component.response_time_ms : undefined, "ms"),
    remarkOn(name, components),
  ]);
  return table("Components of the deployment", ["Component", "State", "Response time", "Details"], rows);
}

/**
 * @param {string} name
 * @param {Components} components
 */
function remarkOn(name, { cache, storage, api, queues }) {
  switch (name) {
    case "cache":
      return `${share(cache.hit_rate)} of credentials were cached`;
    case "storage":
      if (storage.disk_total_gb === null) return "";
      return `${amount(storage.disk_usage_gb)} of ${amount(storage.disk_total_gb, "GB")} in use (${percent(storage.disk_usage_percentage)})`;
    case "api":
      return `${amount(api.requests_per_second)} requests/s, ${amount(api.avg_response_time_ms, "ms")} on average, ${share(api.error_rate)} failed`;
    case "queues":
      return `${count(queues.waiting)} waiting, ${count(queues.dead_letters)} failed`;
    default:
      return "";
  }
}

/** @param {Components["queues"]["queues"]} queues */
function queueTable(queues) {
  if (queues === null) return "The lengths of the queues are not available.";
  const rows = queues.map(({ name, waiting, in_flight, delayed, dead_letters }) => [
    name,
    count(waiting),
    count(in_flight),
    count(delayed),
    count(dead_letters),
  ]);
  return table("Queues", ["Queue", "Waiting", "In progress", "Delayed", "Failed"], rows);
}
