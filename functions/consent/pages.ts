import { type InlinePage, showInlinePage } from "../../shared/domain/identity/inline-page.ts";

/** The sign-in form of both pages, hidden until it is needed. */
const SIGN_IN = `<form id="sign-in" hidden><p><label>E-mail address<br>
<input name="email" type="email" autocomplete="username" required></label></p>
<p><label>Password<br><input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button>Sign in</button></p><p id="providers"></p></form>
<form id="second-factor" hidden><p><label>Code of your authenticator app, or a recovery code<br>
<input name="code" autocomplete="one-time-code" required></label></p><p><button>Continue</button></p></form>`;

const OUTPUT = '<output role="status"></output>';

/** Texts are set as text, never as HTML: names of clients are chosen by strangers. */
const COMMON_SCRIPT = `const find = (id) => document.getElementById(id);
const output = document.querySelector("output");
let session;
async function send(method, path, body, headers = {}) {
  const csrf = session ? { "X-CSRF-Token": session.csrf_token } : {};
  const sent = { "Content-Type": "application/json", ...csrf, ...headers };
  const answer = await fetch(path, method === "GET" ? { headers } : { method, headers: sent, body: JSON.stringify(body) });
  const { data, error } = await answer.json();
  if (answer.ok) return data;
  throw Object.assign(new Error(error.message), error);
}
function show(error) {
  output.value = error.code ? error.message : "The service does not answer. Try again.";
}
function onSubmit(id, act) {
  find(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    output.value = "";
    const { submitter } = event;
    await act(Object.fromEntries(new FormData(event.target)), submitter && submitter.value).catch(show);
  });
}
function only(id) {
  for (const each of document.querySelectorAll("main > form, main > section")) each.hidden = each.id !== id;
}
async function readSession(next) {
  session = await send("GET", "../auth/session").catch(() => undefined);
  if (!session) return only("sign-in");
  find("email").textContent = session.user.email;
  await next();
}
const KEY = "memory-sign-in";
const PROVIDER_NAMES = { google: "Google", github: "GitHub" };
async function signInWith(provider) {
  const state = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
  sessionStorage.setItem(KEY, JSON.stringify({ provider, state, back: location.href }));
  const redirect_uri = new URL("connected", location.origin + location.pathname).href;
  const path = "../auth/" + provider + "?" + new URLSearchParams({ redirect_uri, state });
  location.assign((await send("GET", path)).authorization_url);
}
async function offerProviders() {
  const { providers } = await send("GET", "../auth/providers");
  for (const name of providers) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.textContent = "Sign in with " + PROVIDER_NAMES[name];
    button.addEventListener("click", () => signInWith(name).catch(show));
    find("providers").append(button);
  }
}
/** A sign-in that another window began could be an attacker's: its tokens are dropped. */
async function finishSignIn() {
  const { search } = location;
  const { provider, state, back } = JSON.parse(sessionStorage.getItem(KEY) || "{}");
  sessionStorage.removeItem(KEY);
  history.replaceState(null, "", location.pathname);
  const outcome = provider && (await send("GET", "../auth/" + provider + "/callback" + search));
  if (outcome && outcome.state === state) return { outcome, back };
  throw Object.assign(new Error("This window did not begin the sign-in. Start again at the client."), { code: "STATE" });
}
function openWith(next, returned) {
  let challenge;
  const opened = async (outcome) => {
    if (outcome.two_factor_required) {
      challenge = outcome.challenge_token;
      return only("second-factor");
    }
    await send("POST", "../auth/session", {}, { Authorization: "Bearer " + outcome.access_token });
    await readSession(next);
    if (!session) output.value = "The browser did not keep the session. Open this page over HTTPS.";
  };
  onSubmit("sign-in", async (fields) => opened(await send("POST", "../auth/login", fields)));
  onSubmit("second-factor", async ({ code }) => {
    const given = /^[\\d\\s]+$/.test(code) ? { otp: code } : { recovery_code: code };
    await opened(await send("POST", "../auth/2fa/verify", { challenge_token: challenge, ...given }));
  });
  offerProviders().catch(show);
  find("sign-out").addEventListener("click", async () => {
    await send("DELETE", "../auth/session", {}).catch(show);
    session = undefined;
    only("sign-in");
  });
  return (returned ? opened(returned) : readSession(next)).catch(show);
}`;

