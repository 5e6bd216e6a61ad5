import { describe, expect, it } from "vitest";
import { readFacts } from "../../../language/facts/read-facts.ts";
import { loadLemmatizer } from "../../../language/facts/verb-group.ts";
import type { Fact, Observation } from "../../../language/slots/fact.ts";
import { slotKey } from "../../../language/slots/slot-key.ts";
import { readPassage } from "../../../language/statements/passage.ts";
import { loadTagger } from "../../../language/statements/tagging.ts";
import { placeFacts } from "./timeline/timeline.ts";

const FIRST = Date.parse("2026-01-01T10:00:00Z");
const FORTNIGHT = 14 * 86_400_000;

/** Returns the facts of statements made two weeks apart. */
async function factsOf(...statements: string[]): Promise<Fact[]> {
  const observed: Observation[] = [];
  for (const [day, content] of statements.entries()) {
    const observed_at = new Date(FIRST + day * FORTNIGHT).toISOString();
    const passage = await readPassage({ content, occurred_at: observed_at, metadata: {} });
    const drafts = readFacts({ content, passage, tag: await loadTagger(), lemmaOf: await loadLemmatizer() });
    observed.push(...drafts.map((draft, n) => ({ ...draft, id: `${day}-${n}`, memory_id: String(day), observed_at })));
  }
  const slots = Map.groupBy(observed, ({ subject, attribute }) => slotKey(subject, attribute));
  return [...slots.values()].flatMap((slot) => placeFacts(slot, new Date("2026-02-01T00:00:00Z")));
}

/** Returns what the first statement says and the last one ended. */
async function endedBy(...statements: string[]): Promise<string[]> {
  const facts = await factsOf(...statements);
  return facts
    .filter(({ memory_id, superseded_by }) => memory_id === "0" && superseded_by !== undefined)
    .map(({ value }) => value);
}

