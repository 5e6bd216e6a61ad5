import { formDialog } from "./dialog.js";
import { badge, field, h, ownWords, table } from "./dom.js";
import { count, when } from "./format.js";
import { pager } from "./pager.js";
import { panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../sources/schemas.ts").SourceList>} SourceList */

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
        const rows = sources.map(({ title, type, status, chunks_created, created_at }) => [
          ownWords(title),
          type,
          badge(status),
          count(chunks_created),
          when(created_at),
        ]);
        const columns = ["Title", "Kind", "State", "Parts", "Stored"];
        return [table("Sources", columns, rows), pager(pagination, (from) => go({ from }))];
      },
    });
    return [...(may("memory:write") ? [upload(page, () => list.reload())] : []), list.element];
  },
};

/**
 * @param {import("./main.js").Page} page
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
        const { chunks_created } = await api.post("/sources/upload", { form, signal });
        announce(`Stored in ${count(chunks_created)} parts.`);
        reload();
      };
      return { fields: [field("File (at most 4.5 MB)", file), field("User (optional)", user)], send };
    },
  });
}
