/** A secret in a text: its type, as `[REDACTED:type]` names it, and where its value stands. */
export interface FoundSecret {
  type: string;
  start: number;
  end: number;
}
