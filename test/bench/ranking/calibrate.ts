import { SIGNALS, type Signals, signalsOf } from "../../../shared/domain/retrieval/ranking/confidence.ts";
import { logistic } from "../../../shared/kernel/math.ts";
import type { Embedder } from "../../../shared/ports/embedder.ts";
import type { Searched } from "./examples.ts";
import { product, toVector, type Weights } from "./fit.ts";
import { fitGrowing } from "./logistic.ts";
import type { Asked, Kind } from "./unanswerable.ts";

/** The signals of one question's candidates. */
export interface Observation {
  set: string;
  group: string;
  kind: Kind;
  signals: Signals;
  /** The distance of each evidence among the first ten from the best hit, in the ranking's sum. */
  gaps: number[];
  /** The ranking's sums of the evidence among the first five. */
  sums: number[];
}

export interface Odds {
  weights: Signals;
  intercept: number;
}

export interface Calibration extends Odds {
  slope: number;
  confident: number;
  /** The upper bound that a candidate's own sum sets on its odds. */
  own: { slope: number; middle: number };
}

/**
 * The scale: the default threshold and a low score, and the shares of the answerable questions that reach them; then the
 * share that is confident.
 */
export const THRESHOLD = 0.7;
const REACH_THRESHOLD = 0.9;
const LOW = 0.5;
const REACH_LOW = 0.99;
const REACH_CONFIDENT = 0.95;
/** Share of the evidence among the first ten that scores at least the threshold times the best score. */
const EVIDENCE_KEPT = 0.995;
const SHOWN = 10;
/** Share of the evidence among the first five whose own sum may be below the threshold, and the slope of its odds. */
const BELOW = 0.02;
const FIRST = 5;
const OWN_SLOPE = 0.3;
/**
 * Total weight of each set's questions of a kind. If evidence is hidden, other texts may be near answers, so it weighs
 * less.
 */
const SHARES: Record<Kind, number> = { answerable: 1, made: 0.5, borrowed: 0.5, hidden: 0.15 };
const SET_SHARES: Record<string, number> = { life: 1, understanding: 0.3, musique: 0.1 };
/** Sets with questions about people; their answerable questions determine the points. */
const PERSONAL = new Set(["life", "understanding"]);

export function observe(
  embedder: Pick<Embedder, "background">,
  { set, weights }: { set: string; weights: Weights },
  { question, asked, answer, found, features }: Searched & { question: Asked },
): Observation {
  const vector = toVector(weights);
  const ranked = found
    .flatMap((hit, index) => {
      const own = features[index];
      return own === undefined ? [] : [{ ...hit, sum: product(toVector(own), vector) }];
    })
    .sort((a, b) => b.sum - a.sum);
  const best = ranked[0]?.sum ?? 0;
  const evidence = ranked.slice(0, SHOWN).filter(({ id }) => question.evidence.includes(id));
  const first = ranked.slice(0, FIRST).filter(({ id }) => question.evidence.includes(id));
  const { group, kind } = question;
  return {
    set,
    group,
    kind,
    signals: signalsOf(embedder, { question: asked, ranked, answer }),
    gaps: evidence.map(({ sum }) => best - sum),
    sums: first.map(({ sum }) => sum),
  };
}

/** Returns the odds of each observation by a fit without its group. */
export function leavingOut(observations: Observation[], judged: Observation[]): number[] {
  const key = ({ set, group }: Observation) => `${set} ${group}`;
  const groups = new Set(judged.map(key));
  const fits = new Map([...groups].map((group) => [group, fitOdds(observations.filter((one) => key(one) !== group))]));
  return judged.map((one) => toOdds(fits.get(key(one)), one.signals));
}

export interface Calibrated {
  calibration: Calibration;
  /** Maps a fit's odds to the scale on which the intended shares of held-out questions reach each point. */
  toScale(odds: number): number;
}

/** Fits the odds to all observations, and sets the points by fits that had not seen the question. */
export function calibrate(observations: Observation[]): Calibrated {
  const odds = leavingOut(observations, observations);
  const answerable = odds.filter((_, index) => isPersonal(observations[index]));
  const [relevant, low] = [REACH_THRESHOLD, REACH_LOW].map((share) => lowest(answerable, 1 - share));
  const factor = (logit(THRESHOLD) - logit(LOW)) / ((relevant ?? 0) - (low ?? 0));
  const toScale = (one: number) => logit(THRESHOLD) + factor * (one - (relevant ?? 0));
  const { weights, intercept } = fitOdds(observations);
  const slopes = observations.flatMap(({ gaps }, index) =>
    gaps.filter((gap) => gap > 0).map((gap) => steepest(toScale(odds[index] ?? 0), gap)),
  );
  const sums = observations.filter(isPersonal).flatMap((one) => one.sums);
  const calibration = {
    weights: Object.fromEntries(SIGNALS.map((name) => [name, round(factor * weights[name])])) as Signals,
    intercept: round(toScale(intercept)),
    slope: round(lowest(slopes, 1 - EVIDENCE_KEPT)),
    confident: round(logistic(toScale(lowest(answerable, 1 - REACH_CONFIDENT)))),
    own: { slope: OWN_SLOPE, middle: round(lowest(sums, BELOW) - logit(THRESHOLD) / OWN_SLOPE) },
  };
  return { calibration, toScale };
}

/** Whether it is an answerable question about a person. */
export function isPersonal(one: Observation | undefined): boolean {
  return one?.kind === "answerable" && PERSONAL.has(one.set);
}

/** Returns the slope at which evidence at this distance from the best scores the threshold times the best score. */
function steepest(odds: number, gap: number): number {
  const best = logistic(odds);
  return (odds - logit(THRESHOLD * best)) / gap;
}

/** Fits the odds, with each kind of question of a set weighted by its share. */
function fitOdds(observations: Observation[]): Odds {
  const sizes = new Map<string, number>();
  const part = ({ set, kind }: Observation) => `${set} ${kind}`;
  for (const one of observations) sizes.set(part(one), (sizes.get(part(one)) ?? 0) + 1);
  const rows = observations.map((one) => ({
    x: SIGNALS.map((name) => one.signals[name]),
    y: one.kind === "answerable",
    weight: ((SET_SHARES[one.set] ?? 0) * SHARES[one.kind]) / (sizes.get(part(one)) ?? 1),
  }));
  const { weights, intercept } = fitGrowing(rows);
  return { weights: Object.fromEntries(SIGNALS.map((name, i) => [name, weights[i] ?? 0])) as Signals, intercept };
}

function toOdds(odds: Odds | undefined, signals: Signals): number {
  return SIGNALS.reduce((sum, name) => sum + (odds?.weights[name] ?? 0) * signals[name], odds?.intercept ?? 0);
}

/** Returns the value below which the given share of the values lies. */
export function lowest(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
