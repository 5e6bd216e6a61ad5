import { sentenceCase } from "../../kernel/strings.ts";
import type { Language } from "../../language/languages/detect.ts";
import type { LanguagePack, SummaryTemplates } from "../../language/languages/pack.ts";
import { PACKS } from "../../language/languages/packs.ts";

/** Returns "The conversation was about …" in the given language. */
export function describeTopics(topics: string[], language: Language): string {
  const { summaries }: LanguagePack = PACKS[language];
  const about = summaries?.about ?? "The conversation was about {topics}.";
  const locale = summaries === undefined ? "en" : language;
  return filled(about, { topics: new Intl.ListFormat(locale, { style: "long", type: "conjunction" }).format(topics) });
}

const SAID = /^The (?<role>user|assistant) (?<verb>said|asked): "(?<words>.*)"$/;
const ANSWERED = /^Asked "(?<question>.*?)", the (?<role>user|assistant) (?<verb>answered) "(?<words>.*)"$/;

/** Translates the words around a quotation in a summary line; a line in the third person is unchanged. */
export function inLanguage(line: string, language: Language): string {
  const { summaries }: LanguagePack = PACKS[language];
  const { role, verb, ...quoted } = (SAID.exec(line) ?? ANSWERED.exec(line))?.groups ?? {};
  if (summaries === undefined || role === undefined) return line;
  return sentenceCase(
    filled(summaries[verb as keyof SummaryTemplates], { ...quoted, who: summaries[role as keyof SummaryTemplates] }),
  );
}

function filled(frame: string, values: { [name: string]: string }): string {
  return frame.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