describe("a later statement in other words", () => {
  it.each([
    ["The budget is 40k.", "We raised the budget to 55k.", "40k"],
    ["We use Postgres 14 in staging.", "staging now runs Postgres 16.", "14"],
    ["We are using Postgres 14 for the orders service.", "We upgraded the orders database to Postgres 16.", "14"],
    ["We use Postgres 14.", "We upgraded Postgres to 16.", "14"],
    ["We are on Postgres 14.", "We upgraded from Postgres 14 to 16.", "14"],
    ["We are on React 18.", "We bumped React to 19.", "18"],
    ["staging port is 8081.", "Staging now listens on 9090.", "8081"],
    ["We're flying to Rome in May.", "We're not going to Rome any more.", "flying to Rome in May"],
    ["The release is planned for 15 March.", "The release slips by two weeks, to 29 March.", "15 March"],
    ["Standup is at 9:15.", "Standup is at 9:45 instead of 9:15 from now on.", "at 9:15"],
    ["The standup is at 9:30.", "Standup's at 10 from now on.", "at 9:30"],
    ["I get up at 6:30.", "I get up at 7 these days.", "6:30"],
    ["We meet on Thursdays.", "We meet on Fridays from now on.", "Thursdays"],
    ["My daughter Ida is 7.", "Ida turned 8 yesterday.", "7"],
    ["I have a Pixel 7.", "I switched to an iPhone 17.", "Pixel 7"],
    ["I'm on an iPhone 12.", "My new phone is a Galaxy S25.", "an iPhone 12"],
    ["We're on the Starter plan.", "We upgraded to the Pro plan.", "the Starter plan"],
    ["I'm on keto.", "I've switched to the Mediterranean diet.", "keto"],
    ["I drive a Golf.", "I traded it in for a Kia Niro.", "Golf"],
    ["My GP is Dr Khan.", "I've changed GPs, it's Dr Owen now.", "Dr Khan"],
    ["My gym is Fit4U.", "I switched gyms, I go to PureGym now.", "Fit4U"],
    ["My manager is Petra.", "I report to Jonas now.", "Petra"],
    ["I'm based in Austin.", "Just relocated to Denver.", "Austin"],
    ["I use Notion for notes.", "I moved from Notion to Obsidian.", "Notion"],
    ["I'm single.", "I got engaged to Marek.", "single"],
    ["I'm married.", "I'm not married.", "married"],
    ["I don't eat meat.", "I started eating meat again.", "meat"],
    ["I'm learning Italian.", "I gave up Italian, no time.", "Italian"],
    ["My locker code is 4471.", "They changed my locker code, it's 9023.", "4471"],
    ["Our office is in Soho.", "The office moved to Camden.", "Soho"],
    ["My gym is Fit4U.", "My gym is Urban Climb now.", "Fit4U"],
    ["I use a Pixel 7.", "My Pixel died.", "Pixel 7"],
    ["The flight is at 9.", "Sorry, I meant the flight is at 10.", "at 9"],
    ["I take 5 mg of ramipril.", "The doctor put the ramipril up to 10 mg.", "5 mg"],
    ["Our wifi password is Sturm1.", "I changed the wifi password to Sturm2.", "Sturm1"],
    ["I weigh 82 kilos.", "I'm down to 78 kilos.", "82 kilos"],
    ["Burn is 62k a month.", "burn's now 81k.", "62k a month"],
    [
      "The dentist appointment is on 12 May at 9:30.",
      "The dentist pushed my appointment to 19 May, same time.",
      "12 May at 9:30",
    ],
    ["The API key expires in March.", "The API key was renewed, it expires in September.", "March"],
    ["We run everything on Airflow 2.6.", "We upgraded to Airflow 2.9 on Saturday, took 3 hours.", "2.6"],
    ["We run everything on Airflow 2.6.", "Airflow 2.10 is live since last night.", "2.6"],
    ["Retention is 90 days for raw events.", "Legal cut the retention of raw events to 30 days.", "90 days"],
    ["The staging db password is heron-44.", "Rotated the staging db password, it's osprey-12.", "heron-44"],
    ["The dbt docs live at docs.trust.internal.", "dbt docs are at dbt.trust.internal now.", "docs.trust.internal"],
    ["The bed report goes out at 6 every morning.", "The bed report goes out at 5:30 now.", "6 every morning"],
    ["We open at 7.", "We open at 6:30 now because of the builders.", "7"],
    ["The inspection is on 2 April.", "Inspection got put back to 16 April, they rang.", "2 April"],
    ["I'm allergic to penicillin.", "Turns out I'm not allergic to penicillin, they tested it.", "penicillin"],
    ["Signed up for the Lake run on 14 June.", "I'm not doing the Lake run after all, my knee.", "Lake run"],
    ["We're going to Brittany in August.", "Brittany isn't happening.", "going to Brittany in August"],
    ["I take metformin 500 mg twice a day.", "The metformin is back to 250 mg.", "500 mg twice a day"],
    ["Max file size for uploads is 50 MB.", "Raised the max file size for uploads to 200 MB.", "50 MB"],
    ["Our CI runs on Buildkite.", "We moved CI to Woodpecker.", "Buildkite"],
    ["The shop's rent is 900 euros.", "The rent on the shop went up to 950.", "900 euros"],
    ["The rent at the shop is 900 euros.", "The shop rent is 950 euros.", "900 euros"],
    ["The temperature in the lab is 21 degrees.", "The lab temperature is 19 degrees.", "21 degrees"],
    ["Atenolol 25 in the morning.", "The atenolol's 50 since Friday.", "25"],
    ["I take apixaban 5 mg.", "They took me off apixaban.", "5 mg"],
    ["I charge 35 euros a lesson.", "Going to 40 euros a lesson in May.", "35 euros a lesson"],
    ["Training's Mondays and Fridays.", "Training's Tuesdays now.", "Mondays and Fridays"],
    ["We rehearse Fridays in the town hall.", "We rehearse on Mondays now.", "Fridays in the town hall"],
    ["They've put me on a ward. Ward 9, surgical.", "I'm back on Ward 4.", "Ward 9"],
    ["I live in Leeds.", "We've moved. 12 Abbey Road, York.", "Leeds"],
    ["Oma ist im Heim. Zimmer 12, mit Balkon.", "Oma ist umgezogen, Zimmer 3, da ist ein Garten.", "12"],
    ["Nora's secretary now.", "Ben is the secretary now.", "Nora"],
  ])("%j is ended by %j", async (earlier, later, value) => {
    expect(await endedBy(earlier, later)).toEqual([value]);
  });

  it.each([
    ["The marketing budget is 10k.", "The travel budget is 5k."],
    ["production runs Postgres 15.", "staging now runs Postgres 16."],
    ["Dinner with Ana is on Friday.", "Dinner with Ben is on Saturday."],
    ["The blue locker code is 1111.", "The red locker code is 2222."],
    ["I have two cats.", "I cancelled the gym."],
    ["Lunch is 12 euros.", "Dinner is 30 euros."],
    ["I paid 20 euros for the taxi.", "I paid 30 euros for the shirt."],
    ["I live in Rome.", "We moved the archive to Lisbon."],
    ["I play the guitar.", "I play the piano."],
    ["I like tea.", "I stopped drinking coffee."],
    ["The shop's rent is 900 euros.", "The rent went up to 950 euros."],
    ["My rent is 700 euros.", "The rent at the shop is 950 euros."],
    ["Ana's rent is 900 euros.", "My rent is 950 euros."],
    ["I take the bus.", "I didn't take the bus yesterday."],
  ])("%j is not ended by %j", async (earlier, later) => {
    expect(await endedBy(earlier, later)).toEqual([]);
  });
});

