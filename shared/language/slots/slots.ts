import { setOf } from "../../kernel/strings.ts";
import type { Effect } from "../languages/grammar.ts";
import type { Cardinality } from "./fact.ts";

export interface VerbSlot {
  /** Lemmas with their particles: "move_in". */
  verbs: string;
  slot: string;
  /** Where the value is: the verb's object, or after one of these prepositions. */
  via: "object" | readonly string[];
  effect: Effect;
  /** The kind of value, or a pattern that it matches. */
  value?: "name" | "person" | "definite" | "place" | "organization" | "number" | "vehicle" | "job" | RegExp;
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
  /** The verb states a habit only in the present: "I eat fish", not "I ate fish". */
  isHabit?: boolean;
  /** A preposition after which a person must be named: "takes the team from Ruben". */
  personAfter?: string;
}

const list = (words: string): readonly string[] => words.split(" ");
export const VEHICLES =
  /\b(?:car|van|bike|bicycle|motorbike|scooter|truck|tesla|fiat|skoda|škoda|volvo|bmw|audi|vw|volkswagen|toyota|honda|ford|kia|renault|peugeot|citro[eë]n|opel|seat|mazda|nissan|hyundai|mercedes|porsche|dacia|mini|jeep|subaru|vespa|boat|golf|polo|passat|tiguan|panda|fiesta|corsa|clio|twingo|yaris|corolla|prius|civic|octavia|fabia|model [3sxy])\b/i;
/** Phones, by maker or model. */
const PHONES =
  /\b(?:i?phone|smartphone|pixel|galaxy|samsung|fairphone|nokia|oneplus|xiaomi|huawei|motorola|xperia)\b(?! (?:case|charger|number|call|shop|store|screen))/i;
/** Laptops and desktop computers, by maker or model. */
const COMPUTERS =
  /\b(?:laptop|macbook|imac|mac mini|thinkpad|chromebook|framework 1\d|surface (?:pro|laptop)|xps 1\d)\b/i;
/** Plans that a provider sells: "the Starter plan". */
const SUBSCRIPTION = /\b(?:[Pp]lan|[Ss]ubscription|[Tt]ier)\b/;
/** Places to train: "PureGym", "the gym at Vertigo". */
const GYMS = /^(?=.*\p{Lu}).*(?:[Gg]ym|[Ff]it|[Bb]oulder|[Cc]limb)/u;
const INSTRUMENTS =
  /^(?:the )?(?:\p{L}+ )?(?:guitar|bass|piano|violin|viola|cello|drums?|flute|clarinet|trumpet|trombone|saxophone|sax|keyboards?|organ|accordion|harp|banjo|ukulele)\b/iu;
/** Diets by name: "keto", "the Mediterranean diet". */
const DIETS = /^(?:(?:an?|the) )?(?:\p{L}+ )?(?:diet|keto|paleo|low[- ]carb|gluten[- ]free)\b/iu;

/** What somebody has one of at a time, by its kind. */
const KINDS: readonly (readonly [slot: string, kind: RegExp])[] = [
  ["phone_model", PHONES],
  ["computer", COMPUTERS],
  ["drives", VEHICLES],
  ["subscription", SUBSCRIPTION],
  ["diet", DIETS],
];

/** Returns the slot for a value of such a kind. */
export function slotOfKind(value: string): string | undefined {
  return KINDS.find(([, kind]) => kind.test(value))?.[0];
}

/** "a dog", "another black cat called Miso", but not "a dog bed". */
const PET =
  /^(?:an?|another|two|three|our|my) (?:[\p{L}-]+ ){0,2}(?:dog|cat|pupp(?:y|ies)|kitten|rabbit|parrot|hamster|horse|tortoise|budgie)s?(?:$|,| called | named | from )/iu;
const WARD = /\b(?:ward|unit|team|department|floor|desk|project|squad|hdu|icu)\b|^\d{1,3}\b/i;

/** "studio in Paddepoel", "rented room above a shop", but not "room with a patient". */
const HOME_SOMEWHERE =
  /^(?:[\p{L}-]+ ){0,2}(?:flat|house|apartment|bungalow|studio|cottage|room) (?:in|on|at|above|near|off) /u;

