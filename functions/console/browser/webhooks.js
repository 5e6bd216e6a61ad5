import { WEBHOOK_EVENTS } from "../../../shared/domain/integration/webhooks/webhook.ts";
import { formDialog } from "./dialog.js";
import { badge, field, figures, h, ownWords, table, timeAgo } from "./dom.js";
import { amount, beginning, count, share, when } from "./format.js";
import { limitNote } from "./limits.js";
import { pager } from "./pager.js";
import { notice, panel } from "./panel.js";
import { HOURS, timePlot } from "./plot.js";

/** @typedef {import("./api.js").Answer<typeof import("../../webhooks/schemas.ts").DeliveryStats>} DeliveryStats */
/** @typedef {import("./api.js").Answer<typeof import("../../webhooks/schemas.ts").DeadLetterList>} DeadLetterList */
/** @typedef {DeadLetterList["dead_letter_entries"][number]} DeadLetter */

const PAGE = 20;
const SHOWN_LENGTH = 60;

/** @type {import("./main.js").View} */
export const webhooks = {
  id: "webhooks",
  title: "Webhooks",
  group: "Operate",
  changes: true,
  isFor: ({ permissions, agent_id }) => permissions.includes("agents:manage") && agent_id === undefined,
  open: (page) => {
    const { api, signal } = page;
    const deliveries = panel({
      title: "Deliveries",
      signal,
      load: (signal) => api.get("/webhooks/delivery-stats", { signal }),
      show: deliveryParts,
    });
    return [addWebhook(page, () => deliveries.reload()), deliveries.element, deadLetters(page)];
  },
};

/** Those that are offered for a new webhook. */
const EVENTS = ["memory.created", "memory.updated", "memory.deleted", "session.created", "source.ingested"];

/**
 * @param {import("./main.js").Page} page
 * @param {() => void} reload
 */
function addWebhook({ api, signal, announce, who }, reload) {
  return formDialog({
    open: "Add a webhook",
    title: "Add a webhook",
    action: "Add",
    build: () => {
      const name = h("input", { id: "hook-name", required: true, maxlength: 200, autocomplete: "off" });
      const url = h("input", { id: "hook-url", type: "url", required: true, autocomplete: "off" });
      const events = EVENTS.map((event) =>
        h("input", { type: "checkbox", value: event, checked: event === EVENTS[0] }),
      );
      const boxes = events.map((box) => h("div", {}, h("label", {}, box, ` ${box.value}`)));
      const send = async () => {
        const wanted = events.filter((box) => box.checked).map((box) => box.value);
        await api.post("/webhooks", { body: { name: name.value.trim(), url: url.value, events: wanted }, signal });
        announce("The webhook is added.");
        reload();
      };
      const fields = [
        field("Name", name),
        field("Address that receives the events", url),
        h("fieldset", {}, h("legend", {}, "Events"), ...boxes),
        limitNote(who, "webhooks"),
      ];
      return { fields, send };
    },
  });
}

/** @param {DeliveryStats} answer */
function deliveryParts({ overall_stats: all, webhook_stats, time_series: { hourly } }) {
  if (webhook_stats.length === 0) return [h("p", {}, "There are no webhooks.")];
  const rows = webhook_stats.map((each) => [
    ownWords(each.name),
    badge(each.status),
    share(each.success_rate),
    count(each.successful_deliveries),
    count(each.failed_deliveries),
    timeAgo(each.last_delivery),
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
    table("By webhook", columns, rows),
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
  /** The names of webhooks by id; of those without statistics, the ids. */
  const names = new Map();
  const list = panel({
    title: "Dead letters",
    signal,
    load: async (signal) => {
      /** @type {[DeadLetterList, Pick<DeliveryStats, "webhook_stats">]} */
      const [letters, { webhook_stats }] = await Promise.all([
        api.get("/webhooks/dead-letter", { query: { limit: PAGE, offset }, signal }),
        // The panel of deliveries shows this failure; here, ids stand for names.
        api.get("/webhooks/delivery-stats", { signal }).catch(() => ({ webhook_stats: [] })),
      ]);
      for (const { webhook_id, name } of webhook_stats) names.set(webhook_id, name);
      return letters;
    },
    show: ({ dead_letter_entries: entries, pagination }) => {
      retryForm.hidden = pagination.total === 0;
      if (entries.length === 0 && offset === 0) return [h("p", {}, "No failed deliveries.")];
      for (const { webhook_id } of entries) if (!names.has(webhook_id)) names.set(webhook_id, webhook_id);
      fill(webhook, [...names]);
      const rows = entries.map((entry) => rowOf(entry, names.get(entry.webhook_id), retry));
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
  const event = h("select", { id: "retried-event" });
  const webhook = h("select", { id: "retried-webhook" });
  fill(
    event,
    WEBHOOK_EVENTS.map((name) => [name, name]),
  );
  const retryAll = async (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const body = {
      ...(event.value !== "" && { event: event.value }),
      ...(webhook.value !== "" && { webhook_id: webhook.value }),
    };
    try {
      const { retried_count, skipped_count } = await api.post("/webhooks/dead-letter/retry", { body, signal });
      problem.replaceChildren();
      await list.reload();
      announce(`${count(retried_count)} on their way again, ${count(skipped_count)} skipped.`);
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    }
  };
  const retryForm = h(
    "form",
    { class: "bar-form", hidden: true, onsubmit: retryAll },
    field("Event", event),
    field("Webhook", webhook),
    h("button", { type: "submit" }, "Retry all that match"),
  );
  list.element.append(retryForm, problem);
  return list.element;
}

/**
 * Offers choices, with "all" before them, and keeps what is chosen.
 * @param {HTMLSelectElement} select
 * @param {[value: string, name: string][]} choices
 */
function fill(select, choices) {
  const chosen = select.value;
  const options = choices.map(([value, name]) => h("option", { value }, beginning(name, SHOWN_LENGTH)));
  select.replaceChildren(h("option", { value: "" }, "all"), ...options);
  select.value = choices.some(([value]) => value === chosen) ? chosen : "";
}

/**
 * @param {DeadLetter} entry
 * @param {string} webhook its name
 * @param {(entry: DeadLetter) => Promise<void>} retry
 */
function rowOf(entry, webhook, retry) {
  const { event, failure_reason, http_status, error_message, attempts, last_failed_at, next_retry_at } = entry;
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
  return [event, ownWords(webhook), ownWords(why), count(attempts), timeAgo(last_failed_at), action];
}
