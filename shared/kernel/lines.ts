const LINE_END = 0x0a;

/**
 * Splits bytes into lines, each with its line feed, which the last line may lack. Only line feeds end a line: JSON
 * strings may contain U+2028, at which Node's readline splits. A line longer than `maxBytes` may be yielded in parts,
 * of which only the last has a line feed.
 */
export async function* splitLines(
  parts: AsyncIterable<Uint8Array>,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const bytes of parts) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = part.indexOf(LINE_END); end !== -1; end = part.indexOf(LINE_END, start)) {
      yield Buffer.concat([...rest, part.subarray(start, end + 1)]);
      [rest, size, start] = [[], 0, end + 1];
    }
    rest.push(part.subarray(start));
    size += part.length - start;
    if (size <= maxBytes) continue;
    yield Buffer.concat(rest);
    [rest, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(rest);
}

/** Whether a line includes its line feed. */
export function isWholeLine(line: Buffer): boolean {
  return line.at(-1) === LINE_END;
}
