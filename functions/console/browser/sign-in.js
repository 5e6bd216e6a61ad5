import { Api } from "./api.js";
import { field, h } from "./dom.js";
import { notice } from "./panel.js";
import { openSession } from "./session.js";
import { finishSocialSignIn, isReturning, providerButtons } from "./social.js";

/** @typedef {import("./session.js").Credential} Credential */
/** @typedef {import("./api.js").Answer<typeof import("../../auth/schemas.ts").LoginAnswer>} LoginAnswer */

/**
 * Forms that ask for a key, or for an address and a password, and continue once the service accepts them.
 * @param {{ message?: string | undefined, onCredential: (credential: Credential) => void }} options
 */
export function signInForm({ message, onCredential }) {
  const problem = h("div", {}, message !== undefined && h("p", { class: "notice", role: "alert" }, message));
  const password = passwordForm(problem, onCredential);
  const ways = h("div", { class: "ways" }, keyForm(problem, onCredential), password);
  if (isReturning()) void finish({ problem, form: password, onCredential });
  return h(
    "div",
    { class: "sign-in" },
    h("h1", { tabindex: -1 }, "Sign in"),
    problem,
    ways,
    providerButtons(problem),
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
    await accept(answer, { problem, form, onCredential });
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

/** @typedef {{ problem: HTMLElement, form: HTMLElement, onCredential: (credential: Credential) => void }} Place where a sign-in goes on */

/**
 * Opens the session of a sign-in, or asks for its second factor in place of the form.
 * @param {LoginAnswer | import("./social.js").Finished} answer
 * @param {Place} place
 */
async function accept(answer, { problem, form, onCredential }) {
  if ("access_token" in answer) return onCredential(await openSession(answer));
  const next = codeForm({ problem, challenge_token: answer.challenge_token, onCredential });
  problem.replaceChildren();
  form.replaceWith(next);
  next.querySelector("input")?.focus();
}

/**
 * Goes on with a sign-in that a provider has sent the browser back from.
 * @param {Place} place
 */
async function finish(place) {
  try {
    const finished = await finishSocialSignIn();
    if (finished) return await accept(finished, place);
    place.problem.replaceChildren(
      h("p", { class: "notice", role: "alert" }, "This tab began no such sign-in. Start again."),
    );
  } catch (error) {
    place.problem.replaceChildren(notice(error));
  }
}

/**
 * Asks for the second factor of a sign-in.
 * @param {object} options
 * @param {HTMLElement} options.problem
 * @param {string} options.challenge_token
 * @param {(credential: Credential) => void} options.onCredential
 */
function codeForm({ problem, challenge_token, onCredential }) {
  const api = new Api(undefined, () => {});
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
