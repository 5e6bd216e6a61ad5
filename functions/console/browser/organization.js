import { addressOf } from "./address.js";
import { formDialog } from "./dialog.js";
import { field, figures, h, ownName, selectOf, table } from "./dom.js";
import { count, day } from "./format.js";
import { limitTable } from "./limits.js";
import { maintenanceJobs } from "./operate.js";
import { actionButton, panel } from "./panel.js";
import { saveForm } from "./save-form.js";
import { userField } from "./user-field.js";

/** @typedef {import("./api.js").Answer<typeof import("../../api-keys/schemas.ts").Usage>} Usage */
/** @typedef {import("./api.js").Answer<typeof import("../../compat/rest/schemas.ts").CompatProject>} Project */
/** @typedef {import("./api.js").Answer<typeof import("../../users/schemas.ts").OrganizationList>} OrganizationList */
/** @typedef {OrganizationList["organizations"][number]} Organization */
/** @typedef {import("./api.js").Answer<typeof import("../../memories/schemas.ts").MemoryUserList>} UserList */
/** @typedef {NonNullable<Project["secrets_policy"]>} SecretPolicy */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;
const MAX_INSTRUCTIONS = 20_000;

/** @type {Record<SecretPolicy, string>} */
const POLICIES = {
  store: "store them as they are",
  mask: "mask them for all requests but those of their user",
  redact: "replace them before anything is stored",
  block: "refuse the text",
};
const DEFAULT_POLICY = "as the deployment does";

/** @type {Record<Organization["plan"], string>} */
const PLANS = { free: "free", pro: "pro", team: "team", enterprise: "enterprise" };

/** @type {import("./main.js").View} */
export const organization = {
  id: "settings/organization",
  title: "Organization",
  group: "Settings",
  changes: false,
  isFor: () => true,
  open: (page) => {
    const { may, who } = page;
    const isOwn = who.agent_id === undefined;
    const isAdmin = isOwn && may("admin:all");
    return [
      overview(page),
      ...(isOwn && may("memory:read") ? [projectPanel(page)] : []),
      ...(isAdmin ? [erasures(page)] : isOwn && may("memory:delete") ? [eraseUser(page, () => {})] : []),
      ...(isAdmin && who.operator ? [organizations(page)] : []),
    ];
  },
};

/**
 * Scans for secrets and erasures, with what begins one.
 * @param {Page} page
 */
function erasures(page) {
  const { element, reload } = maintenanceJobs(page, "Erasures and scans for secrets");
  element.append(h("div", { class: "changes" }, ...scan(page, reload), eraseUser(page, reload)));
  return element;
}

/**
 * The organization, its plan, and what was used of it.
 * @param {Page} page
 */
function overview({ api, signal, may, who }) {
  const { organization, plan, rate_limit: own } = who;
  return panel({
    title: "Plan and use",
    signal,
    load: (signal) => /** @type {Promise<Usage>} */ (api.get("/usage", { signal })),
    show: ({ total }) => {
      const { limit } = api;
      return [
        figures([
          ["Name", ownName(organization.label)],
          ["Plan", plan],
          limit
            ? ["Requests left now", count(limit.left), `of ${count(limit.most)} within ${limit.seconds} s`]
            : ["Requests left now", "no limit"],
          ...(own ? [keyLimit(own)] : []),
          ["Requests", count(total.api_calls), "last 30 days"],
          ["Memories stored", count(total.memories_created), "last 30 days"],
          ["Searches and recalls", count(total.searches_performed), "last 30 days"],
        ]),
        h(
          "p",
          { class: "dim" },
          may("admin:all") ? "Counts of the whole organization. " : "Your own counts. ",
          h("a", { href: addressOf("usage") }, "Show them by day"),
        ),
        limitTable(who),
        h("p", { class: "dim" }, "Id: ", h("code", {}, organization.id)),
      ];
    },
  }).element;
}

/**
 * @param {NonNullable<import("./main.js").Principal["rate_limit"]>} limit
 * @returns {[string, string, string]}
 */
function keyLimit({ requests_per_minute, burst_limit }) {
  return ["This key", count(requests_per_minute), `requests a minute, ${count(burst_limit)} at once`];
}

/** @param {Page} page */
function projectPath({ who }) {
  return `/api/v1/orgs/organizations/${encodeURIComponent(who.organization.id)}/projects/default`;
}

/**
 * Instructions, categories and what happens to secrets; a form for those who may change them.
 * @param {Page} page
 */
function projectPanel(page) {
  const { api, signal, may } = page;
  /** @returns {Promise<void>} */
  const reload = () => list.reload();
  const list = panel({
    title: "What is stored, and how",
    signal,
    load: (signal) => /** @type {Promise<Project>} */ (api.get(projectPath(page), { signal })),
    show: (project) => [
      ...(may("admin:all") ? [projectForm(page, project, reload)] : projectFigures(project)),
      ...policiesOfUsers(page, project, reload),
    ],
  });
  return list.element;
}

