/**
 * What the facts of the stories and of the sequences hold: how many questions of what is, was and held at a time a fact
 * answers by its value and its status; and what reading facts adds to extraction. Prints facts to be read by hand where it
 * runs alone.
 */
import { extractWith, factsOf, holdsAtEnd, judgeStory, observeStory, readStories, type Story } from "./fact-quality.ts";
import { DEVELOPMENT, HELD_OUT } from "./fact-sequences.ts";
import { ratio, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";
import { timeTogether } from "./timing.ts";

/** The rules were developed on the stories before this one. */
const FIRST_HELD_OUT = 6;
const PRINTED = 100;
const READINGS = sized(3, 1);
const LEAST_ANSWERED = 0.6;
/** Extraction is a part of what storing a memory takes, which may grow by a tenth. */
const MOST_COST = 1.25;

const stories = readStories();
if (stories === undefined) {
  skip("no stories in ../shared/bench/life");
} else {
  const developed = await shareAnswered(stories.slice(0, FIRST_HELD_OUT));
  const heldOut = await shareAnswered(stories.slice(FIRST_HELD_OUT));
  const turns = stories.flatMap(({ sessions }) =>
    sessions.flatMap(({ at, turns: said }) => said.map((turn) => ({ ...turn, at }))),
  );
  const times = await timeTogether(turns.length * READINGS, {
    without: (run) => extractWith(turnAt(run), { facts: false }),
    // Of another turn: the tagger knows the sentences that it has just read.
    facts: (run) => extractWith(turnAt(run + Math.floor(turns.length / 2)), { facts: true }),
  });
  function turnAt(run: number) {
    const turn = turns[run % turns.length];
    if (turn === undefined) throw new RangeError("the stories have no turns");
    return turn;
  }
  report([
    {
      what: "questions of stories that a fact answers by value and status, of held-out stories",
      value: heldOut,
      unit: "",
      limit: { atLeast: LEAST_ANSWERED },
      headline: true,
    },
    { what: "the same of the stories that the rules were developed on", value: developed, unit: "" },
    {
      what: "sequences of changes whose current fact is right, held out",
      value: await shareOfSequences(HELD_OUT),
      unit: "",
    },
    { what: "the same of those for development", value: await shareOfSequences(DEVELOPMENT), unit: "" },
    ratio("extraction of a turn with its facts", "the same without", [times.facts, times.without], {
      limit: { atMost: MOST_COST },
    }),
  ]);
  if (!process.send) await printFacts(stories);
}

async function shareAnswered(some: Story[]): Promise<number> {
  const verdicts = (await Promise.all(some.map(judgeStory))).flat();
  return verdicts.filter(({ answer }) => answer !== undefined).length / verdicts.length;
}

async function shareOfSequences(sequences: typeof HELD_OUT): Promise<number> {
  const right = await Promise.all(sequences.map(holdsAtEnd));
  return right.filter(Boolean).length / right.length;
}

/** Facts evenly taken from all, with the words that it was read from. */
async function printFacts(some: Story[]): Promise<void> {
  const all = (
    await Promise.all(
      some.map(async (story) => {
        const texts = new Map(story.sessions.flatMap(({ turns }) => turns.map(({ id, text }) => [id, text] as const)));
        const now = new Date(story.questions[0]?.asked_at ?? 0);
        const facts = factsOf(await observeStory(story), now).flat();
        return facts.map((fact) => ({ fact, text: texts.get(fact.memory_id) ?? "" }));
      }),
    )
  ).flat();
  const step = Math.max(1, Math.floor(all.length / PRINTED));
  for (const { fact, text } of all.filter((_, place) => place % step === 0).slice(0, PRINTED)) {
    const { subject, attribute, value, status, valid_from, valid_to = "", span } = fact;
    console.log(
      `${subject} | ${attribute} | ${value} | ${status} ${valid_from} ${valid_to} <= ${text.slice(span.start, span.end)}`,
    );
  }
}
