import { createHash } from "node:crypto";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../shared/identity/password-rules.ts";

/** A page with one form, which posts its fields and the link's token to the page's own path. */
interface Page {
  title: string;
  fields: string;
  action: string;
  done: string;
}

export const VERIFY: Page = {
  title: "Confirm your e-mail address",
  fields: "",
  action: "This address is mine",
  done: "Thank you. Your address is confirmed.",
};

const password = (name: string, label: string) => `<p><label>${label}<br>
<input name="${name}" type="password" autocomplete="new-password" required
 minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"></label></p>`;

export const RESET: Page = {
  title: "Choose a new password",
  fields: password("new_password", "New password") + password("confirm_password", "Once more"),
  action: "Change the password",
  done: "Your password is changed, and every session has ended. Sign in with the new one.",
};

const STYLE = `:root { color-scheme: light dark; }
body { margin: 10vh auto; max-width: 26rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
input, button { width: 100%; padding: .5rem; font: inherit; box-sizing: border-box; }`;

const SCRIPT = `const [form, told] = [document.querySelector("form"), document.querySelector("output")];
const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
history.replaceState(null, "", location.pathname);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ ...Object.fromEntries(new FormData(form)), token });
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(location.pathname, { method: "POST", headers, body });
    told.value = answer.ok ? form.dataset.done : (await answer.json()).error.message;
    form.hidden = answer.ok;
  } catch {
    told.value = "The service does not answer. Try again.";
  }
});`;

function hashOf(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

/** Nothing runs but the page's own script, which may speak to this service alone. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page as an answer. It holds no token: the browser keeps that, and drops it from the address. */
export function show({ title, fields, action, done }: Page): Response {
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<main><h1>${title}</h1>
<form data-done="${done}">${fields}<p><button>${action}</button></p></form>
<output role="status"></output>
<noscript>This page needs JavaScript.</noscript></main>
<script>${SCRIPT}</script></html>
`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
  return new Response(html, { headers });
}
