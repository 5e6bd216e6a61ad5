import { formDialog } from "./dialog.js";
import { badge, field, figures, h, ownName, ownWords, svg, table, timeAgo } from "./dom.js";
import { count, day } from "./format.js";
import { pager } from "./pager.js";
import { actionButton, notice, panel } from "./panel.js";
import { saveForm } from "./save-form.js";

/** @typedef {import("./api.js").Answer<typeof import("../../auth/schemas.ts").OwnUser>} OwnUser */
/** @typedef {import("./api.js").Answer<typeof import("../../auth/schemas.ts").SecondFactorOffer>} Offer */
/** @typedef {import("./api.js").Answer<typeof import("../../auth/schemas.ts").SecondFactorEnabled>} Enabled */
/** @typedef {import("./api.js").Answer<typeof import("../../oauth/schemas.ts").GrantList>} GrantList */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;
const MIN_PASSWORD = 12;

/** @type {import("./main.js").View} */
export const account = {
  id: "account",
  title: "Account",
  group: "Settings",
  changes: false,
  isFor: ({ kind }) => kind === "user",
  open: (page) => {
    const { api, signal } = page;
    const own = panel({
      title: "You",
      signal,
      load: (signal) => /** @type {Promise<OwnUser>} */ (api.get("/auth/me", { signal })),
      show: (user) => [
        ownFigures(user),
        h("div", { class: "changes" }, changePassword(page), endAll(page)),
        secondFactor(page, user),
      ],
    });
    return [own.element, grants(page)];
  },
};

/** @param {OwnUser} user */
function ownFigures({ name, email, email_verified, organization, roles, security, created_at }) {
  return figures([
    ["Name", ownName(name)],
    ["E-mail address", ownName(email), email_verified ? "verified" : "not verified"],
    ["Organization", ownName(organization)],
    ["Role", roles.join(", ")],
    ["Last sign-in", timeAgo(security.last_login), `${count(security.login_count)} in all`],
    ["Since", day(created_at)],
  ]);
}

/** @param {Page} page */
function changePassword({ api, signal, signOut }) {
  return formDialog({
    open: "Change the password",
    title: "Change the password",
    action: "Change",
    build: () => {
      const passwordOf = (/** @type {string} */ id, /** @type {string} */ autocomplete, minlength = 1) =>
        h("input", { id, type: "password", required: true, autocomplete, minlength });
      const current = passwordOf("current-password", "current-password");
      const chosen = passwordOf("new-password", "new-password", MIN_PASSWORD);
      const again = passwordOf("new-password-again", "new-password");
      const send = async () => {
        const body = {
          current_password: current.value,
          new_password: chosen.value,
          confirm_password: again.value,
        };
        await api.post("/auth/change-password", { body, signal });
        signOut("The password is changed, and all sessions have ended. Sign in with the new one.");
      };
      const fields = [
        h("p", { class: "effect" }, "All your sessions end, this one too."),
        field("Current password", current),
        field(`New password, of ${MIN_PASSWORD} characters or more`, chosen),
        field("New password again", again),
      ];
      return { fields, send };
    },
  });
}

/** @param {Page} page */
function endAll({ api, signal, signOut }) {
  return formDialog({
    open: "Sign out everywhere",
    title: "Sign out everywhere",
    action: "End all sessions",
    build: () => ({
      fields: [h("p", { class: "effect" }, "All your sessions end, in this browser and in others.")],
      send: async () => {
        await api.post("/auth/logout", { body: { all_sessions: true }, signal });
        signOut("All your sessions have ended.");
      },
    }),
  });
}

/**
 * @param {Page} page
 * @param {OwnUser} user
 */
function secondFactor(page, { security }) {
  const { api, signal } = page;
  const content = h("div", {});
  if (security.two_factor_enabled) content.append(disable(page));
  else {
    const onclick = async () => {
      button.disabled = true;
      try {
        /** @type {Offer} */
        const offer = await api.post("/auth/2fa/setup", { signal });
        content.replaceChildren(...offered(page, offer, content));
        /** @type {HTMLElement | null} */ (content.querySelector("#first-code"))?.focus();
      } catch (error) {
        button.disabled = false;
        if (!signal.aborted) content.append(notice(error));
      }
    };
    const button = h("button", { type: "button", onclick }, "Set up a second factor");
    content.append(button);
  }
  const state = security.two_factor_enabled ? badge("active") : h("span", { class: "dim" }, "off");
  return h("div", {}, h("h3", {}, "Second factor: ", state), content);
}

