import { Api } from "./api.js";
import { field, h } from "./dom.js";
import { notice } from "./panel.js";

/**
 * A form that asks for a key and continues once the service accepts it.
 * @param {{ message?: string | undefined, onKey: (key: string) => void }} options
 */
export function signInForm({ message, onKey }) {
  const input = h("input", {
    id: "api-key",
    type: "password",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "kept",
  });
  const problem = h("div", {}, message !== undefined && h("p", { class: "notice", role: "alert" }, message));
  const button = h("button", { type: "submit" }, "Sign in");
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const key = input.value.trim();
    button.disabled = true;
    try {
      await new Api(key, () => {}).get("/status");
      onKey(key);
    } catch (error) {
      problem.replaceChildren(notice(error));
      input.focus();
    } finally {
      button.disabled = false;
    }
  };
  return h(
    "form",
    { class: "sign-in", onsubmit },
    h("h1", { tabindex: -1 }, "Sign in"),
    problem,
    field("API key", input),
    h(
      "p",
      { id: "kept", class: "dim" },
      "The key is stored only in the session storage of this tab. Signing out or closing the tab deletes it.",
    ),
    button,
  );
}
