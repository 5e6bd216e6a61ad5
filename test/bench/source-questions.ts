/** A question about a document, and the text of the chunk that answers it. */
export interface SourceQuestion {
  question: string;
  answer: string;
}

/**
 * A fact that only one page of the manual states: as a sentence, as the words to look for, and as a question in other
 * words.
 */
interface ManualFact {
  section: string;
  fact: string;
  exact: string;
  paraphrase: string;
  answer: string;
}

const fact = (section: string, statement: string, answer: string, exact: string, paraphrase: string): ManualFact => ({
  section,
  fact: statement,
  exact,
  paraphrase,
  answer,
});

const FACTS: readonly ManualFact[] = [
  fact(
    "Pilotage",
    "Pilots board inbound tankers four miles west of the outer buoy, from the lee side.",
    "four miles west",
    "pilots board inbound tankers outer buoy",
    "Where does the guide come on deck of an arriving oil ship?",
  ),
  fact(
    "Towage",
    "A vessel longer than ninety metres takes two tugs, and a third one when the wind exceeds thirty knots.",
    "takes two tugs",
    "vessel longer than ninety metres tugs",
    "How many small boats have to pull a big freighter in?",
  ),
  fact(
    "Mooring lines",
    "Hawsers that show melted yarns are cut up the same day, so that nobody uses them again.",
    "melted yarns",
    "hawsers that show melted yarns",
    "What do we do with ropes damaged by heat?",
  ),
  fact(
    "Fenders",
    "Wooden hulls lie against rubber fenders only, because tyres leave black marks on the paint.",
    "black marks",
    "wooden hulls rubber fenders tyres",
    "Why are car wheels not allowed next to timber boats?",
  ),
  fact(
    "Berth fees",
    "Lifeboats and research vessels pay no berth fee for the first fourteen days.",
    "first fourteen days",
    "lifeboats and research vessels berth fee",
    "How long can a scientific ship stay without being charged?",
  ),
  fact(
    "Late payment",
    "An invoice that is open after sixty days goes to the court of the district, with two warnings before it.",
    "after sixty days",
    "invoice open after sixty days court",
    "When do we take somebody to law over unpaid bills?",
  ),
  fact(
    "Cranes",
    "The yellow gantry lifts forty-five tonnes when its boom is raised, and half of that when it is lowered.",
    "forty-five tonnes",
    "yellow gantry lifts tonnes boom",
    "What is the maximum load of the biggest lifting machine?",
  ),
  fact(
    "Crane stops",
    "Crane drivers put down their load and stop when gusts reach fifty-five kilometres an hour.",
    "fifty-five kilometres",
    "crane drivers stop gusts kilometres an hour",
    "At which wind speed must hoisting end?",
  ),
  fact(
    "Containers",
    "Reefer containers are plugged in within twenty minutes of landing, or the cargo's owner is called.",
    "within twenty minutes",
    "reefer containers plugged in",
    "How quickly does refrigerated freight need electricity?",
  ),
  fact(
    "Dangerous goods",
    "Explosives are unloaded at the eastern mole between sunrise and noon, under a red flag.",
    "eastern mole",
    "explosives unloaded red flag",
    "Where and when may dynamite be brought ashore?",
  ),
  fact(
    "Spills",
    "Whoever sees oil on the water calls extension 311 before doing anything else.",
    "extension 311",
    "oil on the water extension",
    "Which number do I dial about a slick of fuel?",
  ),
  fact(
    "Booms",
    "The floating barrier is kept in the green shed and takes three people to unroll.",
    "green shed",
    "floating barrier green shed",
    "Where is the equipment stored that contains pollution?",
  ),
  fact(
    "Fire",
    "The fire pump draws sea water and is tested on the first Monday of each month.",
    "first Monday",
    "fire pump sea water tested",
    "How often do we check the gear against flames?",
  ),
  fact(
    "First aid",
    "The defibrillator hangs beside the canteen door, and its battery is replaced every second spring.",
    "canteen door",
    "defibrillator battery replaced",
    "Where do I find help for somebody whose heart stopped?",
  ),
  fact(
    "Man overboard",
    "Throw a ring first and shout the berth number, since the radio operator cannot see the quay.",
    "shout the berth number",
    "throw a ring shout the berth number",
    "What should I call out when a colleague falls into the basin?",
  ),
  fact(
    "Night shift",
    "The night shift begins at ten in the evening with a written handover on the blue clipboard.",
    "blue clipboard",
    "night shift begins written handover",
    "How do the people who work in the dark learn what happened before?",
  ),
  fact(
    "Leave",
    "Holidays in July and August are requested before the end of February.",
    "end of February",
    "holidays July August requested",
    "Until when can I ask for summer vacation?",
  ),
  fact(
    "Training",
    "New deckhands accompany an experienced colleague for six weeks before they work alone.",
    "six weeks",
    "new deckhands accompany experienced colleague",
    "How long is a beginner supervised?",
  ),
  fact(
    "Overtime",
    "Extra hours are paid at one and a half times the wage, or taken as free time within three months.",
    "one and a half times",
    "extra hours paid wage free time",
    "What do I earn for staying longer than my shift?",
  ),
  fact(
    "Uniform",
    "Boots are replaced once a year at no cost, against the old pair.",
    "against the old pair",
    "boots replaced once a year",
    "Do I have to buy my own work shoes?",
  ),
  fact(
    "Lighthouse",
    "The lamp of the northern light turns once in twelve seconds and is visible for nineteen miles.",
    "nineteen miles",
    "lamp of the northern light visible",
    "From how far away can the beacon be seen?",
  ),
  fact(
    "Fog",
    "In fog the horn sounds every thirty seconds, and small craft wait inside the breakwater.",
    "every thirty seconds",
    "fog horn sounds small craft wait",
    "What happens when visibility is poor?",
  ),
  fact(
    "Tides",
    "At spring tide the sill of the old dock has only two metres of water.",
    "only two metres",
    "spring tide sill of the old dock",
    "How shallow does the historic basin get?",
  ),
  fact(
    "Dredging",
    "Sand is removed from the channel each autumn and dumped beyond the twenty-metre line.",
    "twenty-metre line",
    "sand removed from the channel each autumn",
    "Where does the mud go that is dug out of the fairway?",
  ),
  fact(
    "Ice",
    "The ice breaker leaves at five in the morning while the basin is frozen.",
    "five in the morning",
    "ice breaker leaves basin frozen",
    "When does the boat go out that opens the way in a hard winter?",
  ),
  fact(
    "Customs",
    "Sealed lorries leave by the southern gate, where two officers compare the numbers of the seals.",
    "southern gate",
    "sealed lorries leave southern gate officers",
    "Which exit do closed trucks take to be inspected?",
  ),
  fact(
    "Visitors",
    "Visitors carry a white badge and never walk beyond the yellow line without a companion.",
    "white badge",
    "visitors white badge yellow line",
    "What do guests wear on the site?",
  ),
  fact(
    "Cameras",
    "Recordings of the gate are erased after nine days unless the police ask for them.",
    "after nine days",
    "recordings of the gate erased",
    "How long is surveillance footage kept?",
  ),
  fact(
    "Keys",
    "A lost key is reported within the hour, and the cylinder is exchanged by the locksmith from Braga.",
    "locksmith from Braga",
    "lost key reported cylinder exchanged",
    "Who changes the door when I can no longer find what opens it?",
  ),
  fact(
    "Parking",
    "Staff leave their cars behind the sail loft, since the forecourt is for ambulances.",
    "sail loft",
    "staff leave their cars sail loft",
    "Where can employees put their vehicles?",
  ),
  fact(
    "Fish market",
    "The auction opens at a quarter past four, and crates without a tag are not sold.",
    "quarter past four",
    "auction opens crates without a tag",
    "What time does the sale of the catch start?",
  ),
  fact(
    "Ice for fish",
    "Crushed ice costs eleven cents a kilogram and is weighed at the chute.",
    "eleven cents",
    "crushed ice costs kilogram chute",
    "What is the price of cooling the catch?",
  ),
  fact(
    "Waste",
    "Nets that cannot be mended go to the recycler in Aveiro, who turns them into carpets.",
    "turns them into carpets",
    "nets that cannot be mended recycler",
    "What becomes of fishing gear that is torn for good?",
  ),
  fact(
    "Drinking water",
    "Ships take fresh water from the marked blue posts, after letting it run for two minutes.",
    "blue posts",
    "ships take fresh water posts",
    "Where can a crew fill its tank for the kitchen?",
  ),
  fact(
    "Shore power",
    "Ferries switch their engines off and use shore power when they stay longer than an hour.",
    "use shore power",
    "ferries switch their engines off shore power",
    "Must passenger boats stop running their motors at the quay?",
  ),
  fact(
    "Complaints",
    "A complaint about noise is answered in writing by the deputy harbour master within ten days.",
    "deputy harbour master",
    "complaint about noise answered in writing",
    "Who replies to neighbours who are kept awake?",
  ),
  fact(
    "Weather",
    "The forecast is posted at six and at eighteen hours on the board beside the weighbridge.",
    "beside the weighbridge",
    "forecast is posted board weighbridge",
    "Where do I read whether a storm is coming?",
  ),
  fact(
    "Radio",
    "Channel twelve is for traffic, and private talk on it costs the ship its next slot.",
    "Channel twelve",
    "channel twelve traffic private talk",
    "What is the penalty for chatting on the frequency?",
  ),
  fact(
    "Archives",
    "Logbooks older than thirty years are given to the museum of the sea.",
    "museum of the sea",
    "logbooks older than thirty years",
    "Where do ancient records end up?",
  ),
  fact(
    "Elections",
    "The council of the port is elected in May by everybody who has worked here for two years.",
    "elected in May",
    "council of the port is elected",
    "Who may vote for the board that represents us?",
  ),
];

