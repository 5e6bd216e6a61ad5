/** @typedef {{ tag: string | undefined, answer: unknown }} Known `tag`: the ETag of its content, if it has one */

/** As many as a few views ask for. */
const MOST = 50;

/** The latest answers of reading requests by their addresses, in the page's memory only. */
export class Kept {
  /** @type {Map<string, Known>} the latest ones last */
  #answers = new Map();
  /** @type {Set<string>} addresses whose answer is shown before it is asked for again */
  #shownFirst = new Set();

  /** Shows each of the answers once before it is asked for again, as Back does. */
  showFirst() {
    this.#shownFirst = new Set(this.#answers.keys());
  }

  /** From now on, each answer is asked for before it is shown: the view is another, or something was changed. */
  askFirst() {
    this.#shownFirst.clear();
  }

  /** @param {string} address */
  find(address) {
    return this.#answers.get(address);
  }

  /**
   * The answer that is shown before it is asked for again, if any.
   * @param {string} address
   */
  takeFirst(address) {
    return this.#shownFirst.delete(address) ? this.#answers.get(address) : undefined;
  }

  /**
   * @param {string} address
   * @param {Known} known
   */
  keep(address, known) {
    this.#answers.delete(address);
    this.#answers.set(address, known);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
  }
}
