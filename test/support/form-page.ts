import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { Mail } from "../../shared/ports/mailer.ts";
import type { Service } from "./service.ts";

/** Returns the link in a mail. */
export function linkIn(mail: Mail | undefined): URL {
  return new URL(mail?.text.match(/https?:\S+/)?.[0] ?? "");
}

/**
 * Opens a link as a browser would, submits its form with these fields, and returns the message shown. "on" ticks a box.
 */
export async function submitForm(
  service: Service,
  link: URL,
  fields: Record<string, string>,
): Promise<{ told: string; isHidden: boolean }> {
  const { status, body: html } = await service.request("GET", link.pathname, { key: null });
  expect(status).toBe(200);
  const script = html.match(/<script>(.*)<\/script>/s)[1];
  const told = { value: "" };
  const listeners: ((event: object) => Promise<void>)[] = [];
  const form = {
    dataset: { done: html.match(/data-done="([^"]*)"/)[1] },
    hidden: false,
    addEventListener: (_name: string, listener: (event: object) => Promise<void>) => listeners.push(listener),
    querySelectorAll: () =>
      [...html.matchAll(/name="(\w+)" type="checkbox"/g)].map(([, name]) => ({ name, checked: fields[name] === "on" })),
  };
  runInNewContext(script, {
    document: { querySelector: (name: string) => (name === "form" ? form : told) },
    location: link,
    history: { replaceState: () => {} },
    URLSearchParams,
    FormData: class extends Map<string, string> {
      constructor() {
        super(Object.entries(fields));
      }
    },
    fetch: async (path: string, { body }: { body: string }) => {
      const answer = await service.request("POST", path, { key: null, body: JSON.parse(body) });
      return { ok: answer.status < 300, json: async () => answer.body };
    },
  });
  for (const submitted of listeners) await submitted({ preventDefault: () => {} });
  return { told: told.value, isHidden: form.hidden };
}