/**
 * The secret for an authenticator app: as a picture, as a link for an app on this machine, and to type.
 * @param {Page} page
 * @param {Offer} offer
 * @param {HTMLElement} content where the recovery codes are shown
 */
function offered({ api, signal, signOut }, { secret, otpauth_url, qr_svg }, content) {
  const code = h("input", { id: "first-code", required: true, autocomplete: "one-time-code", inputmode: "numeric" });
  const typed = h("input", { id: "secret", class: "secret", readonly: true, value: inFours(secret) });
  const form = saveForm({
    fields: [
      field("Secret to type, where the app takes no picture", typed),
      h("p", {}, h("a", { href: otpauth_url }, "Open in an app of this device")),
      field("Code that the app shows", code),
      h("p", { class: "effect" }, "All your sessions end, this one too."),
    ],
    action: "Turn it on",
    send: async () => {
      /** @type {Enabled} */
      const { recovery_codes } = await api.post("/auth/2fa/enable", { body: { otp: code.value }, signal });
      const onclick = () => signOut("The second factor is on. Sign in with it.");
      const codes = h(
        "pre",
        { id: "recovery-codes", tabindex: 0, "aria-label": "Recovery codes" },
        recovery_codes.join("\n"),
      );
      content.replaceChildren(
        h(
          "p",
          { class: "notice", role: "status" },
          "It is on. Each of these codes works once, instead of the app. They are shown only now: keep them.",
        ),
        codes,
        h("button", { type: "button", class: "main", onclick }, "I have kept them"),
      );
      codes.focus();
    },
  });
  return [h("div", { class: "offer" }, qrCode(qr_svg), form)];
}

/** @param {string} secret */
function inFours(secret) {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

/**
 * Draws the picture of the service from its only path: the page's policy lets no text become markup.
 * @param {string} picture
 */
function qrCode(picture) {
  const [, viewBox] = /viewBox="([\d ]+)"/.exec(picture) ?? [];
  const [, d] = /<path d="([^"]+)"/.exec(picture) ?? [];
  if (viewBox === undefined || d === undefined) return "";
  return svg("svg", { viewBox, class: "qr", role: "img", "aria-label": "QR code of the secret" }, svg("path", { d }));
}

/** @param {Page} page */
function disable({ api, signal, signOut }) {
  return formDialog({
    open: "Turn the second factor off",
    title: "Turn the second factor off",
    action: "Turn it off",
    build: () => {
      const password = h("input", {
        id: "password",
        type: "password",
        required: true,
        autocomplete: "current-password",
      });
      const code = h("input", { id: "code", required: true, autocomplete: "one-time-code" });
      const send = async () => {
        const body = { password: password.value, otp: code.value.trim() };
        await api.post("/auth/2fa/disable", { body, signal });
        signOut("The second factor is off, and all sessions have ended. Sign in again.");
      };
      const fields = [
        h("p", { class: "effect" }, "All your sessions end, this one too."),
        field("Password", password),
        field("Code of the authenticator app, or a recovery code", code),
      ];
      return { fields, send };
    },
  });
}

/**
 * Clients that act for the user by OAuth.
 * @param {Page} page
 */
function grants(page) {
  const { api, signal, params, go } = page;
  const offset = Number(params.get("from") ?? 0) || 0;
  /** @returns {Promise<void>} */
  const reload = () => list.reload();
  const list = panel({
    title: "Clients that act for you",
    signal,
    load: (signal) =>
      /** @type {Promise<GrantList>} */ (api.get("/oauth/grants", { query: { limit: PAGE, offset }, signal })),
    show: ({ grants, pagination }) => {
      if (grants.length === 0) return [h("p", {}, "You have allowed no client to act for you.")];
      const rows = grants.map(({ id, client, scopes, memory_user, created_at, renewed_at }) => [
        ownWords(client.name),
        scopes.join(", "),
        memory_user === undefined ? "all" : ownName(memory_user),
        day(created_at),
        timeAgo(renewed_at),
        actionButton(page, {
          action: "End",
          label: `End the access of ${client.name}`,
          done: `${client.name} has no access any more.`,
          send: () => api.delete(`/oauth/grants/${encodeURIComponent(id)}`, { signal }),
          reload,
        }),
      ]);
      const columns = ["Client", "May", "Memories of", "Allowed", "Last used", "Change"];
      return [table("Clients, newest first", columns, rows), pager(pagination, (from) => go({ from }))];
    },
  });
  return list.element;
}
