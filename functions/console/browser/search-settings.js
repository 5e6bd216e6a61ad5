import { field, figures, h } from "./dom.js";
import { amount, count, words } from "./format.js";
import { panel } from "./panel.js";
import { saveForm } from "./save-form.js";

/** @typedef {import("./api.js").Answer<typeof import("../../search/schemas.ts").SearchConfig>} SearchConfig */
/** @typedef {import("./api.js").Answer<typeof import("../../compression/schemas.ts").CompressionModeInForce>} Mode */
/** @typedef {SearchConfig["default_settings"] & { timeout_ms: number }} Settings */
/** @typedef {import("./main.js").Page} Page */

/** @type {Record<keyof Settings, string>} */
const NAMES = {
  limit: "Results of a search",
  threshold: "Minimum score, 0 to 1",
  max_hops: "Hops of activation",
  decay_factor: "Share of activation that stays after a hop",
  semantic_weight: "Weight of meaning, 0 to 1",
  keyword_weight: "Weight of words, 0 to 1",
  timeout_ms: "Time limit of a search, in ms",
};
/** Settings that are whole numbers. */
const WHOLE = ["limit", "max_hops", "timeout_ms"];

/** @type {Record<Mode["mode"], string>} */
const MODES = {
  extract: "nearly every word that informs is kept",
  balanced: "asides are dropped",
  aggressive: "only the gist is kept",
};

/** @type {Record<keyof Mode["settings"], string>} */
const STEPS = {
  extraction_enabled: "Facts are extracted",
  compression_enabled: "Texts are compressed",
  verification_enabled: "Uncertain results are verified",
  complexity_threshold: "Minimum complexity of a text that is verified",
  max_iterations: "Maximum extractions of a text",
  confidence_threshold: "Results below this confidence are uncertain",
};

/** @type {import("./main.js").View} */
export const searchSettings = {
  id: "settings/search",
  title: "Search settings",
  group: "Settings",
  changes: false,
  isFor: ({ permissions }) => permissions.includes("search:read"),
  open: (page) => {
    const { may, who } = page;
    return [defaults(page), ...(may("memory:read") && who.agent_id === undefined ? [compression(page)] : [])];
  },
};

/** Settings are those of the whole deployment. @param {Page} page */
function mayChange({ may, who }) {
  return who.operator && who.agent_id === undefined && may("admin:all");
}

/** @param {Page} page */
function defaults(page) {
  const { api, signal } = page;
  /** @returns {Promise<void>} */
  const reload = () => list.reload();
  const list = panel({
    title: "Defaults of searches",
    signal,
    load: (signal) => /** @type {Promise<SearchConfig>} */ (api.get("/search/config", { signal })),
    show: ({ default_settings, limits }) => {
      const settings = { ...default_settings, timeout_ms: limits.timeout_ms };
      return [
        h("p", {}, "They hold for all organizations of the deployment, where a request says nothing else."),
        ...(mayChange(page) ? [settingsForm(page, settings, reload)] : [settingsFigures(settings)]),
        h(
          "p",
          { class: "dim" },
          `A page has at most ${count(limits.max_results)} results, and a query ${count(limits.max_query_length)} characters.`,
        ),
      ];
    },
  });
  return list.element;
}

/** @param {Settings} settings */
function settingsFigures(settings) {
  const names = /** @type {[keyof Settings, string][]} */ (Object.entries(NAMES));
  return figures(names.map(([name, meaning]) => [meaning, amount(settings[name])]));
}

/**
 * @param {Page} page
 * @param {Settings} settings
 * @param {() => Promise<void>} reload
 */
function settingsForm({ api, signal, announce }, settings, reload) {
  const names = /** @type {[keyof Settings, string][]} */ (Object.entries(NAMES));
  const inputs = names.map(([name]) =>
    h("input", {
      id: name,
      type: "number",
      min: 0,
      step: WHOLE.includes(name) ? 1 : "any",
      required: true,
      value: settings[name],
    }),
  );
  return saveForm({
    fields: [
      h(
        "div",
        { class: "settings-row" },
        ...names.map(([, meaning], index) => field(meaning, /** @type {HTMLInputElement} */ (inputs[index]))),
      ),
    ],
    action: "Save for the deployment",
    send: async () => {
      const changed = inputs.map(({ id, value }) => [id, Number(value)]);
      await api.put("/search/config", { body: { settings: Object.fromEntries(changed) }, signal });
      announce("The defaults of searches are saved.");
      await reload();
    },
  });
}

/** @param {Page} page */
function compression(page) {
  const { api, signal } = page;
  /** @returns {Promise<void>} */
  const reload = () => list.reload();
  const list = panel({
    title: "Compression",
    signal,
    load: (signal) => /** @type {Promise<Mode>} */ (api.get("/compression/mode", { signal })),
    show: (mode) => [
      ...(mayChange(page) ? [modeForm(page, mode, reload)] : [h("p", {}, `${words(mode.mode)}: ${MODES[mode.mode]}.`)]),
      stepFigures(mode),
    ],
  });
  return list.element;
}

/** @param {Mode} mode */
function stepFigures({ settings, providers, performance }) {
  const steps = /** @type {[keyof Mode["settings"], string][]} */ (Object.entries(STEPS));
  return figures([
    ...steps.map(([name, meaning]) => /** @type {[string, string]} */ ([meaning, told(settings[name])])),
    ["Read by", providers.fast.model, providers.fast.provider],
    ["Verified by", providers.verify.model, providers.verify.provider],
    ["95 % of texts within", amount(performance?.p95_processing_time_ms, "ms")],
  ]);
}

/** @param {boolean | number} value */
function told(value) {
  return typeof value === "number" ? amount(value) : value ? "yes" : "no";
}

/**
 * @param {Page} page
 * @param {Mode} mode
 * @param {() => Promise<void>} reload
 */
function modeForm({ api, signal, announce }, { mode }, reload) {
  const options = Object.entries(MODES).map(([value, meaning]) =>
    h("option", { value, selected: value === mode }, `${value}: ${meaning}`),
  );
  const chosen = h("select", { id: "mode" }, ...options);
  return saveForm({
    fields: [field("Compression of new texts", chosen)],
    action: "Set the mode for the deployment",
    send: async () => {
      await api.put("/compression/mode", { body: { mode: chosen.value }, signal });
      announce(`The compression mode is ${chosen.value}.`);
      await reload();
    },
  });
}
