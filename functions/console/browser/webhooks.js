import { badge, figures, h, ownWords, table } from "./dom.js";
import { amount, count, share, when } from "./format.js";
import { pager } from "./pager.js";
import { notice, panel, panelOf } from "./panel.js";
import { HOURS, timePlot } from "./plot.js";

/** @typedef {import("./api.js").Answer<typeof import("../../webhooks/schemas.ts").DeliveryStats>} DeliveryStats */
/** @typedef {import("./api.js").Answer<typeof import("../../webhooks/schemas.ts").DeadLetterList>} DeadLetterList */
/** @typedef {DeadLetterList["dead_letter_entries"][number]} DeadLetter */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const webhooks = {
  id: "webhooks",
  title: "Webhooks",
  changes: true,
  open: (page) => [panelOf(page, "Deliveries", "/webhooks/delivery-stats", deliveryParts), deadLetters(page)],
};

/** @param {DeliveryStats} answer */
function deliveryParts({ overall_stats: all, webhook_stats, time_series: { hourly } }) {
  const rows = webhook_stats.map((each) => [
    ownWords(each.name),
    badge(each.status),
    share(each.success_rate),
    count(each.successful_deliveries),
    count(each.failed_deliveries),
    when(each.last_delivery),
  ]);
  const columns = ["Webhook", "State", "Success", "Delivered", "Failed", "Last delivery"];
  return [
    figures([
      ["Success", share(all.success_rate)],
      ["Delivered", count(all.successful_deliveries)],
      ["Failed", count(all.failed_deliveries)],
      ["Attempts", count(all.total_attempts)],
      ["95 % within", amount(all.p95_delivery_time_ms, "ms")],
    ]),
    h(
      "div",
      { class: "plots" },
      timePlot({ title: "Deliveries an hour, last day", kind: "bars", unit: "deliveries" }, hourly, HOURS, {
        delivered: (point) => point.successful_deliveries,
        failed: (point) => point.failed_deliveries,
      }),
    ),
    rows.length === 0 ? h("p", {}, "There are no webhooks.") : table("By webhook", columns, rows),
  ];
}

/**
 * Failed deliveries, each with a button to retry it.
 * @param {import("./main.js").Page} page
 */
function deadLetters({ api, signal, announce }) {
  let offset = 0;
  const go = (/** @type {number} */ to) => {
    offset = to;
    void list.reload();
  };
  const list = panel({
    title: "Dead letters",
    signal,
    load: (signal) =>
      /** @type {Promise<DeadLetterList>} */ (
        api.get("/webhooks/dead-letter", { query: { limit: PAGE, offset }, signal })
      ),
    show: ({ dead_letter_entries: entries, pagination }) => {
      if (entries.length === 0 && offset === 0) return [h("p", {}, "No failed deliveries.")];
      const rows = entries.map((entry) => rowOf(entry, retry));
      const columns = ["Event", "Webhook", "Why", "Attempts", "Last failed", "Retry"];
      return [table("Failed deliveries", columns, rows), pager(pagination, go)];
    },
  });
  const problem = h("div", {});
  const retry = async (/** @type {DeadLetter} */ { id, event }) => {
    try {
      await api.post(`/webhooks/dead-letter/${encodeURIComponent(id)}/retry`, { signal });
      problem.replaceChildren();
      announce(`The ${event} is on its way again.`);
      await list.reload();
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    }
  };
  list.element.append(problem);
  return list.element;
}

/**
 * @param {DeadLetter} entry
 * @param {(entry: DeadLetter) => Promise<void>} retry
 */
function rowOf(entry, retry) {
  const { event, webhook_id, failure_reason, http_status, error_message, attempts, last_failed_at, next_retry_at } =
    entry;
  const why = `${http_status === null ? failure_reason : `${failure_reason} (${http_status})`}: ${error_message}`;
  const button = h("button", { type: "button", "aria-label": `Retry ${event} ${entry.id}` }, "Retry");
  button.addEventListener("click", async () => {
    // Unlike a disabled button, it keeps the focus.
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    await retry(entry);
    button.ariaDisabled = "false";
  });
  const action = next_retry_at === null ? button : `due ${when(next_retry_at)}`;
  return [event, h("code", {}, webhook_id), ownWords(why), count(attempts), when(last_failed_at), action];
}
