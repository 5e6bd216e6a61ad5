import { wordSet, words } from "../../../kernel/text/text.ts";
import { isNamed, speakerName } from "../../../language/statements/speakers.ts";
import type { SearchSource } from "../../../ports/search-index.ts";

/** Detects conversations among other people, in which neither the user nor the assistant takes part. */
export class ThirdParties {
  /** Sessions in which the user or the assistant takes part, according to the documents. */
  readonly #withUser: Set<string>;
  /** Words of other speakers' names, by user and speaker; undefined if the speaker is the user or the assistant. */
  readonly #names = new Map<string, string[] | undefined>();

  constructor(documents: Iterable<SearchSource>) {
    this.#withUser = new Set([...documents].filter((document) => this.#namesOf(document) === undefined).map(sessionOf));
  }

  /**
   * Whether somebody said it in such a conversation. Only metadata count, because a word before a colon may be a
   * heading. False if the query names the speaker, because then it asks for what the speaker said.
   */
  include(document: SearchSource, asked: ReadonlySet<string>): boolean {
    const names = this.#namesOf(document);
    if (names === undefined) return false;
    if (document.session_id !== undefined && this.#withUser.has(sessionOf(document))) return false;
    return !names.some((name) => asked.has(name));
  }

  #namesOf({ metadata: { speaker, role }, user_id = "" }: SearchSource): string[] | undefined {
    if (typeof speaker !== "string" || (typeof role === "string" && !isNamed(speakerName(role)))) return undefined;
    const key = keyOf(user_id, speaker);
    if (!this.#names.has(key)) this.#names.set(key, namesOfOther(speaker, user_id));
    return this.#names.get(key);
  }
}

/**
 * Returns the words of a speaker's name, unless it is the user's name or a role. A user id may contain the user's name.
 */
function namesOfOther(speaker: string, user: string): string[] | undefined {
  if (!isNamed(speakerName(speaker))) return undefined;
  const names = words(speaker).map(({ folded }) => folded);
  const userWords = wordSet(user);
  return names.length === 0 || names.some((name) => userWords.has(name)) ? undefined : names;
}

function sessionOf({ user_id = "", session_id = "" }: SearchSource): string {
  return keyOf(user_id, session_id);
}

/** The length separates the two, whatever they contain. */
function keyOf(user: string, name: string): string {
  return `${user.length} ${user}${name}`;
}