/** Verbs with their slots; `via` has prepositions and is absent for the object, and the effect is `state` by default. */
const ROWS: readonly (Omit<VerbSlot, "via" | "effect"> & { via?: string; effect?: Effect })[] = [
  { verbs: "stay", slot: "lives_in", via: "in at near", value: "place" },
  { verbs: "live reside dwell", slot: "lives_in", via: "in at near on" },
  { verbs: "live", slot: "lives_with", via: "with" },
  { verbs: "base locate situate", slot: "lives_in", via: "in at near on" },
  {
    verbs: "move relocate emigrate return settle move_back come_back go_back",
    slot: "lives_in",
    via: "to into in",
    effect: "start",
    value: "place",
  },
  { verbs: "work", slot: "works_as", via: "as" },
  { verbs: "work", slot: "works_at", via: "at for" },
  { verbs: "work", slot: "works_on", via: "on" },
  { verbs: "work", slot: "works_in", via: "in" },
  { verbs: "employ hire", slot: "works_at", via: "by at" },
  { verbs: "join", slot: "works_at", effect: "start", value: "name" },
  { verbs: "start", slot: "works_at", via: "at with", effect: "start", value: "name" },
  { verbs: "start", slot: "works_as", via: "as", effect: "start" },
  { verbs: "become promote", slot: "works_as", effect: "start", value: "job" },
  { verbs: "promote", slot: "works_as", via: "to", effect: "start" },
  { verbs: "leave quit", slot: "works_at", effect: "end", value: "organization" },
  { verbs: "leave", slot: "lives_in", effect: "end", value: "place" },
  { verbs: "leave", slot: "location", effect: "end", value: "place" },
  { verbs: "report", slot: "manager", via: "to", value: "name" },
  { verbs: "quit leave lose", slot: "works_at", effect: "end", value: /\bjob\b/ },
  { verbs: "retire resign", slot: "works_as", via: "as from", effect: "end" },
  { verbs: "own", slot: "owner", isInverse: true },
  { verbs: "maintain manage lead handle", slot: "owner", value: "definite", isInverse: true },
  { verbs: "go pass", slot: "owner", via: "to", effect: "start", value: "person", isProperty: true, isOfThing: true },
  { verbs: "take get", slot: "owner", effect: "start", isInverse: true, personAfter: "from" },
  { verbs: "take_over inherit", slot: "owner", effect: "start", isInverse: true },
  { verbs: "keep store put carry park hide", slot: "location", via: "in at on under behind", isOfObject: true },
  { verbs: "drive ride", slot: "drives", value: "vehicle" },
  { verbs: "buy get lease acquire", slot: "drives", effect: "start", value: "vehicle" },
  { verbs: "sell scrap", slot: "drives", effect: "end", value: "vehicle" },
  { verbs: "play", slot: "plays", value: INSTRUMENTS },
  { verbs: "eat", slot: "eats", negated: "does_not_eat", isHabit: true },
  { verbs: "drink", slot: "drinks", negated: "does_not_drink", isHabit: true },
  { verbs: "get land", slot: "works_at", via: "at with", effect: "start" },
  { verbs: "get buy rescue foster", slot: "pet", effect: "start", value: PET },
  { verbs: "buy acquire purchase", slot: "owns", effect: "start" },
  { verbs: "sell scrap", slot: "owns", effect: "end" },
  { verbs: "adopt", slot: "pet", effect: "start" },
  { verbs: "love like enjoy adore prefer", slot: "likes", negated: "dislikes" },
  { verbs: "hate dislike loathe detest", slot: "dislikes" },
  { verbs: "marry", slot: "partner", effect: "start", value: "name" },
  { verbs: "date", slot: "partner", value: "name" },
  { verbs: "divorce dump", slot: "partner", effect: "end", value: "name" },
  { verbs: "break_up split_up separate split", slot: "partner", via: "with from", effect: "end" },
  { verbs: "study", slot: "studies" },
  { verbs: "study enrol enroll", slot: "studies_at", via: "at in", value: "name" },
  { verbs: "learn practise practice", slot: "learns", value: /^[^\d]/ },
  { verbs: "speak", slot: "speaks" },
  { verbs: "name call rename christen", slot: "name", value: "name" },
  { verbs: "listen run", slot: "port", via: "on", isProperty: true, isOfThing: true, value: /^(?:port )?\d{2,5}$/ },
  { verbs: "run deploy host", slot: "location", via: "on", value: "name", isProperty: true, isOfThing: true },
  { verbs: "turn", slot: "age", effect: "start", value: /^\d{1,3}$/ },
  { verbs: "cost", slot: "price", isProperty: true, value: "number" },
  { verbs: "weigh", slot: "weight", isProperty: true, value: "number" },
  { verbs: "take", slot: "takes", value: /\d ?(?:mg|mcg|µg|ml|iu|tablets?|pills?)\b|\b(?:pill|tablet|vitamin)/i },
  { verbs: "use", slot: "uses", value: "name" },
  { verbs: "prefer", slot: "prefers" },
];

