/** Why JSON.parse refused a text, without the engine's quote, which may contain a password or part of a memory. */
export function jsonFault(error: unknown): string {
  if (!(error instanceof Error)) return "not JSON";
  return error.message.replace(/, (\.{3})?".*"(\.{3})? is not valid JSON$/s, " is not what is expected there");
}
