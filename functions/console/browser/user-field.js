import { field, h } from "./dom.js";

/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").MemoryUserList>} UserList */

const SUGGESTED = 8;

/**
 * A field for a user, which suggests those whose id begins with what is typed.
 * @param {import("./main.js").Page} page
 * @param {{ id: string, label: string, value: string, required?: boolean }} options
 * @returns {{ input: HTMLInputElement, fields: Node[] }}
 */
export function userField({ api, signal, may, who, announce }, { id, label, value, required }) {
  const names = h("datalist", { id: `${id}-names` });
  const input = h("input", { id, autocomplete: "off", list: names.id, value, required });
  let asking = new AbortController();
  const suggest = async () => {
    asking.abort();
    asking = new AbortController();
    const own = AbortSignal.any([signal, asking.signal]);
    try {
      const query = { q: input.value.trim(), limit: SUGGESTED };
      /** @type {UserList} */
      const { users } = await api.get("/users", { query, signal: own });
      names.replaceChildren(...users.map((user) => h("option", { value: user.id })));
    } catch {
      if (!own.aborted) announce("Users cannot be suggested now. Type the whole id.");
    }
  };
  if (may("memory:read") && who.agent_id === undefined) input.addEventListener("input", () => void suggest());
  return { input, fields: [field(label, input), names] };
}
