import { describe, expect, it } from "vitest";
import { CONVERSATIONS } from "../../../test/fixtures/conversations.ts";
import { analyse } from "../../kernel/text/text.ts";
import { sentenceSegments } from "../../language/words/segments.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import { closingTask } from "./closing.ts";
import type { Turn } from "./sentences.ts";
import { keyPointsOf, transcriptOf } from "./summary.ts";
import { topicsOf } from "./topics.ts";

const tokens = await loadTokenCounter();

function turnsOf(said: readonly string[]): Turn[] {
  return said.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}

async function closingOf(messages: Turn[]): Promise<string> {
  const topics = (await topicsOf(messages, { most: 3, messages: 2 })).map(({ name }) => name);
  const points = (await keyPointsOf(messages, 5, tokens)).map(({ text }) => text);
  const input = {
    messages: messages.length,
    topics,
    points,
    outcome: [],
    known: [],
    changed: [],
    transcript: transcriptOf(messages),
  };
  return (await closingTask.builtIn(input)).summary;
}

/** Words that summaries add to quotations, and third-person verbs whose stem differs from the quoted form. */
const FRAMES = analyse(
  `The conversation was about and the user's, their, them, they, its and others said asked answered advised the assistant not to from now
   lives, works. Es ging um, und. Der Nutzer sagte, der Assistent antwortete auf die Frage. La conversación trató de: a la pregunta, el usuario dijo,
   el asistente respondió. La conversazione riguardava: alla domanda, l'utente, l'assistente ha detto, risposto. A conversa tratou de, e, à pergunta, o usuário,
   o assistente disse, respondeu. Het gesprek ging over, en, op de vraag antwoordde de gebruiker, de assistent zei.`,
);

describe.each(Object.entries(CONVERSATIONS))("the summary of a conversation (%s)", (_kind, said) => {
  it("has complete sentences that name the speaker once", async () => {
    const summary = await closingOf(turnsOf(said));
    expect(summary).toMatch(/^\p{Lu}.*[.!?]["”“»]?$/su);
    expect(summary).not.toMatch(
      /(The user|The assistant|El usuario|Der Nutzer|O usuário|De gebruiker|L’utente) (said|dijo|sagte|disse|zei|ha detto): [^.]*\. \1 \2:/,
    );
    expect(summary).not.toMatch(/\b(?!user|assistant)\w+ said:/);
    expect(summary).not.toMatch(/answered: \w/);
  });

  it("contains nothing that no message says", async () => {
    const heard = new Set([...FRAMES, ...said.flatMap((content) => analyse(content))]);
    const invented = analyse(await closingOf(turnsOf(said))).filter((term) => !heard.has(term));
    expect(invented).toEqual([]);
  });

  it("quotes only words that were said", async () => {
    const plain = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim();
    const heard = plain(said.join(" "));
    const summary = await closingOf(turnsOf(said));
    for (const [, , quoted = ""] of summary.matchAll(/(["„«“])(.+?)["“»”]/gu)) {
      for (const { segment } of sentenceSegments(quoted)) expect(heard).toContain(plain(segment));
    }
  });
});

it.each([
  ["German", /^Es ging um .* Der Nutzer sagte: .* Auf die Frage .* antwortete der Nutzer: /],
  ["Spanish", /^La conversación trató de: .* El usuario dijo: .* A la pregunta .*, el usuario respondió: /],
  ["Italian", /^La conversazione riguardava: .* L’utente ha detto: .* Alla domanda .*, l’utente ha risposto: /],
  ["Portuguese", /^A conversa tratou de: .* O usuário disse: .* À pergunta .*, o usuário respondeu: /],
  ["Dutch", /^Het gesprek ging over .* De gebruiker zei: .* Op de vraag .* antwoordde de gebruiker: /],
])("the summary of a conversation in %s names the speakers in that language", async (language, frames) => {
  const summary = await closingOf(turnsOf(CONVERSATIONS[language] ?? []));
  expect(summary).toMatch(frames);
  expect(summary).not.toMatch(/\b(?:The user|The assistant|Asked|said|answered)\b/);
});
