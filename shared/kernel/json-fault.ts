/** Why JSON.parse refused a text. The engine quotes what it met, which may be part of a password or of a memory. */
export function jsonFault(error: unknown): string {
  if (!(error instanceof Error)) return "not JSON";
  return error.message.replace(/, (\.{3})?".*"(\.{3})? is not valid JSON$/s, " is not what is expected there");
}
