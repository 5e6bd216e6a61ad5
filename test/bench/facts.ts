/**
 * Measures the facts of the stories and of the sequences: how many questions about what is, was and held at a time a
 * fact answers by its value and its status; and the cost that facts add to extraction. Prints facts for manual review
 * if it runs alone.
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
const MIN_ANSWERED = 0.6;
/** Maximum relative cost: extraction is a part of storing a memory, whose total may grow by a tenth. */
const MAX_COST = 1.25;

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
    // Uses another turn, because the tagger caches the sentences that it has just processed.
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
      limit: { atLeast: MIN_ANSWERED },
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
      limit: { atMost: MAX_COST },
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

/** Prints an evenly spaced sample of all facts, with the words from which they were extracted. */
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
  for (const { fact, text } of all.filter((_, index) => index % step === 0).slice(0, PRINTED)) {
    const { subject, attribute, value, status, valid_from, valid_to = "", span } = fact;
    console.log(
      `${subject} | ${attribute} | ${value} | ${status} ${valid_from} ${valid_to} <= ${text.slice(span.start, span.end)}`,
    );
  }
}
