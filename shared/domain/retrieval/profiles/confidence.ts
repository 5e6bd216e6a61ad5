/** A statement with a lower confidence is unsure: no profile has it. */
export const MIN_CONFIDENCE = 0.65;
