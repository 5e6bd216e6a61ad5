import { setOf } from "../strings.ts";

/** English stop words, which have a grammatical function but no content; spelled without apostrophes. */
export const STOP_WORDS: ReadonlySet<string> = setOf(
  `a an the this that these those such same other another own each every either neither both all any some few more most much many no none
   i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
   it its itself they them their theirs themselves one ones who whom whose which what when where why how there here
   am is are was were be been being have has had having do does did doing done will would shall should can could may might must ought
   and or but nor so yet if then else than because as until while although though unless since whether
   of at by for with about against between into through during before after above below to from up down in out on off over under
   again further once only just very too also not ever even still already
   im ive youre youve youll hes shes theyre theyve theyll weve isnt arent wasnt werent hasnt havent hadnt
   dont doesnt didnt wont wouldnt shant shouldnt cant cannot couldnt mightnt mustnt neednt lets thats whats whos wheres heres theres
   oh hey hi hello yeah yes ok okay wow well`,
);

/**
 * Irregular English verbs, nouns and adjectives: the base form, then the forms that no suffix rule can derive from it.
 */
const IRREGULAR_FAMILIES = [
  "arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bet betted|bind bound",
  "bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught",
  "choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven",
  "eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden",
  "forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go goes went gone|grind ground|grow grew grown",
  "hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt",
  "leave left|lend lent|light lit|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen",
  "run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk",
  "sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|speed sped|spend spent|spill spilt|spin spun|spring sprang sprung",
  "stand stood|steal stole stolen|stick stuck|sting stung|strike struck|strive strove striven|swear swore sworn|sweep swept|swim swam swum",
  "swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke woken",
  "wear wore worn|weave wove woven|weep wept|win won|wind wound|withdraw withdrew withdrawn|write wrote written",
  "man men|woman women|child children|person people|foot feet|tooth teeth|goose geese|mouse mice|wife wives|life lives|knife knives|leaf leaves",
  "half halves|shelf shelves|self selves|loaf loaves|thief thieves|wolf wolves|good better best|bad worse worst",
];

/** The base form of each irregular form. */
export const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  IRREGULAR_FAMILIES.flatMap((line) => line.split("|")).flatMap((family) => {
    const [base = "", ...forms] = family.split(" ");
    return forms.map((form): [string, string] => [form, base]);
  }),
);
