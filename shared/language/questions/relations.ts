import { memoizedByText } from "../../kernel/memoized.ts";
import { words } from "../../kernel/text/text.ts";
import type { LanguagePack, Relation } from "../languages/pack.ts";
import { PACKS } from "../languages/packs.ts";

/** Characters of the texts whose relations are cached. */
const MAX_CACHED_TEXT = 2_000_000;

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const byWord = new Map<string, Set<Relation>>();
const unspaced: [string, Relation][] = [];
for (const [relation, forms] of listedRelations()) {
  for (const form of forms.split(" ")) {
    if (UNSPACED.test(form)) unspaced.push([form, relation]);
    else for (const { folded } of words(form)) byWord.set(folded, (byWord.get(folded) ?? new Set()).add(relation));
  }
}

function listedRelations(): [Relation, string][] {
  return Object.values(PACKS).flatMap(
    ({ relations = {} }: LanguagePack) => Object.entries(relations) as [Relation, string][],
  );
}

/** Returns the people and things that a text mentions, the same in every language. */
export const relationsIn: (text: string) => ReadonlySet<Relation> = memoizedByText((text) => {
  const found = words(text).flatMap(({ folded }) => [folded, ...folded.split(/['’-]/u)]);
  const known = found.flatMap((word) => [...(byWord.get(word) ?? byWord.get(word.replace(/s$/u, "")) ?? [])]);
  const held = unspaced.filter(([form]) => text.includes(form)).map(([, relation]) => relation);
  return new Set([...known, ...held]);
}, MAX_CACHED_TEXT);
