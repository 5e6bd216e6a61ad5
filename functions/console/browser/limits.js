import { h, table } from "./dom.js";
import { count } from "./format.js";

/** @typedef {import("./main.js").Principal} Principal */
/** @typedef {keyof Principal["limits"]} Kind */

/** @type {Record<Kind, string>} */
const NAMES = {
  keys: "active API keys",
  users: "members",
  invitations: "open invitations",
  agents: "agents",
  groups: "groups of agents",
  skills: "skills",
  chains: "chains of skills",
  webhooks: "webhooks",
  connections: "connections",
  entities: "entities",
};
const KINDS = /** @type {Kind[]} */ (Object.keys(NAMES));

/**
 * The most of some kinds that the organization may have: where one is made.
 * @param {Principal} who
 * @param {Kind[]} kinds
 */
export function limitNote({ plan, limits }, ...kinds) {
  const most = kinds.map((kind) => `${count(limits[kind])} ${NAMES[kind]}`).join(" and ");
  return h("p", { class: "dim" }, `The organization may have ${most} (plan ${plan}).`);
}

/**
 * The most of all kinds.
 * @param {Principal} who
 */
export function limitTable({ plan, limits }) {
  const rows = KINDS.map((kind) => [NAMES[kind], count(limits[kind])]);
  const title = `What the plan ${plan} allows at once`;
  return h("details", {}, h("summary", {}, title), table(title, ["Kind", "At most"], rows));
}
