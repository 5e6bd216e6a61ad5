import type { Language } from "../memory/dates/languages.ts";

/** The phrases by which a summary attributes quotations, in the language of the conversation. */
interface Frames {
  about(topics: string): string;
  said: Record<Role, (words: string) => string>;
  asked: Record<Role, (words: string) => string>;
  answered: Record<Role, (question: string, words: string) => string>;
}

type Role = "user" | "assistant";
/** By language; other languages use English. */
const FRAMES: { readonly [language in Language]?: Frames } = {
  de: {
    about: (topics) => `Es ging um ${topics}.`,
    said: { user: (words) => `Der Nutzer sagte: „${words}“`, assistant: (words) => `Der Assistent sagte: „${words}“` },
    asked: {
      user: (words) => `Der Nutzer fragte: „${words}“`,
      assistant: (words) => `Der Assistent fragte: „${words}“`,
    },
    answered: {
      user: (question, words) => `Auf die Frage „${question}“ antwortete der Nutzer: „${words}“`,
      assistant: (question, words) => `Auf die Frage „${question}“ antwortete der Assistent: „${words}“`,
    },
  },
  fr: {
    about: (topics) => `Il était question de : ${topics}.`,
    said: {
      user: (words) => `L’utilisateur a dit : « ${words} »`,
      assistant: (words) => `L’assistant a dit : « ${words} »`,
    },
    asked: {
      user: (words) => `L’utilisateur a demandé : « ${words} »`,
      assistant: (words) => `L’assistant a demandé : « ${words} »`,
    },
    answered: {
      user: (question, words) => `À la question « ${question} », l’utilisateur a répondu : « ${words} »`,
      assistant: (question, words) => `À la question « ${question} », l’assistant a répondu : « ${words} »`,
    },
  },
  es: {
    about: (topics) => `La conversación trató de: ${topics}.`,
    said: { user: (words) => `El usuario dijo: «${words}»`, assistant: (words) => `El asistente dijo: «${words}»` },
    asked: {
      user: (words) => `El usuario preguntó: «${words}»`,
      assistant: (words) => `El asistente preguntó: «${words}»`,
    },
    answered: {
      user: (question, words) => `A la pregunta «${question}», el usuario respondió: «${words}»`,
      assistant: (question, words) => `A la pregunta «${question}», el asistente respondió: «${words}»`,
    },
  },
  it: {
    about: (topics) => `La conversazione riguardava: ${topics}.`,
    said: {
      user: (words) => `L’utente ha detto: «${words}»`,
      assistant: (words) => `L’assistente ha detto: «${words}»`,
    },
    asked: {
      user: (words) => `L’utente ha chiesto: «${words}»`,
      assistant: (words) => `L’assistente ha chiesto: «${words}»`,
    },
    answered: {
      user: (question, words) => `Alla domanda «${question}», l’utente ha risposto: «${words}»`,
      assistant: (question, words) => `Alla domanda «${question}», l’assistente ha risposto: «${words}»`,
    },
  },
  pt: {
    about: (topics) => `A conversa tratou de: ${topics}.`,
    said: { user: (words) => `O usuário disse: “${words}”`, assistant: (words) => `O assistente disse: “${words}”` },
    asked: {
      user: (words) => `O usuário perguntou: “${words}”`,
      assistant: (words) => `O assistente perguntou: “${words}”`,
    },
    answered: {
      user: (question, words) => `À pergunta “${question}”, o usuário respondeu: “${words}”`,
      assistant: (question, words) => `À pergunta “${question}”, o assistente respondeu: “${words}”`,
    },
  },
  nl: {
    about: (topics) => `Het gesprek ging over ${topics}.`,
    said: { user: (words) => `De gebruiker zei: “${words}”`, assistant: (words) => `De assistent zei: “${words}”` },
    asked: {
      user: (words) => `De gebruiker vroeg: “${words}”`,
      assistant: (words) => `De assistent vroeg: “${words}”`,
    },
    answered: {
      user: (question, words) => `Op de vraag “${question}” antwoordde de gebruiker: “${words}”`,
      assistant: (question, words) => `Op de vraag “${question}” antwoordde de assistent: “${words}”`,
    },
  },
};

/** Returns "The conversation was about …" in the given language. */
export function describeTopics(topics: string[], language: Language): string {
  const frames = FRAMES[language];
  const locale = frames === undefined ? "en" : language;
  const named = new Intl.ListFormat(locale, { style: "long", type: "conjunction" }).format(topics);
  return frames?.about(named) ?? `The conversation was about ${named}.`;
}

const SAID = /^The (user|assistant) (said|asked): "(.*)"$/;
const ANSWERED = /^Asked "(.*?)", the (user|assistant) answered "(.*)"$/;

/** Translates the frame of a quotation in a summary line; a line in the third person is unchanged. */
export function inLanguage(line: string, language: Language): string {
  const frames = FRAMES[language];
  if (frames === undefined) return line;
  const [, role, verb, words = ""] = SAID.exec(line) ?? [];
  if (role === "user" || role === "assistant") return frames[verb === "said" ? "said" : "asked"][role](words);
  const [, question = "", answerer, answer = ""] = ANSWERED.exec(line) ?? [];
  return answerer === "user" || answerer === "assistant" ? frames.answered[answerer](question, answer) : line;
}
