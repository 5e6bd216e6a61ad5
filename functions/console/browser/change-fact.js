import { addressOf } from "./address.js";
import { formDialog } from "./dialog.js";
import { badge, dotted, field, h, ownName } from "./dom.js";
import { day, percent } from "./format.js";
import { heldOn, intervalOf, propertyOf, spanOf } from "./truth.js";

/** @typedef {import("./truth.js").Fact} Fact */
/** @typedef {import("./main.js").Page & { reload: () => Promise<void> }} Options */

/**
 * What a fact says, and its state.
 * @param {Fact} fact
 */
export function factHeading(fact) {
  const { value, status } = fact;
  const words = status === "retracted" ? h("s", {}, ownName(value)) : ownName(value);
  return [ownName(propertyOf(fact)), ": ", words, " ", badge(status)];
}

/**
 * The sentence, source and confidence of a fact, and what can be done about it.
 * @param {Fact} fact
 * @param {Fact[]} facts all of the person, or of the property
 * @param {Options} options
 */
export function factDetails(fact, facts, options) {
  const { observed_at, confidence, content, memory_id } = fact;
  return [
    h("blockquote", { dir: "auto" }, content),
    h(
      "p",
      { class: "dim" },
      ...dotted([
        spanOf(fact),
        `said ${day(observed_at)}`,
        `${percent(Math.round(confidence * 100))} confident`,
        h("a", { href: addressOf("memories", { open: memory_id }) }, "Open the memory"),
      ]),
    ),
    ...(options.may("memory:write") ? [changes(fact, facts, options)] : []),
  ];
}

/**
 * @param {Fact} fact
 * @param {Fact[]} facts
 * @param {Options} options
 */
function changes(fact, facts, options) {
  const isOver = fact.status === "retracted" || fact.status === "superseded";
  const decide = isOver
    ? decision(fact, options, {
        action: "Restore",
        path: "restore",
        says: `“${fact.value}” holds again from ${day(fact.valid_from)} on.`,
        done: "The fact holds again.",
      })
    : decision(fact, options, {
        action: "Retract",
        path: "retract",
        says: `“${fact.value}” was never true. ${afterRetracting(fact, facts)}`,
        done: "The fact is retracted: it was never true.",
      });
  return h("div", { class: "changes" }, correction(fact, options), decide);
}

/**
 * What holds instead of a fact that is retracted: what it replaced, or what else is stated.
 * @param {Fact} fact
 * @param {Fact[]} facts
 */
function afterRetracting(fact, facts) {
  const { start } = intervalOf(fact);
  const others = facts.filter(({ id, subject, attribute }) => {
    return id !== fact.id && subject === fact.subject && attribute === fact.attribute;
  });
  const former = others.find(({ id }) => id === fact.supersedes);
  if (former) return `“${former.value}”, which it replaced, holds again from ${day(fact.valid_from)} on.`;
  const held = heldOn(others, new Date(start).toISOString().slice(0, 10));
  const values = [...new Set(held.map(({ value }) => `“${value}”`))];
  return values.length === 0
    ? `Nothing is then known about “${propertyOf(fact)}”.`
    : `What remains is ${values.join(", ")}.`;
}

/**
 * A button that says what will change before it does.
 * @param {Fact} fact
 * @param {Options} options
 * @param {{ action: string, path: string, says: string, done: string }} texts
 */
function decision(fact, { api, signal, announce, reload }, { action, path, says, done }) {
  return formDialog({
    open: action,
    label: `${action} ${fact.attribute}, ${fact.value}`,
    title: `${action} ${propertyOf(fact)}`,
    action,
    build: () => ({
      fields: [h("p", { class: "effect" }, says)],
      send: async () => {
        await api.post(`/facts/${encodeURIComponent(fact.id)}/${path}`, { version: fact.version, signal });
        announce(done);
        await reload();
      },
    }),
  });
}

/**
 * @param {Fact} fact
 * @param {Options} options
 */
function correction(fact, { api, signal, announce, reload }) {
  const { id, attribute, value, version, valid_from, valid_to } = fact;
  return formDialog({
    open: "Correct",
    label: `Correct ${attribute}, ${value}`,
    title: `Correct ${propertyOf(fact)}`,
    action: "Save",
    build: () => {
      const corrected = h("input", { id: "corrected", required: true, autocomplete: "off", value, dir: "auto" });
      const from = h("input", { id: "corrected-from", type: "date" });
      const until = h("input", { id: "corrected-until", type: "date" });
      const effect = h("p", { class: "effect", role: "status" });
      const tell = () => {
        const end = until.value || valid_to;
        const wanted = corrected.value.trim();
        const instead = wanted === value ? "" : `, instead of “${value}”`;
        const to = end === undefined ? "on" : `until ${day(end)}`;
        effect.replaceChildren(`“${wanted}” holds from ${day(from.value || valid_from)} ${to}${instead}.`);
      };
      for (const input of [corrected, from, until]) input.addEventListener("input", tell);
      tell();
      const send = async () => {
        const body = {
          value: corrected.value.trim(),
          ...(from.value !== "" && { valid_from: from.value }),
          ...(until.value !== "" && { valid_to: until.value }),
        };
        await api.put(`/facts/${encodeURIComponent(id)}`, { body, version, signal });
        announce("The fact is corrected.");
        await reload();
      };
      const fields = [
        field("Value", corrected),
        field("Valid from (unchanged, when empty)", from),
        field("Valid until (unchanged, when empty)", until),
        effect,
      ];
      return { fields, send };
    },
  });
}
