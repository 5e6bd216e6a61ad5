import { formDialog } from "./dialog.js";
import { field, h } from "./dom.js";
import { notice } from "./panel.js";

/** @typedef {import("./main.js").Page} Page */
/** @typedef {import("./memories.js").WholeMemory} WholeMemory */

/**
 * A button that opens a form for a new memory.
 * @param {Page} page
 * @param {string} user_id the suggested user
 * @param {() => void} onAdded
 */
export function addMemory({ api, signal, announce }, user_id, onAdded) {
  return formDialog({
    open: "Add a memory",
    title: "Add a memory",
    action: "Remember",
    build: () => {
      const content = h("textarea", { id: "new-content", rows: 4, required: true, maxlength: 100_000, dir: "auto" });
      const user = h("input", { id: "new-user", autocomplete: "off", value: user_id });
      const category = h("input", { id: "new-category", autocomplete: "off" });
      const occurred = h("input", { id: "new-occurred", type: "datetime-local" });
      const fields = [
        field("What is to be remembered", content),
        field("User", user),
        field("Category (optional)", category),
        field("When it happened (now, when empty)", occurred),
      ];
      const send = async () => {
        const body = {
          content: content.value,
          ...given({ user_id: user.value.trim(), category: category.value.trim() }),
          ...(occurred.value !== "" && { occurred_at: new Date(occurred.value).toISOString() }),
        };
        const { facts } = await api.post("/memories", { body, signal });
        announce(`Remembered, with ${facts.length} statements.`);
        onAdded();
      };
      return { fields, send };
    },
  });
}

/**
 * @param {WholeMemory} memory
 * @param {Page & { onOpen: (id: string) => void, reload: () => void }} page
 */
export function deleteButton(memory, { api, signal, may, announce, onOpen, reload }) {
  const problem = h("div", {});
  const path = `/memories/${encodeURIComponent(memory.id)}`;
  const undo = async () => {
    const { content, user_id, category, type, metadata, occurred_at, expire_at } = memory;
    const body = { content, metadata, ...given({ user_id, category, type, occurred_at, expire_at }) };
    await api.post("/memories", { body });
    announce("Remembered again, under a new id.");
    reload();
  };
  const onclick = async () => {
    try {
      // What was shown is deleted, and not what another has made of it.
      await api.delete(path, { version: memory.version, signal });
      const button = h("button", { type: "button", onclick: undo }, "Undo");
      onOpen("");
      announce("The memory is deleted. ", may("memory:write") ? button : undefined);
      reload();
    } catch (error) {
      if (!signal.aborted) problem.replaceChildren(notice(error));
    }
  };
  return h("div", {}, h("button", { type: "button", onclick }, "Delete this memory"), problem);
}

/**
 * Without the fields that are empty.
 * @param {Record<string, string | undefined>} fields
 */
function given(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));
}
