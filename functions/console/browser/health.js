import { badge, figures, table } from "./dom.js";
import { amount, count, percent, share, when, words } from "./format.js";
import { panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../monitoring/schemas.ts").SystemHealth>} SystemHealth */
/** @typedef {SystemHealth["components"]} Components */

/** @type {import("./main.js").View} */
export const health = {
  id: "health",
  title: "Health",
  changes: true,
  open: ({ api, signal }) => [
    panel({
      title: "Components",
      signal,
      load: (signal) => /** @type {Promise<SystemHealth>} */ (api.get("/admin/health", { signal })),
      show: (answer) => [overall(answer), componentTable(answer), queueTable(answer.components.queues.queues)],
    }).element,
  ],
};

/** @param {SystemHealth} answer */
function overall({ overall_status, timestamp }) {
  return figures([["Overall", badge(overall_status), `checked ${when(timestamp)}`]]);
}

/** @param {SystemHealth} answer */
function componentTable({ components }) {
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
      return `${share(cache.hit_rate)} of credentials were remembered`;
    case "storage":
      if (storage.disk_total_gb === null) return "";
      return `${amount(storage.disk_usage_gb)} of ${amount(storage.disk_total_gb, "GB")} in use (${percent(storage.disk_usage_percentage)})`;
    case "api":
      return `${amount(api.requests_per_second)} requests/s, ${amount(api.avg_response_time_ms, "ms")} on average, ${share(api.error_rate)} failed`;
    case "queues":
      return `${count(queues.waiting)} waiting, ${count(queues.dead_letters)} given up`;
    default:
      return "";
  }
}

/** @param {Components["queues"]["queues"]} queues */
function queueTable(queues) {
  if (queues === null) return "The queues do not tell what waits in them.";
  const rows = queues.map(({ name, waiting, in_flight, delayed, dead_letters }) => [
    name,
    count(waiting),
    count(in_flight),
    count(delayed),
    count(dead_letters),
  ]);
  return table("Queues", ["Queue", "Waiting", "In progress", "Delayed", "Failed"], rows);
}