/** @param {Project} project */
function projectFigures({ custom_instructions, agent_custom_instructions, custom_categories, secrets_policy }) {
  const texts = [
    ["Instructions", custom_instructions],
    ["Instructions for messages of assistants", agent_custom_instructions],
    ["Categories", categoryLines(custom_categories)],
    ["Secrets in texts", secrets_policy ? POLICIES[secrets_policy] : DEFAULT_POLICY],
  ];
  return texts.flatMap(([title, text]) => [
    h("h3", {}, title),
    h("p", { class: "content", dir: "auto" }, text || "None."),
  ]);
}

/**
 * @param {Page} page
 * @param {Project} project
 * @param {() => Promise<void>} reload
 */
function projectForm(page, project, reload) {
  const { api, signal, announce } = page;
  const area = (/** @type {string} */ id, /** @type {string | null | undefined} */ text) =>
    h("textarea", { id, rows: 4, maxlength: MAX_INSTRUCTIONS, dir: "auto" }, text ?? "");
  const instructions = area("instructions", project.custom_instructions);
  const ofAgents = area("agent-instructions", project.agent_custom_instructions);
  const categories = area("categories", categoryLines(project.custom_categories));
  const policy = policySelect("secrets", project.secrets_policy, DEFAULT_POLICY);
  return saveForm({
    fields: [
      field("What to store and what not, in words", instructions),
      field("The same for messages of assistants", ofAgents),
      field("Categories to assign, one a line, such as “travel: trips and stays”", categories),
      field("Secrets in texts, such as passwords and card numbers", policy),
    ],
    action: "Save",
    send: async () => {
      const given = categoriesIn(categories.value);
      const body = {
        custom_instructions: instructions.value.trim() || null,
        agent_custom_instructions: ofAgents.value.trim() || null,
        custom_categories: given.length > 0 ? given : null,
        secrets_policy: policyOf(policy),
      };
      await api.patch(projectPath(page), { body, signal });
      announce("The settings are saved.");
      await reload();
    },
  });
}

/** @param {Project["custom_categories"]} categories */
function categoryLines(categories) {
  const named = (categories ?? []).flatMap((each) => Object.entries(each));
  return named.map(([name, about]) => (about === "" ? name : `${name}: ${about}`)).join("\n");
}

/** @param {string} lines */
function categoriesIn(lines) {
  const given = lines.split("\n").filter((line) => line.trim() !== "");
  return given.map((line) => {
    const [name = "", ...about] = line.split(":");
    return { [name.trim()]: about.join(":").trim() };
  });
}

/**
 * @param {string} id
 * @param {SecretPolicy | null | undefined} chosen
 * @param {string} [none] the choice of no policy
 */
function policySelect(id, chosen, none) {
  const policies = Object.entries(POLICIES).map(([value, meaning]) =>
    h("option", { value, selected: value === chosen }, meaning),
  );
  return h("select", { id }, none !== undefined && h("option", { value: "" }, none), ...policies);
}

/** @param {HTMLSelectElement} select */
function policyOf({ value }) {
  return value === "" ? null : /** @type {SecretPolicy} */ (value);
}

/**
 * Users whose secrets are handled in another way.
 * @param {Page} page
 * @param {Project} project
 * @param {() => Promise<void>} reload
 */
function policiesOfUsers(page, { secrets_policy_of_users }, reload) {
  const { api, signal, announce } = page;
  const policies = secrets_policy_of_users ?? [];
  const mayChange = page.may("admin:all");
  if (policies.length === 0 && !mayChange) return [];
  const save = (/** @type {typeof policies} */ changed) => {
    const body = { secrets_policy_of_users: changed.length > 0 ? changed : null };
    return api.patch(projectPath(page), { body, signal });
  };
  const rows = policies.map(({ user_id, policy }) => [
    ownName(user_id),
    POLICIES[policy],
    mayChange &&
      actionButton(page, {
        action: "Remove",
        label: `Remove the policy of ${user_id}`,
        done: `${user_id} has the organization's policy again.`,
        send: () => save(policies.filter((each) => each.user_id !== user_id)),
        reload,
      }),
  ]);
  const add = formDialog({
    open: "Set another policy for a user",
    title: "Policy for the secrets of a user",
    action: "Set",
    build: () => {
      const { input: user, fields } = userField(page, { id: "policy-user", label: "User", value: "", required: true });
      const policy = policySelect("policy", undefined);
      const send = async () => {
        const user_id = user.value.trim();
        const others = policies.filter((each) => each.user_id !== user_id);
        await save([...others, { user_id, policy: policyOf(policy) ?? "store" }]);
        announce(`The policy of ${user_id} is set.`);
        await reload();
      };
      return { fields: [...fields, field("Secrets in texts", policy)], send };
    },
  });
  return [
    h("h3", {}, "Users with another policy for secrets"),
    policies.length === 0
      ? h("p", {}, "None.")
      : table("Policies of users", ["User", "Secrets in texts", ...(mayChange ? ["Change"] : [])], rows),
    ...(mayChange ? [add] : []),
  ];
}

/**
 * Applies the policies to what is stored already, or counts what that would change.
 * @param {Page} page
 * @param {() => unknown} reload
 */
