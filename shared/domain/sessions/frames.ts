import { sentenceCase } from "../../kernel/strings.ts";
import type { Language } from "../../language/languages/detect.ts";

/** Sentence templates with which a summary reports the topics and quotations of a conversation. */
interface Frames {
  about: string;
  user: string;
  assistant: string;
  said: string;
  asked: string;
  answered: string;
}

/** By language of the conversation; other languages use English. */
const FRAMES: { readonly [language in Language]?: Frames } = {
  de: {
    about: "Es ging um {topics}.",
    user: "der Nutzer",
    assistant: "der Assistent",
    said: "{who} sagte: „{words}“",
    asked: "{who} fragte: „{words}“",
    answered: "Auf die Frage „{question}“ antwortete {who}: „{words}“",
  },
  fr: {
    about: "Il était question de : {topics}.",
    user: "l’utilisateur",
    assistant: "l’assistant",
    said: "{who} a dit : « {words} »",
    asked: "{who} a demandé : « {words} »",
    answered: "À la question « {question} », {who} a répondu : « {words} »",
  },
  es: {
    about: "La conversación trató de: {topics}.",
    user: "el usuario",
    assistant: "el asistente",
    said: "{who} dijo: «{words}»",
    asked: "{who} preguntó: «{words}»",
    answered: "A la pregunta «{question}», {who} respondió: «{words}»",
  },
  it: {
    about: "La conversazione riguardava: {topics}.",
    user: "l’utente",
    assistant: "l’assistente",
    said: "{who} ha detto: «{words}»",
    asked: "{who} ha chiesto: «{words}»",
    answered: "Alla domanda «{question}», {who} ha risposto: «{words}»",
  },
  pt: {
    about: "A conversa tratou de: {topics}.",
    user: "o usuário",
    assistant: "o assistente",
    said: "{who} disse: “{words}”",
    asked: "{who} perguntou: “{words}”",
    answered: "À pergunta “{question}”, {who} respondeu: “{words}”",
  },
  nl: {
    about: "Het gesprek ging over {topics}.",
    user: "de gebruiker",
    assistant: "de assistent",
    said: "{who} zei: “{words}”",
    asked: "{who} vroeg: “{words}”",
    answered: "Op de vraag “{question}” antwoordde {who}: “{words}”",
  },
};

/** Returns "The conversation was about …" in the given language. */
export function describeTopics(topics: string[], language: Language): string {
  const { about } = FRAMES[language] ?? { about: "The conversation was about {topics}." };
  const locale = FRAMES[language] === undefined ? "en" : language;
  return filled(about, { topics: new Intl.ListFormat(locale, { style: "long", type: "conjunction" }).format(topics) });
}

const SAID = /^The (?<role>user|assistant) (?<verb>said|asked): "(?<words>.*)"$/;
const ANSWERED = /^Asked "(?<question>.*?)", the (?<role>user|assistant) (?<verb>answered) "(?<words>.*)"$/;

/** Translates the words around a quotation in a summary line; a line in the third person is unchanged. */
export function inLanguage(line: string, language: Language): string {
  const frames = FRAMES[language];
  const { role, verb, ...quoted } = (SAID.exec(line) ?? ANSWERED.exec(line))?.groups ?? {};
  if (frames === undefined || role === undefined) return line;
  return sentenceCase(filled(frames[verb as keyof Frames], { ...quoted, who: frames[role as keyof Frames] }));
}

function filled(frame: string, values: { [name: string]: string }): string {
  return frame.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
