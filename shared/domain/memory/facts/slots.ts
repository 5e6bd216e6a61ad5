import type { Cardinality } from "./fact.ts";

/** How a verb affects its slot: the value holds during the action, begins with it, or ends with it. */
export type Effect = "state" | "start" | "end";

export interface VerbSlot {
  /** Lemmas with their particles: "move_in". */
  verbs: string;
  slot: string;
  /** Where the value is: the verb's object, or after one of these prepositions. */
  via: "object" | readonly string[];
  effect: Effect;
  /** The kind of value, or a pattern that it matches. */
  value?: "name" | "person" | "definite" | "place" | "organization" | "number" | "money" | "vehicle" | "job" | RegExp;
  /** The slot belongs to the object ("owner_of billing service"), and the subject is its value. */
  isInverse?: boolean;
  /** The slot is a property of the subject ("port_of route-planner"). */
  isProperty?: boolean;
  /** The slot does not apply to persons. */
  isOfThing?: boolean;
  /** The slot is a property of the object: "keeps the pen in the drawer" says where the pen is. */
  isOfObject?: boolean;
  /** The slot of the negated verb: someone who does not like something dislikes it. */
  negated?: string;
  /** A preposition after which a person must be named: "takes the team from Ruben". */
  besides?: string;
  /** The verb needs no value: "I resigned". */
  allowsEmpty?: boolean;
}

const list = (words: string): readonly string[] => words.split(" ");
const VEHICLE =
  /\b(?:car|van|bike|bicycle|motorbike|scooter|truck|tesla|fiat|skoda|škoda|volvo|bmw|audi|vw|volkswagen|toyota|honda|ford|kia|renault|peugeot|citro[eë]n|opel|seat|mazda|nissan|hyundai|mercedes|porsche|dacia|mini|jeep|subaru|vespa|boat)\b/i;
/** "a dog", "another black cat called Miso", but not "a dog bed". */
const PET =
  /^(?:an?|another|two|three|our|my) (?:[\p{L}-]+ ){0,2}(?:dog|cat|pupp(?:y|ies)|kitten|rabbit|parrot|hamster|horse|tortoise|budgie)s?(?:$|,| called | named | from )/iu;
const WARD = /\b(?:ward|unit|team|department|floor|desk|project|squad|shift|hdu|icu|\d{1,3})\b/i;