/** Verbs of getting, using and giving away what somebody has one of. */
const KIND_ROWS: typeof ROWS = [
  { verbs: "train work_out", slot: "gym", via: "at", value: "name", isHabit: true },
  { verbs: "go", slot: "gym", via: "to", value: GYMS, isHabit: true },
  { verbs: "join", slot: "gym", effect: "start", value: GYMS },
  ...KINDS.flatMap(([slot, value]): typeof ROWS => [
    { verbs: "have own use", slot, value },
    { verbs: "buy get lease acquire order", slot, effect: "start", value },
    { verbs: "switch upgrade move change go downgrade", slot, via: "to", effect: "start", value },
    { verbs: "trade swap replace", slot, via: "for with", effect: "start", value },
    { verbs: "sell scrap lose give give_away return", slot, effect: "end", value },
  ]),
];

/** Slots of verbs, in order of precedence. A slot that is not in `SINGLE` has many values at a time. */
export const VERB_SLOTS: readonly VerbSlot[] = ROWS.map(toSlot);

/** Slots of what somebody has one of; they take precedence over the others. */
export const KIND_SLOTS: readonly VerbSlot[] = KIND_ROWS.map(toSlot);

function toSlot({ via, effect = "state", ...row }: (typeof ROWS)[number]): VerbSlot {
  return { ...row, via: via === undefined ? "object" : list(via), effect };
}

/** What a form of "be" says, by the words after it. */
export interface PredicateSlot {
  /** The first words of the predicate. */
  opens: string;
  slot: string;
  /** Whether the value follows the opening words; otherwise it includes them. */
  followsOpening: boolean;
  value?: "name" | "place" | "job" | RegExp;
}

export const PREDICATE_SLOTS: readonly PredicateSlot[] = [
  { opens: "allergic to|intolerant to|intolerant of", slot: "allergic_to", followsOpening: true },
  {
    opens: "vegan|vegetarian|pescatarian|coeliac|celiac|lactose intolerant|gluten free|gluten-free|teetotal",
    slot: "diet",
    followsOpening: false,
  },
  { opens: "engaged to|married to|dating|seeing", slot: "partner", followsOpening: true },
  { opens: "engaged|married|divorced|single|widowed|separated", slot: "relationship_status", followsOpening: false },
  { opens: "from", slot: "from", followsOpening: true, value: "name" },
  { opens: "based in|living in|back in", slot: "lives_in", followsOpening: true, value: "name" },
  { opens: "in a|in an", slot: "lives_in", followsOpening: true, value: HOME_SOMEWHERE },
  { opens: "in|at", slot: "location", followsOpening: true, value: "place" },
  ...KINDS.map(([slot, value]) => ({ opens: "on", slot, followsOpening: true, value })),
  { opens: "on|back on|in", slot: "assigned_to", followsOpening: true, value: WARD },
  { opens: "in charge of|responsible for", slot: "responsible_for", followsOpening: true },
  { opens: "fond of|keen on|into|a fan of|a big fan of|obsessed with|mad about", slot: "likes", followsOpening: true },
  { opens: "afraid of|scared of|terrified of", slot: "afraid_of", followsOpening: true },
  { opens: "born on|born in|born", slot: "born", followsOpening: true },
  { opens: "called|named", slot: "name", followsOpening: true, value: "name" },
  { opens: "a|an|the", slot: "works_as", followsOpening: true, value: "job" },
];

/** Occupations that the tagger does not know as such, or that people name themselves by. */
export const OCCUPATIONS: ReadonlySet<string> =
  setOf(`nurse teacher doctor librarian engineer developer programmer designer architect lawyer solicitor accountant auditor
   bookkeeper chef cook baker butcher barista waiter waitress bartender cleaner carpenter joiner plumber electrician mechanic
   welder builder roofer painter gardener farmer vet dentist midwife paramedic pharmacist physio physiotherapist therapist
   psychologist psychiatrist surgeon optician carer nanny childminder babysitter driver courier postman pilot steward sailor
   soldier firefighter policeman policewoman detective guard janitor caretaker secretary receptionist clerk cashier
   salesman saleswoman estate_agent hairdresser barber tailor seamstress photographer journalist editor writer author
   translator interpreter musician singer actor actress dancer artist illustrator potter scientist researcher chemist
   biologist physicist geologist mathematician statistician economist lecturer professor tutor student apprentice intern
   consultant analyst manager director founder entrepreneur freelancer contractor administrator technician operator
   machinist docker fisherman florist jeweller locksmith plasterer glazier undertaker priest vicar imam rabbi monk nun coach
   trainer instructor referee lifeguard curator archivist bookseller publisher producer conductor composer drummer guitarist
   pianist violinist brewer`);

