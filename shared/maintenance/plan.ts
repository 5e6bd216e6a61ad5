/** What was found and done so far, by operation or component. */
export type Tallies = { [area: string]: { [what: string]: number } };

/** What a clean-up or a sync is asked for, and the names of its passes, in order. */
export interface MaintenanceInput<Options> {
  options: Options;
  plan: string[];
}

/** The pass that is next, where in it, and what all of them did so far. */
export interface MaintenanceCheckpoint {
  step: number;
  cursor?: string;
  tallies: Tallies;
  /** Of all turns together. */
  processing_ms: number;
}

export const BEGINNING: MaintenanceCheckpoint = { step: 0, tallies: {}, processing_ms: 0 };
