/**
 * Most bytes of what an answer quotes of a session. A function's answer has at most 6 MB (AWS Lambda Developer Guide,
 * "Lambda quotas"); the rest is for what is around the quotes.
 */
const MOST_QUOTED_BYTES = 5_500_000;

/** How many of the first messages fit into one answer. One always does: it has 100,000 characters at most. */
export function countFitting(messages: readonly object[]): number {
  let left = MOST_QUOTED_BYTES;
  const first = messages.findIndex((message) => {
    left -= bytesInAnswer(message);
    return left < 0;
  });
  return first === -1 ? messages.length : first;
}

export function fits(quoted: object): boolean {
  return bytesInAnswer(quoted) <= MOST_QUOTED_BYTES;
}

/** A function answers its JSON as a text within JSON, in which quotes and backslashes are escaped once more. */
function bytesInAnswer(value: object): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}
