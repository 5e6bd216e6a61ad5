import fc from "fast-check";

/**
 * Property tests try the same cases in each run, so that a run fails only for what has changed. PROPERTY_SEED is the
 * seed that a failure prints, or `random` for new cases.
 */
const { PROPERTY_SEED = "1" } = process.env;
if (PROPERTY_SEED !== "random") fc.configureGlobal({ seed: Number.parseInt(PROPERTY_SEED, 10) });
