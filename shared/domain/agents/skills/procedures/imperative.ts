import { loadLemmatizer } from "../../../../language/facts/verb-group.ts";
import { hasTag, loadTagger, type Token } from "../../../../language/statements/tagging.ts";

/** Turns a report into an instruction: "restarted the pods and raised the limit" becomes "restart … and raise …". */
export type Imperative = (clause: string) => string;

/** Words that another verb of the same subject may follow. */
const CONJUNCTIONS = new Set(["and", "then", "also", "afterwards"]);

export async function loadImperative(): Promise<Imperative> {
  const [tag, lemmatize] = await Promise.all([loadTagger(), loadLemmatizer()]);
  return (clause) => {
    let isVerbNext = true;
    const written = tag({ text: clause }).map((token) => {
      const tense = isVerbNext ? tenseOf(token) : undefined;
      const text = tense === undefined ? token.text : lemmatize(token.normal, tense);
      isVerbNext =
        CONJUNCTIONS.has(token.normal) || token.after.includes(",") || (isVerbNext && hasTag(token, "Adverb"));
      return token.before + (token.contraction ?? text) + token.after;
    });
    return written.join("").trim();
  };
}

function tenseOf(token: Token): "PastTense" | "Gerund" | undefined {
  if (hasTag(token, "Gerund")) return "Gerund";
  return hasTag(token, "PastTense", "Participle") ? "PastTense" : undefined;
}
