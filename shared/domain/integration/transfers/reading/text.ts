import { UnreadableImportError } from "./entry.ts";

/** Decodes UTF-8 chunks. Throws UnreadableImportError for another encoding. */
export class Utf8Reader {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });

  push(bytes: Uint8Array): string {
    return this.#decode(() => this.#decoder.decode(bytes, { stream: true }));
  }

  end(): string {
    return this.#decode(() => this.#decoder.decode());
  }

  #decode(decode: () => string): string {
    try {
      return decode();
    } catch (cause) {
      throw new UnreadableImportError("The file is not UTF-8. Save it as UTF-8 and send it again.", { cause });
    }
  }
}

/** Decodes chunks of UTF-8 bytes. Throws UnreadableImportError. */
export async function* textOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const reader = new Utf8Reader();
  for await (const bytes of parts) yield reader.push(bytes);
  yield reader.end();
}

/** Lines without line ends, with at most `maxLength` characters in memory. Throws UnreadableImportError. */
export async function* linesOf(parts: AsyncIterable<string>, maxLength: number): AsyncGenerator<string> {
  let rest = "";
  for await (const part of parts) {
    const end = part.indexOf("\n");
    if (end < 0) rest += part;
    else {
      yield rest + part.slice(0, end);
      const lines = part.slice(end + 1).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest.length > maxLength) throw new UnreadableImportError(`A line is longer than ${maxLength} characters.`);
  }
  if (rest !== "") yield rest;
}
