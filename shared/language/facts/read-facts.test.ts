import { describe, expect, it } from "vitest";
import type { FactDraft } from "../slots/fact.ts";
import { readPassage } from "../statements/passage.ts";
import { loadTagger } from "../statements/tagging.ts";
import { readFacts } from "./read-facts.ts";
import { loadLemmatizer } from "./verb-group.ts";

const SAID_AT = "2026-05-04T10:00:00Z";

async function draftsOf(content: string, speaker?: string, userName?: string): Promise<FactDraft[]> {
  const metadata: Record<string, string> = speaker === undefined ? {} : { speaker };
  const passage = await readPassage({ content, occurred_at: SAID_AT, metadata });
  return readFacts({ content, passage, tag: await loadTagger(), lemmaOf: await loadLemmatizer(), userName });
}

const written = ({ subject, attribute, value, act }: FactDraft) => `${subject} | ${attribute} | ${value} | ${act}`;

async function told(content: string, speaker?: string, userName?: string): Promise<string[]> {
  return (await draftsOf(content, speaker, userName)).map(written);
}

describe("readFacts", () => {
  it.each([
    ["I live in Zurich.", "user | lives_in | Zurich | state"],
    ["I'm allergic to shellfish btw so no prawns.", "user | allergic_to | shellfish | state"],
    ["We're vegetarian except for Jon.", "user | diet | vegetarian | state"],
    ["My flatmate Priya is a nurse at St James.", "Priya | works_as | nurse | state"],
    ["My flatmate Priya is a nurse at St James.", "Priya | works_at | St James | state"],
    ["I'm Daniel Weber from Helio GmbH.", "user | name | Daniel Weber | state"],
    ["Remind me that the dentist is Doctor Holm.", "user | dentist | Doctor Holm | state"],
    ["Max has a nut allergy.", "Max | allergic_to | nut | state"],
    ["I have type 1 diabetes.", "user | condition | type 1 diabetes | state"],
    ["I have no aunt called Odile.", "user | relative | aunt called Odile | end"],
    [
      "The board meets on the first Monday of every month.",
      "user | schedule_of board | the first Monday of every month | state",
    ],
    ["Blood type: A+", "user | blood_type | A+ | state"],
    ["Pharmacy: Lindner", "user | pharmacy | Lindner | state"],
    ["City: Trieste", "user | lives_in | Trieste | state"],
    ["Allergies: peanuts, latex", "user | allergic_to | latex | state"],
    ["We decided to cancel the trip to Lisbon.", "user | plan | trip to Lisbon | cancel"],
    ["My uncle is Paul Reid, he's 70 and still swims.", "uncle | age | 70 | state"],
    ["I'm Judith, and I teach chemistry.", "user | name | Judith | state"],
    ["The club moved training to 8:15 because of the light.", "user | schedule_of training | 8:15 | state"],
    ["Emma starts at Novartis on Monday, from home.", "Emma | works_at | Novartis | state"],
    ["The doctor upped my ramipril to 10 mg.", "user | dose_of ramipril | 10 mg | state"],
    ["They've put the bisoprolol up, 5 now.", "user | dose_of bisoprolol | 5 | state"],
    ["They dropped the ramipril again, it's 2.5 mg now.", "user | dose_of ramipril | 2.5 mg | state"],
    ["I have gout, allopurinol 100 mg after breakfast.", "user | dose_of allopurinol | 100 mg | state"],
    ["I'm on ramipril now, 2.5 milligrams in the morning.", "user | dose_of ramipril | 2.5 milligrams | state"],
    ["They raised Ana's budesonide, 200 twice a day.", "Ana | dose_of budesonide | 200 | state"],
    ["The doctor upped my ramipril too, 10 now.", "user | dose_of ramipril | 10 | state"],
    ["I take levothyroxine, 75 micrograms.", "user | dose_of levothyroxine | 75 micrograms | state"],
    ["The naproxen was raised to 500 twice daily.", "user | dose_of naproxen | 500 twice daily | state"],
    ["My mother Ruth died in 2020.", "user | parent | Ruth (mother) | state"],
    ["I have a cat called Otto who is old and runs the house.", "user | pet | a cat called Otto | state"],
    ["I'm working as a nurse at St Brannock's.", "user | works_as | nurse | state"],
    ["I'm working as a nurse at St Brannock's.", "user | works_at | St Brannock's | state"],
    ["My son started school at Hill Primary.", "son | studies_at | Hill Primary | state"],
    // Names of members of every JavaScript object.
    ["My constructor is Max.", "user | constructor | Max | state"],
    ["I no longer work at ACME.", "user | works_at | ACME | end"],
    ["I used to live in Rome.", "user | lives_in | Rome | end"],
    ["My favourite colour is green now.", "user | favourite_color | green | state"],
    ["My name is <b>Bob</b>.", "user | name | Bob | state"],
    ["My name is &lt;b&gt;Bob&lt;/b&gt;.", "user | name | Bob | state"],
    ["I live in <i>Graz</i>.", "user | lives_in | Graz | state"],
    ["Mona is my boss.", "user | manager | Mona | state"],
    ["My favourite tea is Darjeeling.", "user | favourite_tea | Darjeeling | state"],
    ["The garage code is [REDACTED:password].", "user | code_of garage | [REDACTED:password] | state"],
    ["I'm allergic to peanuts.", "user | allergic_to | peanuts | state"],
    ["I don't like olives anymore.", "user | likes | olives | end"],
    ["I sold the Tesla.", "user | drives | Tesla | end"],
    ["Nadia is engaged to Piotr.", "Nadia | partner | Piotr | state"],
    ["Nadia and Piotr broke up.", "Piotr | partner | Nadia | end"],
    ["I moved from Paris to Rome.", "user | lives_in | Paris | end"],
    ["I moved from Paris to Rome.", "user | lives_in | Rome | state"],
    ["Elif owns the billing service.", "user | owner_of billing service | Elif | state"],
    ["Ownership of the billing service went from Elif to Marco.", "user | owner_of billing service | Marco | state"],
    ["Ownership of the billing service went from Elif to Marco.", "user | owner_of billing service | Elif | end"],
    ["route-planner listens on 8087.", "route-planner | port_of route-planner | 8087 | state"],
    ["The carrier timeout was bumped from 400 ms to 900 ms.", "user | timeout_of carrier | 900 ms | state"],
    ["I'm flying to Tokyo on December 5th.", "user | plan | flying to Tokyo on December 5th | plan"],
    ["The Tokyo trip is cancelled.", "user | plan | Tokyo trip | cancel"],
    ["Actually, my birthday is 5 May, not 6 May.", "user | birthday | 5 May | correct"],
    ["Locker code: 4471", "user | code_of locker | 4471 | state"],
    ["My sister Jana works for Airbus.", "Jana | works_at | Airbus | state"],
    ["My sister Jana works for Airbus.", "user | sibling | Jana (sister) | state"],
    ["My wife is Pilar.", "user | partner | Pilar (wife) | state"],
    ["Always answer in French.", "user | instruction | Always answer in French | state"],
    ["Always answer me in short sentences.", "user | instruction | Always answer me in short sentences | state"],
    ["Sorry, by the way I live in Oslo.", "user | lives_in | Oslo | state"],
    ["By the way, no lists please.", "user | instruction | no lists please | state"],
    ["Just talk to me in ordinary sentences.", "user | instruction | talk to me in ordinary sentences | state"],
    ['Please never say "great question".', 'user | instruction | never say "great question" | state'],
    ["Could you please stop using emojis?", "user | instruction | stop using emojis | state"],
    [
      "Can you leave off the exclamation marks though, I get shouted at all day.",
      "user | instruction | leave off the exclamation marks though, I get shouted at all day | state",
    ],
    ["Can you stop reminding me of the pills?", "user | instruction | stop reminding me of the pills | state"],
    ["And metres with me always.", "user | instruction | metres with me always | state"],
    ["None of those bullet things either.", "user | instruction | None of those bullet things either | state"],
    ["From now on correct my French.", "user | instruction | From now on correct my French | state"],
    ["But never an exclamation mark.", "user | instruction | never an exclamation mark | state"],
    ["No emojis please.", "user | instruction | No emojis please | state"],
    [
      'No bullets please, "bullet" is read aloud.',
      'user | instruction | No bullets please, "bullet" is read aloud | state',
    ],
    ["Answer in German, please.", "user | instruction | Answer in German, please | state"],
    ["From now on, sign my emails with Jo.", "user | instruction | From now on, sign my emails with Jo | state"],
    ["If I ask for recipes, leave out eggs.", "user | instruction | If I ask for recipes, leave out eggs | state"],
    ["I want net prices when you quote any.", "user | instruction | I want net prices when you quote any | state"],
    ["I'd rather you wrote in full sentences.", "user | instruction | I'd rather you wrote in full sentences | state"],
    ["Our new drummer is Piotr.", "user | drummer | Piotr | state"],
    ["I'm Judith, a nurse.", "user | name | Judith | state"],
    ["The password is on the fridge.", "user | location_of password | on the fridge | state"],
    ["My user name is beekoro.", "user | username | beekoro | state"],
    ["The baby's called Fiadh.", "baby | name | Fiadh | state"],
    ["Married to Helen, one daughter.", "user | partner | Helen | state"],
    ["I'm afraid Rex died on Thursday.", "Rex | status | dead | state"],
    ["I'm afraid of dogs.", "user | afraid_of | dogs | state"],
    ["Ich wohne nicht mehr in Bonn.", "user | lives_in | Bonn | end"],
    ["Je travaille chez Renault.", "user | works_at | Renault | state"],
    ["Soy alérgica a los cacahuetes.", "user | allergic_to | cacahuetes | state"],
    ["The user moved to Hamburg in May.", "user | lives_in | Hamburg | state"],
    ["The user lives in Porto and they are allergic to shrimp.", "user | allergic_to | shrimp | state"],
    ["The user prefers tea. They dislike coffee.", "user | dislikes | coffee | state"],
    ["The user lives in Porto. Their birthday is 5 May.", "user | birthday | 5 May | state"],
    ["Maria lives in Porto and they no longer work at Galp.", "Maria | works_at | Galp | end"],
    ["My sister Jana called. Dad fell. She works at Acme.", "Jana | works_at | Acme | state"],
    ["I've put my name down for a triathlon.", "user | plan | triathlon | plan"],
    ["My tutor is dr. Visser and I like her.", "user | tutor | dr. Visser | state"],
    ["The hip is to be Thursday 10 September.", "user | date_of hip | Thursday 10 September | state"],
    ["I'm in a studio in Deventer, alone.", "user | lives_in | studio in Deventer, alone | state"],
    ["Nigel has resigned as treasurer.", "user | treasurer | Nigel | end"],
    ["A black Koga with gears, frame number GZ88.", "user | number_of frame | GZ88 | state"],
    ["I moved to Cork on the eighteenth of April.", "user | lives_in | Cork | state"],
    ["Kampala's cancelled, the hall is taken.", "Kampala | status_of Kampala | cancelled | state"],
    ["rig budget 1.2 million.", "user | budget_of rig | 1.2 million | state"],
    ["Maria has a son. He lives in Ghent.", "Maria's son | lives_in | Ghent | state"],
    ["Maria has a dog. The dog is called Rex.", "Maria | pet | Rex (dog) | state"],
    ["My sister's name is Jana.", "user | sibling | Jana (sister) | state"],
    ["Jana is my older sister.", "user | sibling | Jana (sister) | state"],
    ["Tom isn't my brother.", "user | sibling | Tom (brother) | end"],
    ["I have two sons and a mortgage.", "user | child | two sons | state"],
    ["The rehearsal is on Monday. No, it's Tuesday, not Monday.", "user | date_of rehearsal | Tuesday | correct"],
    ["My dentist is Ana. Sorry, it's Anna, not Ana.", "user | dentist | Anna | correct"],
    ["The locker code is 4471. It's 4417, not 4471.", "user | code_of locker | 4417 | correct"],
    [
      "The rehearsals are on Mondays. Can't do Mondays any more, it's Thursdays.",
      "user | schedule_of rehearsals | Thursdays | state",
    ],
    ["The rent at the shop is 900 euros.", "user | rent_of shop | 900 euros | state"],
    ["Thalia and I live in Porto.", "user | lives_in | Porto | state"],
    ["My wife and I are flying to Oslo on 4 December.", "user | plan | flying to Oslo on 4 December | plan"],
    ["I fly to Porto on 4 December.", "user | plan | fly to Porto on 4 December | plan"],
    ["My car is a blue Skoda.", "user | drives | a blue Skoda | state"],
    ["Elif is new. Her email is elif@example.com.", "Elif | email | elif@example.com | state"],
    ["I'm not vegan.", "user | diet | vegan | end"],
    ["Lea's test was wrong. She isn't coeliac.", "Lea | diet | coeliac | end"],
    ["Lea (my niece, here on Thursdays) is coeliac.", "Lea | diet | coeliac | state"],
    ["Tom Adeyemi is CTO.", "user | cto | Tom Adeyemi | state"],
    ["From January Mark Aldous becomes main supervisor.", "user | supervisor | Mark Aldous | state"],
    ["Ana isn't the treasurer of the choir.", "user | treasurer_of choir | Ana | end"],
    ["The launch is on Friday.", "user | date_of launch | Friday | state"],
    ["They pushed the launch to 14 May.", "user | date_of launch | 14 May | state"],
    [
      "The dentist appointment is 3 June. They pushed it to Friday.",
      "user | date_of dentist appointment | Friday | state",
    ],
    ["We moved the standup to Tuesdays.", "user | schedule_of standup | Tuesdays | state"],
    ["Training: Tue and Thu 18:30", "user | schedule_of training | Tue and Thu 18:30 | state"],
    ["Appointments:\n· Dentist · 14 May\n· Physio · 16 May", "user | date_of physio | 16 May | state"],
    ["Who owns what:\n\nbilling-svc ..... Dagny Moll\nsite ..... Kofi", "user | owner_of site | Kofi | state"],
    ["Ports:\n- geo-cache: 7300\n- notify-hub: 7310", "notify-hub | port_of notify-hub | 7310 | state"],
    ["New locker, number 212, code 4471.", "user | code_of locker | 4471 | state"],
    ["Pauline is here. She takes billing-svc from Ruben.", "billing-svc | owner_of billing-svc | Pauline | state"],
    ["We're moving. A bungalow in Ross, 6 Alders Close.", "user | lives_in | bungalow in Ross, 6 Alders Close | state"],
    ["Abara wants to do an ablation.", "user | status_of ablation | planned | plan"],
    ["I'm not having it. No ablation.", "user | status_of ablation |  | end"],
    ["Ron died in his sleep.", "Ron | location |  | end"],
    [
      "Die Proben sind jetzt donnerstags um acht, weil es passt.",
      "user | schedule_of probe | donnerstags um acht | state",
    ],
    ["Le cours est désormais le jeudi à 18h.", "user | schedule_of cours | le jeudi à 18h | state"],
    ["Mi nueva editora es Claire Duval.", "user | editora | Claire Duval | state"],
    ["My therapist is Dr. Wolf.", "user | therapist | Dr. Wolf | state"],
    ["My daughter Ida is 7.", "Ida | age | 7 | state"],
    ["My sister Bernadette in Halifax drives a van.", "user | sibling | Bernadette (sister) | state"],
    ["We're getting married.", "user | plan | get married | plan"],
    ["Roz has put her price to 75p and I've agreed.", "Roz | price | 75p | state"],
    ["My brother Sahan's in Colombo, he's the quiet one.", "user | sibling | Sahan (brother) | state"],
    ["Theo is three, he lasted until the end of the concert.", "Theo | age | three | state"],
    ["Our daughter Maya was born on 3 August.", "Maya | born | 3 August | state"],
    ["I live with my aunt in Leeds.", "user | lives_in | Leeds | state"],
    ["I live with my aunt in Leeds.", "user | lives_with | aunt | state"],
    ["My gym is Fit4U on Baker Street.", "user | gym | Fit4U on Baker Street | state"],
    ["We meet on Thursdays.", "user | time_of meet | Thursdays | state"],
    ["Please call me Sandy, not Alex.", "user | nickname | Sandy | state"],
    ["New locker code: 9023.", "user | code_of locker | 9023 | state"],
    ["The rent's 900 euros now.", "user | rent | 900 euros | state"],
    ["The choir's Mondays and Thursdays.", "user | schedule_of choir | Mondays and Thursdays | state"],
    ["The exam's Tuesday.", "user | date_of exam | Tuesday | state"],
    ["The gym closes and Nora's secretary now.", "user | secretary | Nora | state"],
    ["The locker is 44.", "user | number_of locker | 44 | state"],
    ["The landlord rang. He moved to Malta.", "landlord | lives_in | Malta | state"],
    ["The team lunch is Wednesday half ten.", "user | schedule_of team lunch | Wednesday half ten | state"],
    ["We rehearse Fridays in the town hall.", "user | time_of rehearse | Fridays in the town hall | state"],
    ["Yoga, the old mill, Mondays at 7.", "Yoga | schedule_of Yoga | Mondays at 7 | state"],
    ["The hearing is on 12 May at the county court.", "user | date_of hearing | 12 May | state"],
    ["Two pills now, lisinopril 20 at night.", "user | dose_of lisinopril | 20 | state"],
    ["I'm on metoprolol 50 mg since March.", "user | dose_of metoprolol | 50 mg | state"],
    ["My aunt takes apixaban 5 mg.", "aunt | dose_of apixaban | 5 mg | state"],
    ["Pantoprazole's halved to 20.", "user | dose_of pantoprazole | 20 | state"],
    ["They took me off atenolol.", "user | dose_of atenolol |  | end"],
    ["Rosuvastatin 5 instead of simvastatin 40.", "user | dose_of simvastatin | 40 | end"],
    ["I charge 35 euros a lesson.", "user | price_of lesson | 35 euros a lesson | state"],
    ["We've moved. 12 Abbey Road, top floor.", "user | lives_in | 12 Abbey Road | state"],
    ["They've moved me again. Ward 9, surgical.", "user | assigned_to | Ward 9 | state"],
    ["Room 31, by the stairs.", "user | room | 31 | state"],
    ["Next month we do the Alps.", "user | plan | do the Alps | plan"],
    ["Wir sind umgezogen. Lindenstraße 4, dritter Stock.", "user | lives_in | Lindenstraße 4 | state"],
    ["Im Mai ziehen wir um, nach Kassel.", "user | lives_in | Kassel | state"],
    ["Oma ist jetzt im Heim. Zimmer 12, mit Balkon.", "Oma | zimmer | 12 | state"],
    ["Nous déménageons en juin, à Nantes, avec mes parents.", "user | lives_in | Nantes | state"],
    ["Me mudo otra vez con mi hermana, a Vallecas.", "user | lives_in | Vallecas | plan"],
  ])("reads %j as %j", async (content, expected) => {
    expect(await told(content)).toContain(expected);
  });

  it.each([
    ["From: Tomas Lind\nSubject: terms\nDeadline: 4 May", /from|subject/],
    ["My goal is to get people involved.", /goal/],
    ["I'm on long days now, 7 to half seven.", /assigned_to/],
    ["Head is Mrs Calloway, caretaker is Len Moss.", /_of head/],
    ["Oskar from platform is keen.", /platform_of/],
    ["My son started school at Hill Primary.", /works_at/],
    ["Delmore butter is 8.65 from 1 June.", /schedule/],
    ["The big sourdough goes for 4.20.", /schedule/],
    ["The eviction never ran when ttl was 0.", /owner_of/],
    ["Rafal: mine.", /rafal \|/],
    ["We adopted a cat, her name is Pixel.", /^name/],
    ["I run 5 km every morning.", /owner_of/],
    ["I studied hard and learned a lot.", /studies|learns/],
    ["I'll let you know how it goes.", /plan/],
    ["Winning the cup is my number one goal.", /number_of/],
    ["Our team worked together to help those in need.", /works_in/],
    ["Having a strong team is key - it's like a family.", /key_of/],
    ["Loving your new flat.", /likes/],
    ["I moved out and live on my own now.", /lives_in/],
    ["The wedding has been moved to September, still in Ely.", /lives_in/],
    ["Und der Bescheid ist da: Pflegegrad 3.", /bescheid \|/],
    ["I have a bag, from a shop called Wild Craft.", /call/],
    ["The user works at Google and they are vegan.", /diet/],
    ["The user likes cats and they are vegan.", /diet/],
    ["Ann and Ben live in Porto and they are vegan.", /diet/],
    ["I live in Porto and they are vegan.", /diet/],
    ["I led the workshop in Bonn yesterday.", /owner_of/],
    ["She ran the hospital's 10k on Sunday.", /owner_of/],
    ["I put the curry leaves in cold oil.", /location_of/],
    ["The shop went bust on Wednesday.", /date_of/],
    ["The rent is due.", /rent/],
    ["Parental leave, six months.", /leave/],
    ["Lolly sticks with names.", /stick/],
    ["Burnt photo. Don't ask!", /instruction/],
    ["Liis comes here, two weeks in November.", /status_of/],
    ["And Tuesday was the flu jab clinic.", /^be/],
    ["Christmas was quiet.", /^be/],
    ["Never mind.", /instruction/],
    ["Talk to me tomorrow.", /instruction/],
    ["Keep it short today.", /instruction/],
    ["When you get to my age, knees hurt.", /instruction/],
    ["If you ask me, the roof leaks.", /instruction/],
    ["From now on I leave the house at six.", /instruction/],
    ["The book answers my questions.", /instruction/],
    ["The plan for the messages is done.", /instruction/],
    ["List of messages from Ana.", /instruction/],
    ["Order tables from the joiner.", /instruction/],
    ["The hall cancelled it.", /hall/],
    ["The club dropped her on the 19th.", /status_of|plan/],
    ["I like the list when you are old.", /instruction/],
    ["I gave up that one, too many chords.", /that one/],
    ["Lorna is for it.", /^be/],
    ["I do everything at once.", /^do /],
    ["I've never been happier.", /^be/],
    ["I wanted to learn the piano.", /learns|plan/],
    ["Iban is from Sarawak.", /iban/],
    ["The trip is off, I'm afraid.", /^be/],
    ["I've joined Tommo's Monday lot.", /works_at/],
    ["I joined Vertigo in March.", /works_at/],
    ["We went back to Basic.", /lives_in/],
    ["I'm on a Pixel 7 with Android 14.", /assigned_to/],
    ["We dropped her on the 19th, second floor.", /status_of|plan/],
    ["I've turned the big tank down to 24.", /number_of/],
    ["The lock that they put in had failed.", /^put in/],
    ["Jo came by. She paints the fence.", /^paint/],
    ["Ciara got the job. Rang from Bonn at four.", /^ring/],
    ["Molehill 3.2.1 is out, Python 3 only.", /instruction/],
    ["The man left for Lincoln and since Saturday she's at Rodley.", /location/],
    ["Pepper's tired. Dr Amrit tested her blood. She's on thyroxine now.", /^be \| on/],
    ["The papers are dated 20 June, so it's 60/40.", /^be \| 60/],
    ["Don't tell the boss but I slept in.", /instruction/],
    ["I've never liked a soup like this.", /dislikes/],
    ["Anything I cook goes in the freezer.", /^cook/],
    ["Half of it, if we're honest, is junk.", /^be \|/],
    ["They closed the pool, so it's badminton at the school.", /^be \|/],
    ["I'd only be too tired.", /^be/],
    ["The oak edges cross the path.", /^edge/],
    ["The honey is 6.40 a jar.", /schedule/],
    ["Darling's Pride went in on Saturday.", /date_of/],
    ["Im Mai geht's nach Bonn.", /^be/],
    ["Don't know how long that takes.", /instruction/],
    ["They turned my room into a library.", /room/],
    ["They cancelled the one on 14 November.", /status_of|plan/],
    ["I've put my hours up at the bakery.", /location_of/],
    ["I have a cat called Otto who is old and runs the house.", /owner_of/],
    ["My husband Tom died in 2020.", /partner/],
    ["Running's moved to the park but still Sundays.", /lives_in/],
    ["Omar ordered one.", /order/],
    ["Dilys was on shift and saw me.", /assigned_to/],
    ["I now buy off a young woman in town.", /owns/],
    ["Paperbacks are 3 euros each or four for ten.", /price_of or/],
    ["We're called Wrong Drawer.", /^name/],
    ["I get most of my stock from Mr Dunmore.", /owner/],
    ["Everything I own smells of garlic.", /owner/],
    ["I work from the kitchen table at the moment.", /works_at/],
    ["Leonard runs the shop. She adores beards.", /likes/],
    ["Ann and Ben arrived with a boy, he's two.", /age/],
    ["My sister-in-law Maureen came.", /sibling/],
    ["Zweitens: der Chef hört auf.", /zweitens/],
    ["Only Encarna and I have it.", /instruction/],
    ["The negotiations are at a delicate stage.", /location/],
    ["Two paid staff, me and Kwame.", /pay/],
    ["Bikes allowed, coffee awful.", /allow/],
    ["I round up myself when I'm tired.", /^be/],
    ["Film server is port 8920.", /of is/],
    ["One bar here, so I'll be short.", /^be/],
    ["Paolo grew 6 cm while I was out.", /^be/],
    ["", /^$/],
  ])("reads no attribute from %j that matches %s", async (content, slot) => {
    const drafts = await draftsOf(content, content.startsWith("Rafal") ? "Rafal" : undefined);
    expect(drafts.map(({ attribute }) => `${attribute} |`).filter((attribute) => slot.test(attribute))).toEqual([]);
  });

  it.each([
    "The rent is 700. It's cold, not warm.",
    "The rent is 700. Is it 750, not 700?",
    "The rent is 700. If it's 750, not 700, we leave.",
    "The rent is 700. It's 750 at Ana's, not 800.",
    "I live in Rome. It's a big city, not a village.",
  ])("corrects nothing by %j", async (content) => {
    const drafts = await draftsOf(content);
    expect(drafts.map(({ act }) => act)).not.toContain("correct");
    expect(drafts.filter(({ cardinality }) => cardinality === "single")).toHaveLength(1);
  });

  it.each([
    "She passed with the best marks of all.",
    "It opened a year later than Keith promised.",
    "May the bells be spared.",
    "says everybody's paying it",
    "They gave no reason for the delay either.",
    "Die hat den ganzen Abend laut gelacht.",
    "If they close I'd rather clean windows than wait.",
    'Here is what the accountant wrote: "Year end stays 31 March.',
    "Internal rotation, two weeks days, one week nights.",
    "Gijs cleans the tank twice a day.",
    "I could eat ramen every single day.",
    "The new scanner shows every scratch.",
  ])("reads no fact from %j, which fills no slot", async (content) => {
    expect(await draftsOf(content)).toEqual([]);
  });

  it.each([
    ["Where do you live?", "Antwerp.", "user | lives_in | Antwerp | state"],
    ["What's your name?", "Ravindra", "user | name | Ravindra | state"],
    ["Do you have any allergies?", "Shellfish.", "user | allergic_to | Shellfish | state"],
    ["Are you vegetarian?", "Yes", "user | diet | vegetarian | state"],
    ["Are you vegetarian?", "No", "user | diet | vegetarian | end"],
    ["Do you eat meat?", "No.", "user | does_not_eat | meat | state"],
  ])("reads a short answer with its question: %s %s", async (question, answer, expected) => {
    const before = [{ role: "assistant" as const, content: question }];
    const passage = await readPassage({ content: answer, before, metadata: {} });
    const drafts = readFacts({ content: answer, passage, tag: await loadTagger(), lemmaOf: await loadLemmatizer() });
    expect(drafts.map(written)).toContain(expected);
  });

  it.each([
    ["I lived in Nantes from 2012 to 2016.", "2012-01-01", "2017-01-01"],
    ["I took prednisone from 4 January to 20 February 2025.", "2025-01-04", "2025-02-21"],
  ])("reads the interval from %j", async (content, valid_from, valid_to) => {
    expect((await draftsOf(content))[0]).toMatchObject({ valid_from, valid_to });
  });

  it("gives every fact a subject, an attribute and, unless it ends a slot, a value", async () => {
    const content = "I live in Bonn, the printer hums. My sister Jana no longer works for Airbus, she says. Rex died.";
    for (const { subject, attribute, value, act } of await draftsOf(content)) {
      expect([subject, attribute]).not.toContain("");
      if (act !== "end") expect(value).not.toBe("");
    }
  });

  it("maps the first person to the speaker", async () => {
    expect(await told("I live in Bonn.", "Rafa")).toEqual(["Rafa | lives_in | Bonn | state"]);
    expect(await told("I live in Bonn.", "Rafa Ortiz", "Rafa Ortiz")).toEqual(["user | lives_in | Bonn | state"]);
  });

  it("maps the user's name to the user in any role's messages", async () => {
    const said = "Anna moved to Berlin. She works at ACME. Anna's port is 80.";
    const expected = ["user | lives_in | Berlin | state", "user | works_at | ACME | state"];
    expect(await told(said, undefined, "anna")).toEqual(expect.arrayContaining(expected));
    expect(await told("Anna moved to Berlin.", undefined, "Anna Meyer")).toContain(expected[0]);
    expect(await told("Anna moved to Berlin.", undefined, "Hannah")).toContain("Anna | lives_in | Berlin | state");
  });

  it.each([
    'She said: "I live in Rome and I hate olives."',
    'The mail says "Hello there. Always send the invoices to Ivo. My favourite colour is red."',
    "He wrote “never answer in French. I work at ACME”.",
  ])("does not attribute quoted words to the user: %j", async (content) => {
    const drafts = await draftsOf(content);
    const own = drafts.filter(({ subject }) => subject === "user");
    expect(own.map(written)).toEqual([]);
  });

  it("ignores quoted statements of other people about themselves", async () => {
    expect(await told('"Sad news from me. I am leaving the firm on 22 May to join another one."')).toEqual([]);
  });

  it.each([
    [
      "From: Dana\nTo: Sam\n\nI live in Bern.\n\nBest,\nDana\n\nI am allergic to fish.",
      ["Dana | lives_in | Bern | state"],
    ],
    ["Tash: who is in?\nDev: me\nRob: running late\n\nI am allergic to fish.", []],
  ])("reads the user's own words after those of others: %j", async (content, others) => {
    expect(await told(content)).toEqual([...others, "user | allergic_to | fish | state"]);
  });

  it("leaves the paragraphs of a turn to its speaker", async () => {
    const answers = "Host: Where do you live?\n\nRolf: That is a long story.\n\nI live in Tartu.";
    expect(await told(answers)).toContainEqual("Rolf | lives_in | Tartu | state");
    expect(await told("Rolf: I moved house.\n\nI live in Tartu.")).toContainEqual("Rolf | lives_in | Tartu | state");
  });

  it("reads no facts about the user from the assistant", async () => {
    expect(await told("You live in Bonn. I'd recommend the blue one from Kamm.", "assistant")).toEqual([
      "assistant | recommended | the blue one from Kamm | state",
    ]);
  });

  it("derives times from dates and tense", async () => {
    const [moved] = await draftsOf("I moved to Berlin last month.");
    expect(moved).toMatchObject({ valid_from: "2026-04-01" });
    const [since] = await draftsOf("I've worked at Tesco since 2019.");
    expect(since).toMatchObject({ attribute: "works_at", valid_from: "2019-01-01" });
    const [former] = await draftsOf("I used to live in Rome.");
    expect(former).toMatchObject({ valid_to: "2026-05-04" });
    const [off] = await draftsOf("The party on 25 December is off.");
    expect(off).not.toHaveProperty("valid_from");
  });

  it("reads no age of several people", async () => {
    expect(await told("We're three now on rue de Siam.")).not.toContain("user | age | three | state");
  });

  it("returns the position of a statement, with any white space and marks around it", async () => {
    const content = "Hello!\n\n  I   live in\tZurich.\n> I’m allergic to peanuts.";
    for (const { span, value } of await draftsOf(content)) {
      expect(content.slice(span.start, span.end)).toContain(value);
    }
  });

  it("is deterministic", async () => {
    const content = "I live in Bonn. My sister Jana moved to Lyon in March and works for Airbus.";
    expect(await draftsOf(content)).toEqual(await draftsOf(content));
  });
});
