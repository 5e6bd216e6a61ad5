import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForJobs } from "../support/jobs.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";

let service: LocalService;
let key: string;

beforeAll(async () => {
  service = await openService();
  ({ key } = await createOrganization(service));
});
afterAll(() => service.close());

/** What one person says in a year, in several languages. */
const SAID = [
  "I live in Graz.",
  "My sister Ida lives in Oslo with her dog.",
  "I am allergic to peanuts.",
  "I work at Siemens as an engineer.",
  "My boss is Carla.",
  "I moved to Linz in March 2026.",
  "I have two cats, Milo and Kiri.",
  "My favourite tea is oolong.",
  "I don't eat meat.",
  "I started a new job at Airbus on 4 May.",
  "My phone number is 0171 5550199.",
  "My wife is called Dana.",
  "We are going to Lisbon in August.",
  "My son Theo starts school in September.",
  "I play the cello in an amateur orchestra.",
  "I sold my old bike to Omar.",
  "My dentist appointment is on Friday at 9.",
  "Always answer in metric units.",
  "Never use emojis when you write to me.",
  "I prefer aisle seats on trains.",
  "The garage code is 4411.",
  "I take 5 mg of ramipril in the morning.",
  "My birthday is 12 March.",
  "I speak German, Spanish and some Dutch.",
  "Our flat is on the third floor of a house without a lift.",
  "My brother works at a bakery in Leeds.",
  "I quit smoking.",
  "I was born in Ghent.",
  "Lisbon is off, because Dana broke her ankle.",
  "I drive a blue Skoda.",
  "My gym is Fit4U.",
  "I hate cilantro.",
  "My landlord is Mr Okafor.",
  "I'm vegetarian now.",
  "My wifi password is mango-kayak-42.",
  "We adopted a puppy called Bruno last week.",
  "My daughter plays chess on Tuesdays.",
  "I run ten kilometres every Sunday.",
  "The meeting with Priya is on Thursday at ten.",
  "I switched to an iPhone 17.",
  "My doctor said “I recommend swimming”.",
  "Jo wrote: 'I am moving to Riga.'",
  "Ich wohne in Kiel.",
  "Meine Tochter heißt Lina.",
  "Ich bin allergisch gegen Erdnüsse.",
  "Ich arbeite seit Mai bei Airbus in Hamburg.",
  "Vivo en Lima con mi hermana.",
  "Soy alérgico a los cacahuetes.",
  "Mi perro se llama Toby.",
  "J'habite à Lyon.",
  "Ma sœur s'appelle Inès.",
  "Je suis végétarienne.",
  "Ik woon in Gent.",
  "Abito a Torino.",
  "Moro no Porto.",
  "Mieszkam w Gdańsku.",
  "Я живу в Риге.",
  "私は京都に住んでいます。",
  "我对花生过敏。",
  "나는 부산에 살아요.",
];

interface Said {
  content: string;
  occurred_at: string;
}
const MESSAGES: Said[] = SAID.map((content, index) => {
  return { content, occurred_at: new Date(Date.UTC(2026, 4, 1, 10, index)).toISOString() };
});

async function ask(method: string, url: string, body?: object) {
  const { status, body: answer } = await service.request(method, url, { key, body });
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer.data ?? answer;
}

async function forEach(act: (message: Said) => Promise<unknown>): Promise<void> {
  for (const message of MESSAGES) await act(message);
}

async function inSession(user_id: string, memory: string): Promise<void> {
  const { id } = await ask("POST", "/sessions", { agent_id: "guide", user_id, config: { memory } });
  await forEach((message) => ask("POST", `/sessions/${id}/messages`, { role: "user", ...message }));
  await ask("DELETE", `/sessions/${id}`, { reason: "done" });
}

async function imported(rows: object[]): Promise<void> {
  await ask("POST", "/imports", { memories: rows });
}

const messagesOf = ({ content }: Said) => [{ role: "user", content }];

const WAYS: Record<string, (user_id: string) => Promise<void>> = {
  "POST /memories": (user_id) => forEach((message) => ask("POST", "/memories", { ...message, user_id })),
  "PUT /memories": (user_id) =>
    forEach(async ({ content, occurred_at }) => {
      const { id } = await ask("POST", "/memories", { content: "…", occurred_at, user_id });
      await ask("PUT", `/memories/${id}`, { content });
    }),
  "a batch": async (user_id) => {
    await ask("POST", "/memories/batch", { memories: MESSAGES.map((message) => ({ ...message, user_id })) });
  },
  "/v3 with memory": (user_id) =>
    forEach(({ content, occurred_at }) => ask("POST", "/v3/memories/add", { memory: content, occurred_at, user_id })),
  "/v3 with messages": (user_id) =>
    forEach((said) => {
      return ask("POST", "/v3/memories/add", { messages: messagesOf(said), occurred_at: said.occurred_at, user_id });
    }),
  "a session as messages come": (user_id) => inSession(user_id, "as_they_come"),
  "a session on close": (user_id) => inSession(user_id, "on_close"),
  "an import of memories": (user_id) => imported(MESSAGES.map((message) => ({ ...message, user_id }))),
};

/** Returns what is known of a user, without ids. */
async function knownOf(user_id: string) {
  const { facts } = await ask("GET", `/facts?user_id=${user_id}&limit=100`);
  const { text } = await ask("GET", `/profiles/${user_id}`);
  const { memories } = await ask("GET", `/memories?user_id=${user_id}&limit=100`);
  const { items } = await ask("POST", "/recall", { query: "Where do I live, and what may I not eat?", user_id });
  return {
    contents: memories.map(({ content }: Said) => content).sort(),
    facts: facts
      .map(({ subject, attribute, value, status, valid_from }: Record<string, string>) =>
        [subject, attribute, value, status, valid_from].join(" | "),
      )
      .sort(),
    profile: text,
    recalled: items.map(({ content }: Said) => content).sort(),
  };
}

it("a message is read in the same way, whatever stores it", { timeout: 120_000 }, async () => {
  const users = Object.keys(WAYS).map((_way, index) => `reader_${index}`);
  for (const [index, store] of Object.values(WAYS).entries()) await store(users[index] ?? "");
  await waitForJobs(service);
  const [expected, ...others] = await Promise.all(users.map(knownOf));
  expect(expected?.contents).toEqual([...SAID].sort());
  expect(expected?.facts.length).toBeGreaterThan(30);
  const ways = Object.keys(WAYS).slice(1);
  for (const [index, known] of others.entries())
    expect({ way: ways[index], ...known }).toEqual({ way: ways[index], ...expected });
});
