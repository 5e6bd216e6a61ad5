import { Api } from "./api.js";
import { field, h } from "./dom.js";
import { notice } from "./panel.js";
import { openSession } from "./session.js";

/** @typedef {import("./session.js").Credential} Credential */
/** @typedef {import("./api.js").Answer<typeof import("../../auth/schemas.ts").LoginAnswer>} LoginAnswer */

/**
 * Forms that ask for a key, or for an address and a password, and continue once the service accepts them.
 * @param {{ message?: string | undefined, onCredential: (credential: Credential) => void }} options
 */
export function signInForm({ message, onCredential }) {
  const problem = h("div", {}, message !== undefined && h("p", { class: "notice", role: "alert" }, message));
  const ways = h("div", { class: "ways" }, keyForm(problem, onCredential), passwordForm(problem, onCredential));
  return h(
    "div",
    { class: "sign-in" },
    h("h1", { tabindex: -1 }, "Sign in"),
    problem,
    ways,
    h(
      "p",
      { id: "kept", class: "dim" },
      "A key is kept in the memory of this page only, so that Reload asks for it again. A password opens a session of this browser, for 12 hours or until you sign out.",
    ),
  );
}

/**
 * A form that sends one request at a time and shows why one failed.
 * @param {object} options
 * @param {string} options.title
 * @param {HTMLElement} options.problem
 * @param {HTMLInputElement[]} options.inputs
 * @param {Node[]} options.fields
 * @param {string} options.action
 * @param {() => Promise<void>} options.send
 */
function credentialForm({ title, problem, inputs, fields, action, send }) {
  const button = h("button", { type: "submit" }, action);
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await send();
    } catch (error) {
      problem.replaceChildren(notice(error));
      inputs[0]?.focus();
    } finally {
      button.disabled = false;
    }
  };
  return h("form", { onsubmit }, h("h2", {}, title), ...fields, button);
}

/**
 * @param {HTMLElement} problem
 * @param {(credential: Credential) => void} onCredential
 */
function keyForm(problem, onCredential) {
  const input = h("input", {
    id: "api-key",
    type: "password",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "kept",
  });
  const send = async () => {
    const key = input.value.trim();
    await new Api({ key }, () => {}).get("/whoami");
    onCredential({ key });
  };
  return credentialForm({
    title: "With an API key",
    problem,
    inputs: [input],
    fields: [field("API key", input)],
    action: "Sign in",
    send,
  });
}

/**
 * @param {HTMLElement} problem
 * @param {(credential: Credential) => void} onCredential
 */
function passwordForm(problem, onCredential) {
  const api = new Api(undefined, () => {});
  const email = h("input", { id: "email", type: "email", required: true, autocomplete: "username" });
  const password = h("input", { id: "password", type: "password", required: true, autocomplete: "current-password" });
  const sent = h("p", { role: "status" });
  const forgot = async () => {
    if (!email.reportValidity()) return;
    try {
      await api.post("/auth/forgot-password", { body: { email: email.value } });
      sent.replaceChildren("If the address has an account, a mail with a link is on its way.");
    } catch (error) {
      problem.replaceChildren(notice(error));
    }
  };
  const send = async () => {
    /** @type {LoginAnswer} */
    const answer = await api.post("/auth/login", { body: { email: email.value, password: password.value } });
    if ("access_token" in answer) return onCredential(await openSession(answer));
    const next = codeForm({ api, problem, challenge_token: answer.challenge_token, onCredential });
    problem.replaceChildren();
    form.replaceWith(next);
    next.querySelector("input")?.focus();
  };
  const form = credentialForm({
    title: "With e-mail and password",
    problem,
    inputs: [email],
    fields: [field("E-mail address", email), field("Password", password), sent],
    action: "Sign in with password",
    send,
  });
  form.append(h("button", { type: "button", class: "plain", onclick: forgot }, "Forgot the password"));
  return form;
}

/**
 * Asks for the second factor of a sign-in.
 * @param {object} options
 * @param {Api} options.api
 * @param {HTMLElement} options.problem
 * @param {string} options.challenge_token
 * @param {(credential: Credential) => void} options.onCredential
 */
function codeForm({ api, problem, challenge_token, onCredential }) {
  const code = h("input", { id: "code", required: true, autocomplete: "one-time-code", spellcheck: "false" });
  const send = async () => {
    const typed = code.value.replaceAll(/\s/g, "");
    const proof = /^\d{6}$/.test(typed) ? { otp: typed } : { recovery_code: code.value.trim() };
    onCredential(await openSession(await api.post("/auth/2fa/verify", { body: { challenge_token, ...proof } })));
  };
  return credentialForm({
    title: "Second factor",
    problem,
    inputs: [code],
    fields: [field("Code of the authenticator app, or a recovery code", code)],
    action: "Verify",
    send,
  });
}