/** Slots that hold one value at a time, as does every property of a thing ("code_of locker"). */
export const SINGLE: ReadonlySet<string> =
  setOf(`lives_in lives_with location phone_model computer subscription works_at works_as works_in assigned_to drives diet partner relationship_status name birthday age born from
   studies studies_at gym schedule price weight status cto ceo cfo coo`);

/** The attributes that a language model chooses from: those of the model that reads facts, of people and what they say. */
export const WRITTEN_ATTRIBUTES: readonly string[] = [
  ...setOf(`name nickname birthday age from nationality lives_in lives_with works_at works_as works_on studies studies_at partner
   relationship_status child sibling parent relative friend pet colleague flatmate neighbour manager doctor contact allergic_to
   diet condition takes eats drinks likes prefers favourite owns drives phone_model computer uses subscription plays speaks
   learns gym member_of believes size habit goal plan event instruction`),
];

/** Roles that one person holds for others at a time. */
export const ROLES: ReadonlySet<string> =
  setOf(`owner lead maintainer supervisor advisor boss manager doctor dentist gp treasurer chair chairman chairwoman chairperson
   teacher coach landlord plumber cto ceo cfo coo president captain principal director secretary conductor editor mentor tutor
   accountant lawyer therapist babysitter cleaner gardener caretaker deputy headteacher head`);

/** Nouns that name a property: of the thing before them ("locker code"), of the thing after "of", or of their owner. */
export const PROPERTIES: ReadonlySet<string> =
  setOf(`name nickname surname birthday age phone number mobile email e-mail mail address postcode zip code pin password passcode
   combination port host url domain version dose dosage price cost fee rent salary budget deadline limit threshold timeout
   status owner lead maintainer supervisor advisor boss manager doctor dentist gp treasurer chair teacher coach landlord plumber
   cto ceo cfo coo president captain editor mentor tutor accountant lawyer therapist cleaner caretaker deputy
   title rule schedule rota shift colour color size height weight temperature target goal quota rate capacity id serial
   username login account wifi ssid room gate seat platform flight key colour flavour language currency timezone region
   favourite job employer policy iban plate extension url handle major`);

/** Returns the slot of each noun, from the nouns of each slot. */
export function slotsByNoun(nouns: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(nouns).flatMap(([slot, words]) => words.split(" ").map((noun) => [noun, slot])));
}

/** The slots of people and animals, by the nouns for them. */
export const KIN = slotsByNoun({
  partner: "husband wife partner boyfriend girlfriend fiancé fiancée fiance spouse",
  child: "son daughter kid child",
  sibling: "brother sister",
  parent: "mother mum mom father dad",
  pet: "dog cat puppy kitten rabbit parrot hamster horse",
  relative: "niece nephew cousin aunt uncle grandmother grandfather",
  friend: "friend",
  flatmate: "flatmate roommate housemate",
  neighbour: "neighbour neighbor",
  colleague: "colleague",
  manager: "boss manager",
  doctor: "doctor",
  dentist: "dentist",
  therapist: "therapist",
});

/** Nouns for homes. */
export const HOMES: ReadonlySet<string> = new Set(
  list("flat house apartment bungalow studio cottage place room dorm home"),
);

const WORK = list("works_at works_as employer job");

/** Slots by the nouns that refer to them, in addition to the roles, kin and vehicles above. */
export const SLOTS_BY_NOUN: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...HOMES, "address"].map((noun) => [noun, ["lives_in"]] as const),
  ...list("job work employer employment company firm position role career").map((noun) => [noun, WORK] as const),
  ...list("wedding marriage divorce separation breakup break-up relationship").map(
    (noun) => [noun, ["partner", "relationship_status"]] as const,
  ),
  ...list("school university college studies degree course").map((noun) => [noun, ["studies_at", "studies"]] as const),
  ["diet", ["diet"]],
]);

/** Returns `single` if a slot holds one value at a time, otherwise `multiple`. */
export function cardinalityOf(attribute: string): Cardinality {
  const isSingle = SINGLE.has(attribute) || PROPERTIES.has(attribute) || ROLES.has(attribute);
  return isSingle || attribute.includes("_of ") || attribute.startsWith("favourite_") ? "single" : "multiple";
}