describe("a death in other words", () => {
  it.each([
    "We had to put Rex down.",
    "Rex had to be put down yesterday.",
    "Rex was put to sleep this morning.",
    "Rex had to go to sleep.",
    "Rex passed away.",
  ])("%j ends that the user has the pet", async (later) => {
    expect(await endedBy("My dog is Rex.", later)).toEqual(["Rex (dog)"]);
  });

  it.each([
    ["I have a dog.", "The dog is called Rex.", "Rex died."],
    ["Our dog is called Rex.", "Rex passed away last week."],
    ["My dog's name is Rex.", "Rex died."],
    ["Rex is our dog.", "We had to put Rex down."],
    ["We got a puppy. She is called Luna.", "Luna died."],
    ["We adopted a cat and named her Miso.", "Miso died yesterday."],
    ["I bought a parrot called Polly.", "Polly died."],
    ["I have a dog.", "The dog died."],
  ])("ends a pet that was named later or in other words: %j, %j", async (...statements) => {
    const pets = (await factsOf(...statements)).filter(({ attribute, act }) => attribute === "pet" && act === "state");
    expect(pets.length).toBeGreaterThan(0);
    expect(pets.map(({ status }) => status)).toEqual(pets.map(() => "superseded"));
  });

  it.each([
    ["I have a dog and a cat.", "The dog died.", "a cat"],
    ["My dog is Rex.", "Bella died.", "Rex (dog)"],
    ["My dog is Rex.", "My phone died.", "Rex (dog)"],
    ["My dog is Rex.", "Rex nearly died.", "Rex (dog)"],
    ["My dog is Rex.", "Ana's dog died.", "Rex (dog)"],
  ])("leaves other pets: %j, %j", async (earlier, later, left) => {
    const facts = await factsOf(earlier, later);
    expect(facts).toContainEqual(expect.objectContaining({ attribute: "pet", value: left, status: "current" }));
  });

  it.each([
    "We got a dog bed.",
    "I got rid of the cat.",
    "I might get a dog.",
    "Did you get a dog?",
    "We never got a cat.",
  ])("finds no pet in %j", async (said) => {
    const pets = (await factsOf(said)).filter(({ attribute }) => attribute === "pet");
    expect(pets).toEqual([]);
  });

  it("is not read out of a pen that is put down", async () => {
    expect(await factsOf("I put the pen down.")).not.toContainEqual(expect.objectContaining({ value: "dead" }));
  });
});
