import { dateOf } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { samples as notes } from "./agent-memory.ts";

/** Turns of the conversation after the notes; questions and answers alternate. */
const CONVERSATION: readonly string[] = [
  "Hey, good morning! How are you doing today? I was wondering if you could help me with something.",
  "Good morning! Of course, I would be happy to help you with that. What is it about?",
  "So I have been going through all of my notes and it is honestly a bit of a mess. There is so much in there that I don't even know where to start.",
  "I can see why that would feel overwhelming. Would it help if we went through them one by one and decided what is still important?",
  "Yes, that would be great, thanks! I think that the things with a date are the most important ones, because I keep forgetting them.",
  "That makes sense. I will put everything that has a date into a list, with the earliest one first, and I will mark what is already over.",
  "Perfect. And could you please also tell me which of them depend on other people? I have to call some of them this week anyway.",
  "Sure! There are a few. I would start with the ones where somebody is waiting for an answer from you, since those are the ones that could go wrong.",
  "Right. Well, I called the first one yesterday, but nobody picked up, so I left a message. I will try it again tomorrow at around ten.",
  "Okay, I have noted that. If you don't reach anybody tomorrow either, shall I write a short e-mail for you that you can send?",
  "Oh, that would be really nice of you. It should be friendly, but it also has to be clear that we need an answer by Thursday.",
  "Here is a draft: we would be glad to hear from you by Thursday noon, since we have to confirm the booking on the same day. Is that all right?",
  "I think that's good, but it sounds a little bit stiff. Maybe leave out the second half? They know about the booking.",
  "Done. It is shorter now, and it ends with your name and your number at work. I did not add the private one.",
  "Thank you so much! You are right, they should not have the private one. What else is on the list for today?",
  "There are two more things for today: the form has to be signed and sent back, and you wanted to compare the three offers.",
  "Ah yes, the offers. The first one was the cheapest, wasn't it? But I remember that there was something strange about the delivery time.",
  "That's right. The first one is the cheapest by 180 dollars, but they deliver after six weeks. The third one delivers in nine days and costs 240 dollars more.",
  "Hmm, six weeks is definitely too long. I would rather pay more. Can you ask the third one if they would give us a discount of five percent?",
  "I will ask them. If they say no, do you want to take it anyway, or should I come back to you before I accept?",
  "Come back to me first, please. I don't want to spend more than 2,000 dollars in total without talking to Robin about it.",
  "Understood: nothing above 2,000 dollars without Robin. I will remember that for the other purchases as well.",
  "Great. And one last thing: please remind me on Sunday evening that the bins have to go out, because the collection was moved to Monday.",
  "I will remind you on Sunday at 19:00. Have a great day, and talk to you soon!",
];

const SAMPLE_COUNT = 50;
const NOTES_PER_SAMPLE = 12;
const TURNS_PER_SAMPLE = 16;
/** Coprime to the number of notes, so that the samples contain different notes in a different order. */
const NOTE_STRIDE = 7;
const FIRST_DAY = Date.UTC(2025, 0, 6);
/** Context that an agent receives before it answers: dated notes about a user, then the conversation so far. */
export const samples: readonly string[] = Array.from({ length: SAMPLE_COUNT }, (_, sample) =>
  [
    `Notes on the user, oldest first (${NOTES_PER_SAMPLE} of ${notes.length}):`,
    ...Array.from({ length: NOTES_PER_SAMPLE }, (_, index) => datedNote(sample, index)),
    "",
    "Conversation so far:",
    ...Array.from({ length: TURNS_PER_SAMPLE }, (_, index) => turn(sample + index)),
  ].join("\n"),
);

function datedNote(sample: number, index: number): string {
  const day = dateOf(FIRST_DAY + (sample * 3 + index * 2) * DAY_MS);
  return `[${day}] ${notes[(sample + index * NOTE_STRIDE) % notes.length]}`;
}

function turn(index: number): string {
  const text = CONVERSATION[index % CONVERSATION.length];
  return `${index % 2 === 0 ? "User" : "Assistant"}: ${text}`;
}
