/** Counts of found and processed items so far, by operation or component. */
export type Tallies = { [area: string]: { [what: string]: number } };

/** The request of a cleanup or sync with its passes in order. */
export interface MaintenanceInput<Options> {
  options: Options;
  plan: string[];
}

/** The current pass, its position, and the counts of all passes. */
export interface MaintenanceCheckpoint {
  step: number;
  cursor?: string;
  tallies: Tallies;
  /** Sum over all turns. */
  processing_ms: number;
}

export const BEGINNING: MaintenanceCheckpoint = { step: 0, tallies: {}, processing_ms: 0 };
