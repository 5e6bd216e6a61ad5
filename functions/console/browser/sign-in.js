import { Api } from "./api.js";
import { field, h } from "./dom.js";
import { notice, sendBy } from "./panel.js";
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
    if (!(await sendBy(button, problem, send))) inputs[0]?.focus();
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
    const given = { email: email.value, password: password.value };
    /** @type {LoginAnswer} */
    const answer = await api.post("/auth/login", { body: given });
    await accept(answer, { problem, form, onCredential, given });
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
 * Where a sign-in goes on; `given`: what was typed, unless a provider answers for the person.
 * @typedef {object} Place
 * @property {HTMLElement} problem
 * @property {HTMLElement} form
 * @property {(credential: Credential) => void} onCredential
 * @property {{ email: string, password: string }} [given]
 */

/**
 * Opens the session of a sign-in, or asks in place of the form for its second factor, or for a password of one's own.
 * @param {LoginAnswer | import("./social.js").Finished} answer
 * @param {Place} place
 */
async function accept(answer, place) {
  const isSignedIn = "access_token" in answer;
  if (isSignedIn && !answer.password_change_required) return place.onCredential(await openSession(answer));
  const next = isSignedIn ? newPasswordForm(answer, place) : codeForm(answer.challenge_token, place);
  place.problem.replaceChildren();
  place.form.replaceWith(next);
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
 * @param {string} challenge_token
 * @param {Place} place
 */
function codeForm(challenge_token, place) {
  const api = new Api(undefined, () => {});
  const code = h("input", { id: "code", required: true, autocomplete: "one-time-code", spellcheck: "false" });
  const send = async () => {
    const typed = code.value.replaceAll(/\s/g, "");
    const proof = /^\d{6}$/.test(typed) ? { otp: typed } : { recovery_code: code.value.trim() };
    /** @type {LoginAnswer} */
    const answer = await api.post("/auth/2fa/verify", { body: { challenge_token, ...proof } });
    await accept(answer, { ...place, form });
  };
  const form = credentialForm({
    title: "Second factor",
    problem: place.problem,
    inputs: [code],
    fields: [field("Code of the authenticator app, or a recovery code", code)],
    action: "Verify",
    send,
  });
  return form;
}

/**
 * Asks for a new password instead of a temporary one, and signs in with it: the change ends all sessions.
 * @param {{ access_token: string, refresh_token: string }} tokens
 * @param {Place} place
 */
function newPasswordForm(tokens, place) {
  const passwordInput = (/** @type {string} */ id, /** @type {string} */ autocomplete) =>
    h("input", { id, type: "password", required: true, autocomplete });
  const current = passwordInput("current-password", "current-password");
  const [chosen, again] = [
    passwordInput("new-password", "new-password"),
    passwordInput("new-password-again", "new-password"),
  ];
  const isKnown = place.given !== undefined;
  const send = async () => {
    const body = {
      current_password: place.given?.password ?? current.value,
      new_password: chosen.value,
      confirm_password: again.value,
    };
    await new Api(tokens, () => {}).post("/auth/change-password", { body });
    if (place.given === undefined) {
      form.replaceChildren(h("p", { role: "status" }, "The password is changed. Sign in again."));
      return;
    }
    const given = { email: place.given.email, password: chosen.value };
    /** @type {LoginAnswer} */
    const answer = await new Api(undefined, () => {}).post("/auth/login", { body: given });
    await accept(answer, { ...place, form, given });
  };
  const form = credentialForm({
    title: "Choose a password",
    problem: place.problem,
    inputs: isKnown ? [chosen, again] : [current, chosen, again],
    fields: [
      h("p", {}, "Your password was temporary. Choose your own, of 12 characters or more."),
      ...(isKnown ? [] : [field("Temporary password", current)]),
      field("New password", chosen),
      field("New password again", again),
    ],
    action: "Set the password",
    send,
  });
  return form;
}
