import { badge, h, ownWords, table, timeAgo } from "./dom.js";
import { amount, count, words } from "./format.js";
import { pager } from "./pager.js";
import { actionButton, panel } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../skills/schemas.ts").SkillList>} SkillList */
/** @typedef {import("./api.js").Answer<typeof import("../../skills/schemas.ts").ReviewList>} ReviewList */
/** @typedef {ReviewList["reviews"][number]} Review */
/** @typedef {import("./main.js").Page} Page */

const PAGE = 20;

/** @type {import("./main.js").View} */
export const skills = {
  id: "skills",
  title: "Skills",
  group: "Agents",
  changes: true,
  isFor: ({ permissions }) => permissions.includes("skills:read"),
  open: (page) => {
    const list = skillList(page);
    return [reviewList(page, list.reload), list.element];
  },
};

/** @param {Page} page */
function skillList({ api, signal, params, go }) {
  const offset = Number(params.get("from") ?? 0) || 0;
  return panel({
    title: "All skills",
    signal,
    load: (signal) =>
      /** @type {Promise<SkillList>} */ (api.get("/skills", { query: { limit: PAGE, offset }, signal })),
    show: ({ skills, pagination }) => {
      if (skills.length === 0) return [h("p", {}, "No skill is stored.")];
      const rows = skills.map(({ name, trigger, domain, confidence, usage_count, verified }) => [
        ownWords(name),
        ownWords(trigger),
        domain ?? "",
        amount(confidence),
        count(usage_count),
        badge(verified ? "verified" : "not verified"),
      ]);
      const columns = ["Name", "Trigger", "Domain", "Confidence", "Used", "State"];
      return [table("Skills, most used first", columns, rows), pager(pagination, (from) => go({ from }))];
    },
  });
}

/**
 * @param {Page} page
 * @param {() => Promise<void>} onDecided
 */
function reviewList(page, onDecided) {
  const { api, signal } = page;
  const list = panel({
    title: "Waiting for a review",
    signal,
    load: (signal) => /** @type {Promise<ReviewList>} */ (api.get("/reviews", { query: { limit: PAGE }, signal })),
    show: ({ reviews, pagination }) => {
      if (reviews.length === 0) return [h("p", {}, "No skill waits for a review.")];
      const reload = async () => {
        await Promise.all([list.reload(), onDecided()]);
      };
      const rows = reviews.map((review) => [
        ownWords(review.skill.name),
        ownWords(review.skill.trigger),
        ownWords(review.skill.action),
        words(review.reason),
        timeAgo(review.created_at),
        page.may("skills:manage") ? decisions(page, review, reload) : "",
      ]);
      const columns = ["Name", "Trigger", "Action", "Reason", "Since", "Decide"];
      return [table(`${count(pagination.total)} skills to judge`, columns, rows)];
    },
  });
  return list.element;
}

/**
 * @param {Page} page
 * @param {Review} review
 * @param {() => Promise<void>} reload
 */
function decisions(page, { id, skill }, reload) {
  const decide = (/** @type {boolean} */ approved) =>
    page.api.post(`/reviews/${encodeURIComponent(id)}`, { body: { approved }, signal: page.signal });
  const button = (/** @type {string} */ action, /** @type {boolean} */ approved, /** @type {string} */ done) =>
    actionButton(page, { action, label: `${action} ${skill.name}`, done, send: () => decide(approved), reload });
  return h(
    "div",
    { class: "changes" },
    button("Approve", true, `${skill.name} is verified.`),
    button("Reject", false, `${skill.name} is rejected.`),
  );
}