function scan(page, reload) {
  const { api, signal, announce } = page;
  const send = (/** @type {boolean} */ dry_run) => api.post("/admin/secrets/scan", { body: { dry_run }, signal });
  const counted = actionButton(page, {
    action: "Count secrets in what is stored",
    done: "The count is on its way.",
    send: () => send(true),
    reload,
  });
  const applied = formDialog({
    open: "Apply the policies to what is stored",
    title: "Apply the policies to what is stored",
    action: "Apply",
    build: () => ({
      fields: [h("p", { class: "effect" }, "Memories with secrets are changed as the policies say. Count them first.")],
      send: async () => {
        await send(false);
        announce("The policies are being applied.");
        reload();
      },
    }),
  });
  return [counted, applied];
}

/**
 * @param {Page} page
 * @param {() => unknown} reload
 */
function eraseUser(page, reload) {
  const { api, signal, announce, may } = page;
  return formDialog({
    open: "Erase a user",
    title: "Erase all data of a user",
    action: "Erase for ever",
    build: () => {
      const { input: user, fields } = userField(page, { id: "erased", label: "User", value: "", required: true });
      const effect = h("p", { class: "effect", role: "status" }, "Nothing of it can be restored.");
      const tell = async () => {
        const id = user.value.trim();
        try {
          /** @type {UserList} */
          const { users } = await api.get("/users", { query: { q: id, limit: PAGE }, signal });
          const known = users.find((each) => each.id === id);
          if (user.value.trim() !== id) return;
          effect.textContent = known
            ? `${count(known.memories)} memories and ${count(known.facts)} facts are erased. Nothing of it can be restored.`
            : "No memory is stored under this user. Sessions and documents are erased, too.";
        } catch {
          if (!signal.aborted) effect.textContent = "What is stored cannot be counted now.";
        }
      };
      if (may("memory:read")) user.addEventListener("change", () => void tell());
      const send = async () => {
        const id = user.value.trim();
        await api.delete(`/profiles/${encodeURIComponent(id)}`, { query: { erase: "true" }, signal });
        announce(`All data of ${id} is being erased.`);
        reload();
      };
      return { fields: [...fields, effect], send };
    },
  });
}

/**
 * All organizations of the deployment, for its operator.
 * @param {Page} page
 */
function organizations(page) {
  const { api, signal } = page;
  /** @returns {Promise<void>} */
  const reload = () => list.reload();
  const list = panel({
    title: "Organizations of the deployment",
    signal,
    load: (signal) =>
      /** @type {Promise<OrganizationList>} */ (api.get("/admin/organizations", { query: { limit: PAGE }, signal })),
    show: ({ organizations, pagination }) => [
      table(
        "Organizations, newest first",
        ["Name", "Plan", "Created", "Change"],
        organizations.map((each) => [
          h("span", {}, ownName(each.name), each.operator && h("small", {}, " operator")),
          each.plan,
          day(each.created_at),
          h("div", { class: "changes" }, planDialog(page, each, reload), eraseDialog(page, each, reload)),
        ]),
      ),
      ...(pagination.total > organizations.length
        ? [h("p", { class: "dim" }, `The newest ${count(organizations.length)} of ${count(pagination.total)}.`)]
        : []),
    ],
  });
  return list.element;
}

/**
 * @param {Page} page
 * @param {Organization} organization
 * @param {() => Promise<void>} reload
 */
function planDialog({ api, signal, announce }, { id, name, plan }, reload) {
  return formDialog({
    open: "Plan",
    label: `Plan of ${name}`,
    title: `Plan of ${name}`,
    action: "Set the plan",
    build: () => {
      const chosen = selectOf("plan", Object.values(PLANS), plan);
      const send = async () => {
        await api.put("/admin/organizations", { body: { organization_id: id, plan: chosen.value }, signal });
        announce(`${name} has the plan ${chosen.value}.`);
        await reload();
      };
      return { fields: [field("Plan", chosen)], send };
    },
  });
}

/**
 * @param {Page} page
 * @param {Organization} organization
 * @param {() => Promise<void>} reload
 */
function eraseDialog({ api, signal, announce, who }, { id, name }, reload) {
  if (id === who.organization.id) return "";
  return formDialog({
    open: "Erase",
    label: `Erase ${name}`,
    title: `Erase ${name} with all its data`,
    action: "Erase for ever",
    build: () => {
      const typed = h("input", { id: "erased-name", required: true, autocomplete: "off" });
      const reason = h("input", { id: "erased-why", required: true, autocomplete: "off" });
      const matches = () => typed.setCustomValidity(typed.value === name ? "" : `Type ${name}.`);
      typed.addEventListener("input", matches);
      matches();
      const send = async () => {
        const body = { organization_id: id, confirm: true, reason: reason.value.trim() };
        await api.delete("/admin/organizations", { body, signal });
        announce(`${name} is being erased.`);
        await reload();
      };
      const fields = [
        h("p", { class: "effect" }, "Its keys and members lose access at once. Nothing of it can be restored."),
        field("Its name, to confirm", typed),
        field("Reason, for the audit log", reason),
      ];
      return { fields, send };
    },
  });
}