/** Filler prose that every page contains in some form, from which the facts must be distinguished. */
const SUBJECTS =
  "the author,the reader,the editor,the assistant,the manager,the committee,the newcomer,the reviewer".split(",");
const VERBS = "checks,describes,prepares,explains,discusses,plans,reviews,compares".split(",");
const OBJECTS =
  "the order of the steps,the wording of the rules,the list of names,the notes of the week,the outline of the chapter,the reasons for a change,the questions of the audit,the figures of the year,the examples on the margin,the drawings of the annex".split(
    ",",
  );
const TIMES =
  "before each meeting,in the quiet hours,at the end of the week,as soon as a draft is ready,when the season changes,after every review,while the minutes are open,on a regular basis".split(
    ",",
  );
const REASONS =
  "because the next edition relies on it,so that nothing is forgotten,as the older hands have always done,since many opinions have to be heard,which takes more patience than skill,though few people ever notice it,and keeps a copy for a year,without waiting to be asked".split(
    ",",
  );
const PARAGRAPHS = 4;
const SENTENCES = 7;
const CHAPTERS = 20;

/** Returns a manual of 60 pages of about 300 words, each a section; forty of them have a fact in the middle. */
export function manual(): string {
  let state = 7;
  const pick = (words: readonly string[]) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return words[Math.floor(state / 65_536) % words.length] ?? "";
  };
  const sentence = (topic?: string) => {
    const about = topic === undefined ? "" : ` and what concerns ${topic.toLowerCase()}`;
    const text = `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}${about} ${pick(TIMES)}, ${pick(REASONS)}.`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const paragraph = (topic: string) =>
    [sentence(topic), ...Array.from({ length: SENTENCES - 1 }, () => sentence())].join(" ");
  const sections = Array.from({ length: CHAPTERS * 3 }, (_, page) => {
    const found = page % 3 === 2 ? undefined : FACTS[Math.floor(page / 3) * 2 + (page % 3)];
    const title = found?.section ?? `Notes of chapter ${Math.floor(page / 3) + 1}`;
    const paragraphs = Array.from({ length: PARAGRAPHS }, () => paragraph(title));
    if (found) paragraphs[2] = `${sentence(title)} ${found.fact} ${paragraphs[2]}`;
    const chapter = page % 3 === 0 ? `## Chapter ${page / 3 + 1}\n\n` : "";
    return `${chapter}### ${title}\n\n${paragraphs.join("\n\n")}`;
  });
  return `# Manual of the harbour\n\n${sections.join("\n\n")}\n`;
}

