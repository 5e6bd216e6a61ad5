/** Begins the id of a client that registered itself. */
export const ID_PREFIX = "oc_";
const UNNAMED = "A client without a name";
/** Names are shown to people, so they are short and in the direction of the page. */
const SHOWN_LENGTH = 80;
const NOT_SHOWN = /[\p{C}\u2028\u2029]+/gu;

/** The name of a client as people see it. */
export function shownName(name = ""): string {
  return name.replace(NOT_SHOWN, " ").trim().slice(0, SHOWN_LENGTH).toWellFormed() || UNNAMED;
}
