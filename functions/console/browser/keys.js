import { formDialog } from "./dialog.js";
import { badge, field, h, ownWords, table, timeAgo } from "./dom.js";
import { count } from "./format.js";
import { limitNote } from "./limits.js";
import { pager } from "./pager.js";
import { actionButton, notice, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../api-keys/schemas.ts").ApiKeyList>} KeyList */
/** @typedef {import("./api.js").Answer<typeof import("../../api-keys/schemas.ts").ApiKeyWithUse>} KeyWithUse */
/** @typedef {KeyList["api_keys"][number]} Key */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const keys = {
  id: "keys",
  title: "API keys",
  group: "Settings",
  changes: false,
  isFor: () => true,
  open: (page) => {
    const { api, signal, params, go } = page;
    const offset = Number(params.get("from") ?? 0) || 0;
    const created = h("div", {});
    const list = panel({
      title: "Keys",
      signal,
      load: (signal) =>
        /** @type {Promise<KeyList>} */ (api.get("/api-keys", { query: { limit: PAGE, offset }, signal })),
      show: ({ api_keys, pagination }) => {
        const rows = api_keys.map((key) => rowOf(key, page, () => list.reload()));
        const columns = ["Name", "Begins with", "Permissions", "State", "Last used", "Change"];
        return [table("API keys", columns, rows), pager(pagination, (from) => go({ from }))];
      },
    });
    const mayCreate = page.may("agents:manage") && page.who.agent_id === undefined;
    return [...(mayCreate ? [createKey(page, created, () => list.reload())] : []), created, list.element];
  },
};

/**
 * @param {Page} page
 * @param {HTMLElement} created where the new key is shown once
 * @param {() => void} reload
 */
function createKey({ api, signal, who }, created, reload) {
  return formDialog({
    open: "Create a key",
    title: "Create an API key",
    action: "Create",
    build: () => {
      const name = h("input", { id: "key-name", required: true, maxlength: 200, autocomplete: "off" });
      const perMinute = h("input", { id: "key-rate", type: "number", min: 1, max: 1_000_000 });
      const expires = h("input", { id: "key-expires", type: "date" });
      const boxes = who.permissions.map((permission) => h("input", { type: "checkbox", value: permission }));
      const labels = boxes.map((box) => h("div", {}, h("label", {}, box, ` ${box.value}`)));
      const send = async () => {
        const requests_per_minute = Number(perMinute.value);
        const body = {
          name: name.value.trim(),
          permissions: boxes.filter((box) => box.checked).map((box) => box.value),
          ...(perMinute.value !== "" && { rate_limit: { requests_per_minute, burst_limit: requests_per_minute } }),
          ...(expires.value !== "" && { expires_at: new Date(expires.value).toISOString() }),
        };
        const { key } = await api.post("/api-keys", { body, signal });
        const secret = h("input", { id: "secret", class: "secret", readonly: true, value: key });
        created.replaceChildren(
          h("div", { class: "notice" }, field("The new key. It is shown only now: copy it.", secret)),
        );
        reload();
      };
      const fields = [
        field("Name", name),
        h("fieldset", {}, h("legend", {}, "Permissions"), ...labels),
        field("Requests a minute (the plan's limit, when empty)", perMinute),
        field("Expires on (never, when empty)", expires),
        limitNote(who, "keys"),
      ];
      return { fields, send };
    },
  });
}

/**
 * @param {Key} key
 * @param {Page} page
 * @param {() => void} reload
 */
function rowOf({ id, name, prefix, permissions, status, last_used }, page, reload) {
  const revoke = actionButton(page, {
    action: "Revoke",
    label: `Revoke ${name}`,
    done: `The key ${name} is revoked.`,
    send: () => page.api.delete(`/api-keys/${encodeURIComponent(id)}`, { signal: page.signal }),
    reload,
  });
  const action = h("div", { class: "changes" }, usage(page, id, name), status === "active" && revoke);
  return [ownWords(name), h("code", {}, prefix), permissions.join(", "), badge(status), timeAgo(last_used), action];
}

/**
 * A button that shows how much a key was used.
 * @param {Page} page
 * @param {string} id
 * @param {string} name
 */
function usage({ api, signal }, id, name) {
  const shown = h("small", { role: "status" });
  const onclick = async () => {
    try {
      /** @type {KeyWithUse} */
      const { usage_stats: use } = await api.get(`/api-keys/${encodeURIComponent(id)}`, { signal });
      shown.replaceChildren(` ${count(use.total_requests)} requests, ${count(use.failed_requests)} failed`);
    } catch (error) {
      if (!signal.aborted) shown.replaceChildren(notice(error));
    }
  };
  return h("div", {}, h("button", { type: "button", "aria-label": `Usage of ${name}`, onclick }, "Usage"), shown);
}