export const PARAPHRASED: readonly SourceQuestion[] = FACTS.map(({ paraphrase, answer }) => ({
  question: paraphrase,
  answer,
}));
export const EXACT: readonly SourceQuestion[] = FACTS.map(({ exact, answer }) => ({ question: exact, answer }));

/** Questions about the pages for new users; every answer is a part of their text. */
export const README_QUESTIONS: readonly SourceQuestion[] = [
  { question: "What do I need to have installed to run it?", answer: "Node 20 or newer" },
  { question: "How do I start the server?", answer: "npm start        # http" },
  { question: "Where is the first key kept?", answer: ".data/secrets.json" },
  { question: "Which command copies the data while it runs?", answer: "npm run backup -- --to FOLDER" },
  { question: "What can sign-in be done with besides a password?", answer: "by password, Google or GitHub" },
  { question: "What database is used on one machine?", answer: "SQLite, FTS5" },
  { question: "Which AWS services does it need?", answer: "DynamoDB, OpenSearch" },
  { question: "Where does the code of the endpoints live?", answer: "endpoint groups and workers" },
  { question: "What is in the shared kernel folder?", answer: "errors, ids, clock, configuration" },
  { question: "How long does AWS lag behind a write before search sees it?", answer: "on AWS both lag" },
  { question: "Which variable sets the port?", answer: "| `PORT` | 3000 |" },
  { question: "How do I change the folder of the data?", answer: "| `DATA_DIR` | .data |" },
  { question: "How many days are log lines kept?", answer: "| `LOG_RETENTION_DAYS` | 30 |" },
  { question: "Can I stop strangers from signing up?", answer: "`ALLOW_REGISTRATION`" },
  { question: "How do I choose where vectors come from?", answer: "| `EMBEDDER` |" },
  { question: "Is there a second stage that reads the best results again?", answer: "| `RERANKER` |" },
  { question: "Which chat model of OpenAI is the default?", answer: "gpt-4o-mini" },
  { question: "How often are the keys changed that sign access tokens?", answer: "`SIGNING_ROTATION_DAYS`" },
  { question: "What does a deployment cost each month?", answer: "about 32 dollars a month" },
  { question: "How do I deploy it to my account?", answer: "npx cdk bootstrap" },
  { question: "How can I try the Lambda functions without AWS?", answer: "AWS SAM CLI" },
  { question: "What runs the tests with failing ports?", answer: "npm run test:faults" },
  { question: "How are requests load tested?", answer: "npm run load" },
  { question: "How soon is a revoked key refused by other processes?", answer: "within 10 seconds in others" },
];