/** Slots of verbs, in order of precedence. A slot that is not in `SINGLE` has many values at a time. */
export const VERB_SLOTS: readonly VerbSlot[] = [
  { verbs: "stay", slot: "lives_in", via: list("in at near"), effect: "state", value: "place" },
  { verbs: "live reside dwell", slot: "lives_in", via: list("in at near on with"), effect: "state" },
  { verbs: "base locate situate", slot: "location", via: list("in at near on"), effect: "state" },
  {
    verbs: "move relocate emigrate return settle move_back come_back go_back",
    slot: "lives_in",
    via: list("to into in"),
    effect: "start",
    value: "place",
  },
  { verbs: "work", slot: "works_as", via: list("as"), effect: "state" },
  { verbs: "work", slot: "works_at", via: list("at for"), effect: "state" },
  { verbs: "work", slot: "works_on", via: list("on"), effect: "state" },
  { verbs: "work", slot: "works_in", via: list("in"), effect: "state" },
  { verbs: "employ hire", slot: "works_at", via: list("by at"), effect: "state" },
  { verbs: "join", slot: "works_at", via: "object", effect: "start", value: "name" },
  { verbs: "start", slot: "works_at", via: list("at with"), effect: "start", value: "name" },
  { verbs: "start", slot: "works_as", via: list("as"), effect: "start" },
  { verbs: "become promote", slot: "works_as", via: "object", effect: "start", value: "job" },
  { verbs: "promote", slot: "works_as", via: list("to"), effect: "start" },
  { verbs: "leave quit", slot: "works_at", via: "object", effect: "end", value: "organization" },
  { verbs: "leave", slot: "lives_in", via: "object", effect: "end", value: "place" },
  { verbs: "leave", slot: "location", via: "object", effect: "end", value: "place" },
  { verbs: "quit leave lose", slot: "works_at", via: "object", effect: "end", value: /\bjob\b/ },
  { verbs: "retire resign", slot: "works_as", via: list("as from"), effect: "end" },
  { verbs: "own", slot: "owner", via: "object", effect: "state", isInverse: true },
  {
    verbs: "maintain run manage lead handle",
    slot: "owner",
    via: "object",
    effect: "state",
    value: "definite",
    isInverse: true,
  },
  {
    verbs: "go pass",
    slot: "owner",
    via: list("to"),
    effect: "start",
    value: "person",
    isProperty: true,
    isOfThing: true,
  },
  { verbs: "take get", slot: "owner", via: "object", effect: "start", isInverse: true, besides: "from" },
  { verbs: "take_over inherit", slot: "owner", via: "object", effect: "start", isInverse: true },
  {
    verbs: "keep store put carry park hide",
    slot: "location",
    via: list("in at on under behind"),
    effect: "state",
    isOfObject: true,
  },
  { verbs: "drive ride", slot: "drives", via: "object", effect: "state", value: "vehicle" },
  { verbs: "buy get lease acquire", slot: "drives", via: "object", effect: "start", value: "vehicle" },
  { verbs: "sell scrap", slot: "drives", via: "object", effect: "end", value: "vehicle" },
  { verbs: "get buy rescue foster", slot: "pet", via: "object", effect: "start", value: PET },
  { verbs: "buy acquire purchase", slot: "owns", via: "object", effect: "start" },
  { verbs: "sell scrap", slot: "owns", via: "object", effect: "end" },
  { verbs: "adopt", slot: "pet", via: "object", effect: "start" },
  { verbs: "love like enjoy adore prefer", slot: "likes", via: "object", effect: "state", negated: "dislikes" },
  { verbs: "hate dislike loathe detest", slot: "dislikes", via: "object", effect: "state" },
  { verbs: "marry", slot: "partner", via: "object", effect: "start", value: "name" },
  { verbs: "date", slot: "partner", via: "object", effect: "state", value: "name" },
  { verbs: "divorce dump", slot: "partner", via: "object", effect: "end", value: "name" },
  { verbs: "break_up split_up separate split", slot: "partner", via: list("with from"), effect: "end" },
  { verbs: "study", slot: "studies", via: "object", effect: "state" },
  { verbs: "study enrol enroll", slot: "studies_at", via: list("at in"), effect: "state", value: "name" },
  { verbs: "learn practise practice", slot: "learns", via: "object", effect: "state", value: /^[^\d]/ },
  { verbs: "speak", slot: "speaks", via: "object", effect: "state" },
  { verbs: "name call rename christen", slot: "name", via: "object", effect: "state", value: "name" },
  {
    verbs: "listen run",
    slot: "port",
    via: list("on"),
    effect: "state",
    isProperty: true,
    isOfThing: true,
    value: /^(?:port )?\d{2,5}$/,
  },
  {
    verbs: "run deploy host",
    slot: "location",
    via: list("on"),
    effect: "state",
    value: "name",
    isProperty: true,
    isOfThing: true,
  },
  { verbs: "cost", slot: "price", via: "object", effect: "state", isProperty: true, value: "number" },
  { verbs: "weigh", slot: "weight", via: "object", effect: "state", isProperty: true, value: "number" },
  {
    verbs: "take",
    slot: "takes",
    via: "object",
    effect: "state",
    value: /\d ?(?:mg|mcg|µg|ml|iu|tablets?|pills?)\b|\b(?:pill|tablet|vitamin)/i,
  },
  { verbs: "use", slot: "uses", via: "object", effect: "state", value: "name" },
  { verbs: "prefer", slot: "prefers", via: "object", effect: "state" },
];

/** What a form of "be" says, by the words after it. */
export interface PredicateSlot {
  /** The first words of the predicate. */
  opens: string;
  slot: string;
  /** The value follows the opening words and does not include them. */
  isBehind: boolean;
  value?: "name" | "place" | "number" | "job" | RegExp;
}

export const PREDICATE_SLOTS: readonly PredicateSlot[] = [
  { opens: "allergic to|intolerant to|intolerant of", slot: "allergic_to", isBehind: true },
  {
    opens: "vegan|vegetarian|pescatarian|coeliac|celiac|lactose intolerant|gluten free|gluten-free|teetotal",
    slot: "diet",
    isBehind: false,
  },
  { opens: "engaged to|married to|dating|seeing", slot: "partner", isBehind: true },
  { opens: "engaged|married|divorced|single|widowed|separated", slot: "relationship_status", isBehind: false },
  { opens: "from", slot: "from", isBehind: true, value: "name" },
  { opens: "based in|living in|back in", slot: "lives_in", isBehind: true, value: "name" },
  { opens: "in|at", slot: "location", isBehind: true, value: "place" },
  { opens: "on|back on|in", slot: "assigned_to", isBehind: true, value: WARD },
  { opens: "in charge of|responsible for", slot: "responsible_for", isBehind: true },
  { opens: "fond of|keen on|into|a fan of|a big fan of|obsessed with|mad about", slot: "likes", isBehind: true },
  { opens: "afraid of|scared of|terrified of", slot: "afraid_of", isBehind: true },
  { opens: "born on|born in|born", slot: "born", isBehind: true },
  { opens: "called|named", slot: "name", isBehind: true, value: "name" },
  { opens: "a|an|the", slot: "works_as", isBehind: true, value: "job" },
];

