import { UnreadableImportError } from "./entry.ts";

/** Maximum characters of an array element, which is held in memory. */
export const MAX_ELEMENT_LENGTH = 16_000_000;

const SPACE_ONLY = /^\s*$/;

/** Splits the text of a JSON array into its elements, or of an object into its members, however the text is chunked. */
export class JsonArraySplitter {
  readonly #signs = /["\\[\]{},]/g;
  #depth = 0;
  #isInString = false;
  /** Whether the next chunk's first character follows a backslash. */
  #isEscaped = false;
  #element = "";
  #count = 0;

  /** Elements that end within this chunk. Throws UnreadableImportError. */
  *push(part: string): Generator<string> {
    const signs = this.#signs;
    let start = 0;
    signs.lastIndex = this.#isEscaped && part.length > 0 ? 1 : 0;
    if (part.length > 0) this.#isEscaped = false;
    for (let found = signs.exec(part); found; found = signs.exec(part)) {
      const index = found.index;
      const sign = found[0];
      if (this.#isInString) {
        if (sign === "\\") this.#isEscaped = ++signs.lastIndex > part.length;
        else if (sign === '"') this.#isInString = false;
      } else if (sign === '"') this.#isInString = true;
      else if (sign === "[" || sign === "{") {
        if (this.#depth++ === 0) {
          this.#requireSpace(this.#element + part.slice(start, index));
          this.#element = "";
          start = index + 1;
        }
      } else if (sign === "," || sign === "]" || sign === "}") {
        const isEnd = sign !== "," && --this.#depth === 0;
        if (isEnd || (sign === "," && this.#depth === 1)) {
          const element = this.#element + part.slice(start, index);
          this.#element = "";
          start = index + 1;
          if (!isEnd || this.#count > 0 || !SPACE_ONLY.test(element)) {
            this.#count++;
            this.#requireShort(element);
            yield element;
          }
        }
      }
    }
    this.#element += part.slice(start);
    this.#requireShort(this.#element);
  }

  #requireShort(element: string): void {
    if (element.length <= MAX_ELEMENT_LENGTH) return;
    throw new UnreadableImportError(
      `An element of the array is longer than ${MAX_ELEMENT_LENGTH} characters. Split it.`,
    );
  }

  /** Throws UnreadableImportError if the text ends within the array. */
  end(): void {
    if (this.#depth > 0)
      throw new UnreadableImportError(`The file ends within element ${this.#count}. Send all of it.`);
    this.#requireSpace(this.#element);
  }

  #requireSpace(outside: string): void {
    if (!SPACE_ONLY.test(outside))
      throw new UnreadableImportError("There is text outside of the JSON array. Remove it.");
  }
}