/** Questions about the pages for operators, written before anything was measured on them. */
export const OPERATOR_QUESTIONS: readonly SourceQuestion[] = [
  { question: "What happens to a hook whose address answers that it is gone for good?", answer: "A status of 410" },
  { question: "For how long are undeliverable events kept?", answer: "kept for 90 days" },
  { question: "Can a notification reach me twice?", answer: "may arrive more than once" },
  { question: "How do I verify that a callback really came from the service?", answer: "hexadecimal HMAC-SHA256" },
  { question: "Which signatures do receivers get right after I replace the secret?", answer: "both secrets sign" },
  { question: "Does bulk loading of data notify my listeners?", answer: "also a change by an import" },
  { question: "How long until a login must be renewed?", answer: "access token for 15 minutes" },
  { question: "What if I mistype my password many times?", answer: "Ten failures within 15 minutes" },
  { question: "I lost my phone with the authenticator, how do I get in?", answer: "recovery codes. From then on" },
  { question: "Who gets the things of an employee who left?", answer: "names who gets the API keys" },
  { question: "How many active keys may a team have?", answer: "team 1,000" },
  { question: "How do I wipe everything about one person?", answer: "?erase=true" },
  { question: "How long do removed records survive in the cloud provider's own snapshots?", answer: "35 and 30 days" },
  { question: "What may somebody do who signed in with a password that an admin set?", answer: "A temporary password" },
  {
    question: "What happens when two people claim the same mail address?",
    answer: "An address belongs to the first user",
  },
  { question: "How quickly does the process end after Ctrl-C?", answer: "the process exits with code 1" },
  {
    question: "Which endpoint tells a load balancer to send no more traffic during shutdown?",
    answer: "`GET /ready` answers 503",
  },
  { question: "When is the state of the system called degraded?", answer: "the disk is 90% full" },
  { question: "How big may the body of a request be?", answer: "other routes up to 1 MB" },
  { question: "Which encryption is used towards the mail server?", answer: "`smtps:` uses TLS from the start" },
  { question: "Which permissions do the files on disk get?", answer: "Folders have mode 0700" },
  { question: "How do I fix search that does not find stored memories?", answer: "Run a sync if search misses" },
  {
    question: "Does a background task start from the beginning after a failed attempt?",
    answer: "is repeated from the checkpoint",
  },
  { question: "How long may the analysis of one text take?", answer: "more than 15 seconds" },
  {
    question: "Can people still search while I switch to a new model for vectors?",
    answer: "searches use the previous vectors",
  },
  { question: "How long can I download what I exported?", answer: "files are kept for 24 hours" },
  { question: "Why is there a quote mark in front of my spreadsheet cells?", answer: "begins with an apostrophe" },
  { question: "How do I bring over my chats from another assistant?", answer: "the export of ChatGPT or Claude" },
  { question: "What happens if I load the same file again?", answer: "creates no duplicates" },
  { question: "How do I look for a word in one conversation?", answer: "messages?q=" },
  { question: "When does a dialogue turn into memories?", answer: "decides when messages become memories" },
  { question: "Can I reopen a conversation that was put away?", answer: "undoes the archiving" },
  {
    question: "What is done with long chats that exceed what the model can read?",
    answer: "no longer fit `context_window`",
  },
  {
    question: "Are credentials passed on when a server forwards us to another host?",
    answer: "sends only the headers `accept`",
  },
  { question: "What happens to tokens when the URL of a connection is edited?", answer: "loses its stored tokens" },
  { question: "Is every function tested for texts that would take quadratic time?", answer: "163 functions and" },
];
