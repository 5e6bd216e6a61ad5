import assert from "node:assert/strict";
import { type Checks, soon } from "./checks.ts";

/** Sends a request below the client's host, with the key in X-API-Key. */
export type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

interface Memory {
  id: string;
  memory: string;
  metadata: Record<string, unknown> | null;
  created_at: string;
}

/** The requests that clients of a self-hosted mem0 make, in their order and form, with what each client reads of the answers. */
export const SELF_HOSTED_CLIENTS: Record<string, (send: Send) => Checks> = {
  /** NousResearch/hermes-agent, plugins/memory/mem0/_backend.py (SelfHostedBackend) at 0458572d7d9c1e0ce0ae926631af11df6e72f40a. */
  "Hermes Agent": (given) => {
    const send = wellAnswered(given);
    const names = { user_id: "ann", agent_id: "hermes" };
    const search = () => send("POST", "/search", { query: "tabs or spaces?", top_k: 10, filters: { user_id: "ann" } });
    let id = "";
    return {
      "add a fact as it is": async () => {
        const messages = [{ role: "user", content: "I prefer tabs over spaces." }];
        await send("POST", "/memories", { messages, ...names, infer: false, metadata: { source: "hermes" } });
        const [found] = await soon(async () => resultsOf(await search()), hasOne);
        assert.equal(found?.memory, "I prefer tabs over spaces.");
        assert.deepEqual(found?.metadata, { source: "hermes" });
        id = found?.id ?? "";
      },
      "add a conversation": async () => {
        const messages = [
          { role: "user", content: "I work as a nurse in Boston." },
          { role: "assistant", content: "Noted, thank you!" },
        ];
        await send("POST", "/memories", { messages, ...names, infer: true });
        const query = { query: "Where does she work?", top_k: 10, filters: { user_id: "ann" } };
        await soon(
          async () => JSON.stringify(await send("POST", "/search", query)),
          (text) => text.includes("nurse"),
        );
      },
      "update and delete": async () => {
        await send("PUT", `/memories/${id}`, { text: "I prefer spaces." });
        await soon(search, (answer) => JSON.stringify(answer).includes("I prefer spaces."));
        await send("DELETE", `/memories/${id}`);
        await soon(search, (answer) => !JSON.stringify(answer).includes(id));
      },
    };
  },

  /**
   * kallbuloso/n8n-nodes-mem0-self, src/nodes/Mem0/Mem0.node.ts and Mem0Memory.node.ts at
   * f08f64723c71286ad833483cbcdae39fc9cd70dd. mem0's own node for n8n speaks to the platform: see mem0-workflow-node.ts.
   */
  "n8n-nodes-mem0-self": (given) => {
    const send = wellAnswered(given);
    const names = { user_id: "ben", agent_id: "n8n" };
    const scope = { ...names, run_id: "chat-1", app_id: "shop" };
    return {
      "store an interaction and search it": async () => {
        const messages = [
          { role: "user", content: "My favourite tea is Assam." },
          { role: "assistant", content: "Assam is a good choice." },
        ];
        await send("POST", "/memories", { ...names, infer: true, messages, metadata: { source: "n8n_safe_profile" } });
        const query = { query: "Which tea?", ...names, top_k: 10, rerank: false, fields: ["memory", "score"] };
        await soon(
          async () => JSON.stringify(await send("POST", "/search", query)),
          (text) => text.includes("Assam"),
        );
      },
      "keep a chat, also what is said twice": async () => {
        const said = [
          ["user", "Is the blue tin empty?"],
          ["assistant", "Yes."],
          ["user", "And the red tin?"],
          ["assistant", "Yes."],
        ];
        for (const [role, content] of said) {
          const metadata = { source: "n8n_mem0_chat_memory", channel: "chat", memory_type: "conversational", role };
          await send("POST", "/memories", { messages: [{ role, content }], infer: false, metadata, ...scope });
        }
        const listed = await soon(
          async () => resultsOf(await send("GET", `/memories?${new URLSearchParams(scope)}`)),
          (memories) => memories.length === said.length,
        );
        // The list begins with the newest, also of those of one millisecond.
        const oldestFirst = listed.toReversed();
        const inOrder = oldestFirst.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
        assert.deepEqual(
          inOrder.map(({ metadata, memory }) => [metadata?.role, memory]),
          said,
        );
      },
    };
  },
};

function wellAnswered(send: Send): (...call: Parameters<Send>) => Promise<unknown> {
  return async (...call) => {
    const { status, body } = await send(...call);
    assert(status === 200, `${call.slice(0, 2).join(" ")} answers ${status}: ${JSON.stringify(body)}`);
    return body;
  };
}

function resultsOf(answer: unknown): Memory[] {
  return (answer as { results: Memory[] }).results;
}

function hasOne(memories: Memory[]): boolean {
  return memories.length === 1;
}
