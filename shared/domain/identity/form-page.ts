import * as z from "zod";
import { showInlinePage } from "./inline-page.ts";
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
  /** The console, where people sign in, relative to the page's path. */
  console: string;
}

/** Parameters of the page; its script reads the token if the link carries it in the query. */
export const FormPageQuery = z.object({ token: z.string().optional() });

/** An input for a new password. */
export function passwordField(name: string, label: string): string {
  return `<p><label>${label}<br>
<input name="${name}" type="password" autocomplete="new-password" required
 minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}"></label></p>`;
}

/** Links carry the token after `#`, which browsers do not send, or in the query, which clients may post to. */
const SCRIPT = `const [form, output, next] = ["form", "output", "a"].map((name) => document.querySelector(name));
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
    next.hidden = !answer.ok;
  } catch {
    output.value = "The service does not answer. Try again.";
  }
});`;

/** The page as a response. It contains no token: the browser keeps the token and removes it from the address. */
export function showForm({ title, fields, action, done, console }: FormPage): Response {
  const main = `<form data-done="${done}">${fields}<p><button>${action}</button></p></form>
<output role="status"></output>
<p><a href="${console}" hidden>Sign in</a></p>`;
  return showInlinePage({ title, main, script: SCRIPT });
}