/** Slots that hold one value at a time, as does every property of a thing ("code_of locker"). */
export const SINGLE: ReadonlySet<string> = new Set(
  `lives_in location works_at works_as works_in assigned_to drives diet partner relationship_status name birthday age born from
   studies studies_at schedule price weight status cto ceo cfo coo`.split(/\s+/),
);

/** Roles that one person holds for others at a time. */
export const ROLES: ReadonlySet<string> = new Set(
  `owner lead maintainer supervisor advisor boss manager doctor dentist gp treasurer chair chairman chairwoman chairperson
   teacher coach landlord plumber cto ceo cfo coo president captain principal director secretary conductor editor mentor tutor
   accountant lawyer therapist babysitter cleaner gardener caretaker deputy headteacher head`.split(/\s+/),
);

/** Nouns that name a property: of the thing before them ("locker code"), of the thing after "of", or of their owner. */
export const PROPERTIES: ReadonlySet<string> = new Set(
  `name nickname surname birthday age phone number mobile email e-mail mail address postcode zip code pin password passcode
   combination port host url domain version dose dosage price cost fee rent salary budget deadline limit threshold timeout
   status owner lead maintainer supervisor advisor boss manager doctor dentist gp treasurer chair teacher coach landlord plumber
   cto ceo cfo coo president captain editor mentor tutor accountant lawyer therapist cleaner caretaker deputy
   title rule schedule rota shift colour color size height weight temperature target goal quota rate capacity id serial
   username login account wifi ssid room gate seat platform flight key colour flavour language currency timezone region
   favourite job employer policy iban plate extension url`.split(/\s+/),
);

export const KIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    husband: "partner",
    wife: "partner",
    partner: "partner",
    boyfriend: "partner",
    girlfriend: "partner",
    fiancé: "partner",
    fiancée: "partner",
    fiance: "partner",
    spouse: "partner",
    son: "child",
    daughter: "child",
    kid: "child",
    child: "child",
    brother: "sibling",
    sister: "sibling",
    mother: "parent",
    mum: "parent",
    mom: "parent",
    father: "parent",
    dad: "parent",
    dog: "pet",
    cat: "pet",
    puppy: "pet",
    kitten: "pet",
    rabbit: "pet",
    parrot: "pet",
    hamster: "pet",
    horse: "pet",
    niece: "relative",
    nephew: "relative",
    cousin: "relative",
    aunt: "relative",
    uncle: "relative",
    grandmother: "relative",
    grandfather: "relative",
    friend: "friend",
    flatmate: "flatmate",
    roommate: "flatmate",
    housemate: "flatmate",
    neighbour: "neighbour",
    neighbor: "neighbour",
    colleague: "colleague",
    boss: "boss",
    manager: "boss",
    doctor: "doctor",
    dentist: "dentist",
    therapist: "therapist",
  }),
);

export const VEHICLES = VEHICLE;

/** Nouns for homes. */
export const HOMES: ReadonlySet<string> = new Set(
  list("flat house apartment bungalow studio cottage place room dorm home"),
);

const WORK = list("works_at works_as employer job");

/** Slots by the nouns that refer to them, besides the roles, kin and vehicles above. */
export const SLOTS_BY_NOUN: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...HOMES, "address"].map((noun) => [noun, ["lives_in"]] as const),
  ...list("job work employer employment company firm position role career").map((noun) => [noun, WORK] as const),
  ...list("wedding marriage divorce separation breakup break-up relationship").map(
    (noun) => [noun, ["partner", "relationship_status"]] as const,
  ),
  ...list("school university college studies degree course").map((noun) => [noun, ["studies_at", "studies"]] as const),
  ["diet", ["diet"]],
]);

/** Returns whether a slot holds one value at a time (`single`) or several (`multiple`, the default). */
export function cardinalityOf(attribute: string): Cardinality {
  const isSingle = SINGLE.has(attribute) || PROPERTIES.has(attribute);
  return isSingle || attribute.includes("_of ") || attribute.startsWith("favourite_") ? "single" : "multiple";
}
