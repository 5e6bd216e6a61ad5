import { logistic } from "../../../shared/kernel/math.ts";
import { isPersonal, logit, lowest, type Observation, THRESHOLD } from "./calibrate.ts";
import type { Kind } from "./unanswerable.ts";

/** A model's observations and their odds, by fits that had not seen the question. */
export interface Judged {
  name: string;
  observations: Observation[];
  odds: number[];
  /** Minimum score of a confident answer. */
  confident: number;
}

/** Shares of the answerable questions for which the curve is printed. */
const KEPT = [0.8, 0.85, 0.9, 0.95, 0.98, 1];

/** Returns a table of how many questions reach the default threshold and the confidence point, by model. */
export function reliabilityTable(models: Judged[]): string {
  const rows = models.map((model) => {
    const passages = oddsOf(model, ({ kind, set }) => kind === "answerable" && set === "musique");
    const cells = [
      reach(oddsOf(model, isPersonal), THRESHOLD),
      reach(passages, THRESHOLD),
      ...(["made", "borrowed", "hidden"] as const).map((kind) => 1 - reach(ofKind(model, kind), THRESHOLD)),
      1 - reach(unanswerable(model), THRESHOLD),
      reach(oddsOf(model, isPersonal), model.confident),
      1 - reach(unanswerable(model), model.confident),
    ];
    return [model.name, ...cells.map((cell) => (Number.isNaN(cell) ? "–" : cell.toFixed(2)))];
  });
  const head = [
    "Model",
    "answerable ≥ 0.7",
    "MuSiQue ≥ 0.7",
    "made unanswerable < 0.7",
    "borrowed < 0.7",
    "evidence hidden < 0.7",
    "made and borrowed < 0.7",
    "answerable, confident",
    "made and borrowed, not confident",
  ];
  return table(head, rows);
}

/**
 * Returns a table of the share of unanswerable questions below the score that a given share of answerable questions
 * reaches, by model.
 */
export function curveTable(models: Judged[]): string {
  const rows = models.map((model) => {
    const answerable = oddsOf(model, isPersonal);
    const shares = KEPT.map((kept) => {
      const point = lowest(answerable, 1 - kept);
      const below = unanswerable(model).filter((odds) => odds < point).length / unanswerable(model).length;
      return `${below.toFixed(2)} (${logistic(point).toFixed(2)})`;
    });
    return [model.name, ...shares];
  });
  return table(
    ["Unanswerable below (score) where so many answerable reach it", ...KEPT.map((kept) => `${kept * 100} %`)],
    rows,
  );
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function oddsOf({ observations, odds }: Judged, isWanted: (one: Observation) => boolean): number[] {
  return observations.flatMap((one, index) => (isWanted(one) ? [odds[index] ?? 0] : []));
}

function ofKind(model: Judged, kind: Kind): number[] {
  return oddsOf(model, (one) => one.kind === kind);
}

function unanswerable(model: Judged): number[] {
  return [...ofKind(model, "made"), ...ofKind(model, "borrowed")];
}

function reach(odds: number[], score: number): number {
  return odds.filter((one) => one >= logit(score)).length / odds.length;
}