const SIGNED_IN = '<p>Signed in as <b id="email"></b>.</p>';
const SIGN_OUT = '<p><button type="button" id="sign-out">Sign out</button></p>';

const CONSENT: InlinePage = {
  title: "Connect to your memory",
  main: `<p id="who"></p>
${SIGN_IN}
<form id="consent" hidden>
${SIGNED_IN}
<p>The client asks for:</p><ul id="scopes"></ul>
<fieldset><legend>It may</legend>
<p><label><input type="radio" name="access" value="read" checked> only read memories</label></p>
<p><label><input type="radio" name="access" value="write"> read and change memories</label></p></fieldset>
<fieldset id="whose"><legend>Whose memories</legend>
<p><label><input type="radio" name="whose" value="one" checked> those of one user (user_id)</label>
<input name="memory_user" aria-label="user_id" maxlength="256"></p>
<p><label><input type="radio" name="whose" value="all"> those of the whole project</label></p></fieldset>
<p><button value="approve">Allow</button></p><p><button value="deny">Deny</button></p>
${SIGN_OUT}
</form>
${OUTPUT}
<p><a id="back" rel="noreferrer" hidden>Return to the client</a></p>`,
  script: `${COMMON_SCRIPT}
const parameters = new URLSearchParams(location.search);
const names = ["client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "scope", "state", "resource"];
const request = Object.fromEntries(names.flatMap((name) => (parameters.has(name) ? [[name, parameters.get(name)]] : [])));
const refuse = (error) => {
  show(error);
  only("");
  const { redirect_to } = error.details || {};
  if (redirect_to) Object.assign(find("back"), { href: redirect_to, hidden: false });
};
const showConsent = () => {
  find("consent").elements.memory_user.value ||= session.user.id;
  only("consent");
};
onSubmit("consent", async ({ access, whose, memory_user }, decision) => {
  const limit = find("whose").hidden || whose !== "one" ? {} : { memory_user };
  const body = { ...request, ...limit, access, approve: decision === "approve" };
  const { redirect_to } = await send("POST", "consent", body);
  only("");
  output.value = "Done. You may close this window.";
  location.assign(redirect_to);
});
send("POST", "authorization", request).then(({ client, scopes, may_be_limited_to_user }) => {
  const vouched = client.host ? "of " + client.host : "that calls itself so";
  find("who").textContent = "“" + client.name + "” (a client " + vouched + ") wants to use this memory service. " +
    "Afterwards your browser goes to " + client.redirect_host + ". Allow it only if you have just started this.";
  for (const scope of scopes) find("scopes").append(Object.assign(document.createElement("li"), { textContent: scope }));
  find("whose").hidden = !may_be_limited_to_user;
  return openWith(showConsent);
}).catch(refuse);`,
};

const GRANTS: InlinePage = {
  title: "Connected clients",
  main: `${SIGN_IN}
<section id="grants" hidden>
${SIGNED_IN}
<ul id="list"></ul>
<p id="none" hidden>No client is connected.</p>
${SIGN_OUT}
</section>
${OUTPUT}`,
  script: `${COMMON_SCRIPT}
const lineOf = ({ id, client, scopes, memory_user, created_at }) => {
  const whose = memory_user ? "memories of " + memory_user : "the whole project";
  const text = client.name + ", since " + created_at.slice(0, 10) + ": " + whose + "; " + scopes.join(", ") + " ";
  const line = Object.assign(document.createElement("li"), { textContent: text });
  const end = Object.assign(document.createElement("button"), { textContent: "End" });
  end.addEventListener("click", () => send("DELETE", "grants/" + id, {}).then(showGrants).catch(show));
  line.append(end);
  return line;
};
const showGrants = async () => {
  const { grants } = await send("GET", "grants?limit=100");
  find("list").replaceChildren(...grants.map(lineOf));
  find("none").hidden = grants.length > 0;
  only("grants");
};
const isReturning = ["code", "error"].some((name) => new URLSearchParams(location.search).has(name));
if (isReturning) {
  finishSignIn().then(({ outcome, back }) => openWith(() => location.replace(back), outcome)).catch(show);
} else openWith(showGrants);`,
};

/** The page of an authorization request. Its script reads the parameters; the page is the same for all requests. */
export function showConsentPage(): Response {
  return showInlinePage(CONSENT);
}

export function showGrantsPage(): Response {
  return showInlinePage(GRANTS);
}
