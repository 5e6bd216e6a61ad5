import { createHash } from "node:crypto";
import * as z from "zod";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./password-rules.ts";

/** A page that a mailed link opens: one form that posts its fields and the link's token to the page's own path. */
export interface FormPage {
  title: string;
  /** HTML. */
  fields: string;
  /** The label of the button. */
  action: string;
  /** The message after the form was accepted. */
  done: string;
}

/** Parameters of the page; its script reads the token if the link carries it in the query. */
export const FormPageQuery = z.object({ token: z.string().optional() });

/** An input for a new password. */
export function passwordField(name: string, label: string): string {
  return `<p><label>${label}<br>
<input name="${name}" type="password" autocomplete="new-password" required
 minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"></label></p>`;
}

const STYLE = `:root { color-scheme: light dark; }
body { margin: 10vh auto; max-width: 26rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
input:not([type=checkbox]), button { width: 100%; padding: .5rem; font: inherit; box-sizing: border-box; }`;

/** Links carry the token after `#`, which browsers do not send, or in the query, which clients may post to. */
const SCRIPT = `const [form, output] = [document.querySelector("form"), document.querySelector("output")];
const token = new URLSearchParams(location.hash.slice(1) || location.search).get("token") ?? "";
history.replaceState(null, "", location.pathname);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const boxes = [...form.querySelectorAll("[type=checkbox]")].map(({ name, checked }) => [name, checked]);
  const fields = Object.fromEntries([...new FormData(form), ...boxes]);
  const body = JSON.stringify({ ...fields, token });
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(location.pathname, { method: "POST", headers, body });
    output.value = answer.ok ? form.dataset.done : (await answer.json()).error.message;
    form.hidden = answer.ok;
  } catch {
    output.value = "The service does not answer. Try again.";
  }
});`;

function hashOf(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

/** Allows only the page's own script, which may call only this service. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page as a response. It contains no token: the browser keeps the token and removes it from the address. */
export function showForm({ title, fields, action, done }: FormPage): Response {
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
  };
  return new Response(html, { headers });
}
