import { askForm } from "./ask-form.js";
import { formDialog } from "./dialog.js";
import { badge, field, h, ownName, ownWords, table, timeAgo } from "./dom.js";
import { count, words } from "./format.js";
import { limitNote } from "./limits.js";
import { pager } from "./pager.js";
import { actionButton, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../sources/schemas.ts").SourceList>} SourceList */
/** @typedef {import("./api.js").Answer<typeof import("../../connections/schemas.ts").ConnectionList>} ConnectionList */
/** @typedef {ConnectionList["connections"][number]} Connection */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const sources = {
  id: "sources",
  title: "Documents",
  group: "Memory",
  changes: true,
  isFor: ({ permissions, agent_id }) => permissions.includes("memory:read") && agent_id === undefined,
  open: (page) => {
    const { api, signal, params, go, may } = page;
    const offset = Number(params.get("from") ?? 0) || 0;
    const list = panel({
      title: "Documents",
      signal,
      load: (signal) =>
        /** @type {Promise<SourceList>} */ (api.get("/sources", { query: { limit: PAGE, offset }, signal })),
      show: ({ sources, pagination }) => {
        if (sources.length === 0) return [h("p", {}, "No document is stored.")];
        const rows = sources.map(({ title, type, status, extraction, chunks_created, created_at }) => [
          ownWords(title),
          type,
          badge(extraction?.status === "no_text" ? "no text" : status),
          count(chunks_created),
          timeAgo(created_at),
        ]);
        const columns = ["Title", "Kind", "State", "Parts", "Stored"];
        return [table("Documents", columns, rows), pager(pagination, (from) => go({ from }))];
      },
    });
    const connections = connectionList(page, () => list.reload());
    const changes = may("memory:write")
      ? [
          h(
            "div",
            { class: "changes" },
            upload(page, () => list.reload()),
            connect(page, () => connections.reload()),
          ),
        ]
      : [];
    return [...askForm(page), ...changes, list.element, connections.element];
  },
};

/**
 * Where documents are fetched from.
 * @param {Page} page
 * @param {() => void} onSynced
 */
function connectionList(page, onSynced) {
  const { api, signal, may } = page;
  const list = panel({
    title: "Connections",
    signal,
    load: (signal) => /** @type {Promise<ConnectionList>} */ (api.get("/connections", { signal })),
    show: ({ connections }) => {
      if (connections.length === 0) return [h("p", {}, "Nothing is connected.")];
      const rows = connections.map((connection) => [
        words(connection.provider),
        ownName(connection.user_id ?? ""),
        stateOf(connection),
        timeAgo(connection.last_sync_at),
        may("memory:write") ? syncButton(page, connection, () => synced()) : "",
      ]);
      return [table("Connections", ["Provider", "User", "State", "Last synced", "Change"], rows)];
    },
  });
  const synced = async () => {
    await Promise.all([list.reload(), onSynced()]);
  };
  return list;
}

/**
 * @param {Page} page
 * @param {() => unknown} reload
 */
function connect({ api, signal, announce, who }, reload) {
  return formDialog({
    open: "Connect a website",
    title: "Connect a website",
    action: "Connect",
    build: () => {
      const url = h("input", { id: "site", type: "url", required: true, autocomplete: "off" });
      const user = h("input", { id: "site-user", autocomplete: "off" });
      const every = h("input", { id: "site-every", type: "number", min: 0, max: 100_000, value: 0, required: true });
      const send = async () => {
        const config = { url: url.value, sync_interval_minutes: Number(every.value) };
        const body = { config, ...(user.value.trim() !== "" && { user_id: user.value.trim() }) };
        await api.post("/connections/web_crawler", { body, signal });
        announce("The website is connected.");
        await reload();
      };
      const fields = [
        field("Address of the first page", url),
        field("User (optional)", user),
        field("Minutes between two syncs (0: only by hand)", every),
        limitNote(who, "connections"),
      ];
      return { fields, send };
    },
  });
}

/** @param {Connection} connection */
function stateOf({ status, authorization_url: href }) {
  if (href === undefined) return badge(words(status));
  return h("a", { href, rel: "noreferrer" }, "Allow access at the provider");
}

/**
 * @param {Page} page
 * @param {Connection} connection
 * @param {() => unknown} reload
 */
function syncButton(page, { id, provider }, reload) {
  return actionButton(page, {
    action: "Sync",
    label: `Sync ${words(provider)}`,
    done: "Synced.",
    send: () => page.api.post(`/connections/${encodeURIComponent(id)}/sync`, { body: {}, signal: page.signal }),
    reload,
  });
}

/**
 * @param {Page} page
 * @param {() => void} reload
 */
function upload({ api, signal, announce }, reload) {
  return formDialog({
    open: "Upload a document",
    title: "Upload a document",
    action: "Upload",
    build: () => {
      const file = h("input", { id: "file", type: "file", required: true });
      const user = h("input", { id: "file-user", autocomplete: "off" });
      const send = async () => {
        const [chosen] = file.files ?? [];
        if (!chosen) return;
        const form = new FormData();
        form.set("file", chosen);
        form.set("title", chosen.name);
        if (user.value.trim() !== "") form.set("user_id", user.value.trim());
        const { chunks_created, extraction } = await api.post("/sources/upload", { form, signal });
        announce(
          extraction?.reason ? `Stored, but ${extraction.reason}.` : `Stored in ${count(chunks_created)} parts.`,
        );
        reload();
      };
      const fields = [field("File (at most 4.5 MB)", file), field("User (optional)", user)];
      return { fields, send, onOpen: () => file.click() };
    },
  });
}
