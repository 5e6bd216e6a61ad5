import { badge, h, ownWords, table, timeAgo } from "./dom.js";
import { count } from "./format.js";
import { pager } from "./pager.js";
import { actionButton, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../agents/schemas.ts").AgentList>} AgentList */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const agents = {
  id: "agents",
  title: "Agents",
  group: "Agents",
  changes: true,
  isFor: ({ permissions }) => permissions.includes("agents:read"),
  open: (page) => {
    const { api, signal, params, go } = page;
    const offset = Number(params.get("from") ?? 0) || 0;
    const list = panel({
      title: "All agents",
      signal,
      load: (signal) =>
        /** @type {Promise<AgentList>} */ (api.get("/agents", { query: { limit: PAGE, offset }, signal })),
      show: ({ agents, pagination }) => {
        if (agents.length === 0) return [h("p", {}, "No agent is stored.")];
        const mayChange = page.may("agents:write") && page.who.agent_id === undefined;
        const rows = agents.map((agent) => [
          ownWords(agent.name),
          ownWords(agent.model),
          agent.department ?? "",
          badge(agent.status),
          count(agent.skill_count),
          agent.memory_enabled ? "yes" : "no",
          timeAgo(agent.updated_at),
          mayChange ? pausing(page, agent, () => list.reload()) : "",
        ]);
        const columns = ["Name", "Model", "Department", "State", "Skills", "Memory", "Changed", "Change"];
        return [table("Agents, newest first", columns, rows), pager(pagination, (from) => go({ from }))];
      },
    });
    return [list.element];
  },
};

/**
 * @param {Page} page
 * @param {AgentList["agents"][number]} agent
 * @param {() => void} reload
 */
function pausing({ api, signal, announce }, { id, name, status, version }, reload) {
  const isActive = status === "active";
  const [action, to] = isActive ? ["Pause", "paused"] : ["Activate", "active"];
  const send = () => api.put(`/agents/${encodeURIComponent(id)}`, { body: { status: to }, version, signal });
  return actionButton(
    { signal, announce },
    { action, label: `${action} ${name}`, done: `${name} is ${to}.`, send, reload },
  );
}
