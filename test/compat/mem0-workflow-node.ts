import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { type Access, runChecks, soon } from "./checks.ts";

type Item = { json: Record<string, unknown> };
type Parameters = Record<string, unknown>;
interface RequestOptions {
  method: string;
  url: string;
  body?: unknown;
  qs: Record<string, string>;
}
interface WorkflowNode {
  execute(): Promise<[Item[]]>;
}

/** mem0's node for n8n, run as n8n does: its operations by their parameters, one item each. */
export async function runWorkflowNode(folder: string, access: Access) {
  const path = resolve(folder);
  const { n8n } = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
  const { Mem0 } = createRequire(join(path, "package.json"))(join(path, n8n.nodes[0]));
  const run = async (parameters: Parameters) => {
    const [items] = await (new Mem0() as WorkflowNode).execute.call(workflowOf(access, parameters));
    return items.map(({ json }) => json);
  };
  const add = (content: string, more: Parameters = {}) =>
    run({ operation: "add", "messages.message": [{ role: "user", content }], userId: "ann", ...more });
  const list = () => run({ operation: "getAll", userId: "ann", returnAll: true, pageSize: 1 });
  return runChecks({
    "add waits for what was stored": async () => {
      assert.match(JSON.stringify(await add("I am allergic to peanuts.")), /peanut/i);
    },
    "add without inference": async () => {
      const [stored] = await add("Ann plays the cello.", { addFields: { infer: false } });
      assert.equal(stored?.memory, "Ann plays the cello.");
    },
    "getAll reads page by page": async () => void (await soon(list, (all) => all.length === 2)),
    "search finds": async () => {
      const [best] = await run({ operation: "search", query: "cello", userId: "ann", limit: 50 });
      assert.equal(best?.memory, "Ann plays the cello.");
    },
    "get, update and delete": async () => {
      const memoryId = (await run({ operation: "search", query: "cello", userId: "ann", limit: 1 }))[0]?.id;
      await run({ operation: "update", memoryId, text: "Ann plays the viola." });
      assert.equal((await run({ operation: "get", memoryId }))[0]?.memory, "Ann plays the viola.");
      await run({ operation: "delete", memoryId });
      await soon(list, (all) => all.length === 1);
    },
  });
}

/** What n8n gives a node while it runs. */
function workflowOf({ host, apiKey }: Access, parameters: Parameters) {
  const defaults = { addFields: {}, waitForCompletion: true };
  const given: Parameters = { ...defaults, ...parameters };
  return {
    getInputData: () => [{ json: {} }],
    getCredentials: async () => ({ apiKey, baseUrl: host }),
    getNodeParameter: (name: string, _item: number, fallback: unknown) => given[name] ?? fallback,
    getNode: () => ({ name: "Mem0", type: "mem0" }),
    continueOnFail: () => false,
    helpers: {
      async httpRequestWithAuthentication(_credentials: string, { method, url, body, qs }: RequestOptions) {
        const response = await fetch(`${url}?${new URLSearchParams(qs)}`, {
          method,
          headers: { authorization: `Token ${apiKey}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        assert(response.ok, `${method} ${url}: ${response.status}`);
        return response.json();
      },
    },
  };
}
