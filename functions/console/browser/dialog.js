import { h } from "./dom.js";
import { sendBy } from "./panel.js";

/**
 * A button that opens a dialog with a form. The dialog closes when the form was sent; an error is shown in it.
 * @param {object} options
 * @param {string} options.open the label of the button
 * @param {string} [options.label] what it is about, for a button that is one of many
 * @param {string} options.title
 * @param {string} options.action the label of the button that sends the form
 * @param {() => { fields: Node[], send: () => Promise<void>, onOpen?: () => void }} options.build creates the fields each time it opens
 */
export function formDialog({ open, label, title, action, build }) {
  const onclick = () => {
    const { fields, send, onOpen } = build();
    const problem = h("div", {});
    const sending = h("button", { type: "submit", class: "main" }, action);
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (await sendBy(sending, problem, send)) dialog.close();
    };
    const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
    const form = h("form", { onsubmit }, ...fields, problem, h("div", { class: "pager" }, sending, cancel));
    const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() }, h("h2", {}, title), form);
    button.after(dialog);
    dialog.showModal();
    onOpen?.();
  };
  const button = h("button", { type: "button", "aria-label": label, "aria-haspopup": "dialog", onclick }, open);
  return h("div", { class: "action" }, button);
}
