import { afterAll, expect, it } from "vitest";
import { createOrganization, openService } from "../support/service.ts";

const service = await openService({ FACT_READER: "rules" });
afterAll(() => service.close());

/** Support sessions: their messages, the user's first, and what was agreed in them. */
const SESSIONS: Record<string, { messages: string[]; agreed: string[] }> = {
  "a leaking kettle": {
    messages: [
      "My kettle from order 5521 leaks from the base. I bought it in May.",
      "Sorry about that. Could you send a photo of the base?",
      "Sent. You can see the crack near the switch.",
      "Thank you. That is a known fault. We will send you a replacement kettle by Thursday, and you don't have to return the old one.",
      "Great. Can it go to my office address?",
      "Yes. You will get a tracking link by e-mail tomorrow.",
      "Perfect, thanks!",
      "You're welcome. Have a nice day!",
    ],
    agreed: ["replacement kettle by Thursday", "tracking link"],
  },
  "a charge too many": {
    messages: [
      "Hi, I was charged twice for my subscription this month.",
      "I see two charges of 14.99 on 3 March. The second one is a mistake.",
      "So what happens now?",
      "I have refunded 14.99 to your Visa card. It takes three to five working days to show.",
      "OK thank you.",
      "Happy to help!",
    ],
    agreed: ["refunded 14.99 to your Visa card"],
  },
  "an unsteady line": {
    messages: [
      "Guten Tag, mein Internet fällt seit Montag jeden Abend aus.",
      "Das tut mir leid. Leuchtet die DSL-Lampe am Router dann rot?",
      "Ja, immer gegen 20 Uhr.",
      "Ich sehe Störungen auf Ihrer Leitung. Ich schicke Ihnen einen Techniker, er kommt am Mittwoch zwischen 8 und 12 Uhr.",
      "Mittwoch passt. Muss ich etwas bezahlen?",
      "Nein, der Termin ist kostenlos. Für die Ausfälle schreiben wir Ihnen 10 Euro gut.",
      "Vielen Dank.",
      "Gern geschehen, schönen Tag noch!",
    ],
    agreed: ["Techniker, er kommt am Mittwoch", "10 Euro gut"],
  },
  "a course on another day": {
    messages: [
      "Ich möchte meinen Kurs am 12. Mai absagen, ich bin krank.",
      "Gute Besserung! Möchten Sie umbuchen oder das Geld zurück?",
      "Umbuchen wäre schön, im Juni.",
      "Frei sind der 9. und der 16. Juni.",
      "Dann bitte der 16. Juni.",
      "Ich habe Sie auf den 16. Juni umgebucht, die Bestätigung kommt per Mail.",
      "Super, danke!",
      "Bis dann!",
    ],
    agreed: ["auf den 16. Juni umgebucht"],
  },
  "a parcel that did not come": {
    messages: [
      "Bonjour, mon colis 7783 est marqué livré mais je n'ai rien reçu.",
      "Je suis désolée. Avez-vous demandé à vos voisins ?",
      "Oui, personne ne l'a.",
      "J'ouvre une enquête auprès du transporteur. Vous aurez une réponse avant vendredi.",
      "Et si le colis est perdu ?",
      "Dans ce cas nous vous renverrons la commande sans frais, c'est convenu.",
      "Très bien, merci.",
      "Je vous en prie, bonne journée !",
    ],
    agreed: ["J'ouvre une enquête", "réponse avant vendredi", "renverrons la commande sans frais"],
  },
};

it.each(Object.entries(SESSIONS))(
  "the summary of a closed session about %s names its outcome",
  async (_, { messages, agreed }) => {
    const { key } = await createOrganization(service);
    const { body } = await service.request("POST", "/sessions", { key, body: { agent_id: "support", user_id: "ada" } });
    const { id } = body.data;
    for (const [index, content] of messages.entries()) {
      const message = { role: index % 2 === 0 ? "user" : "assistant", content };
      await service.request("POST", `/sessions/${id}/messages`, { key, body: message });
    }
    const closed = await service.request("DELETE", `/sessions/${id}`, { key, body: { reason: "resolved" } });
    for (const piece of agreed) expect(closed.body.data.summary).toContain(piece);
  },
);
